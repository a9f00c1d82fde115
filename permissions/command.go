package permissions

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// command is one simple command while it is judged: through the wrappers before
// its name, down to what it runs.
type command struct {
	scan  *shellScan
	stdin []*syntax.Redirect
	texts []string // what deny and ask rules are read against
	fog   fog
	moved bool // its relative paths are not the session's
	fed   bool // more arguments come from its input
}

// judge looks at the command that the words are, then at the one that it runs.
func (c *command) judge(ws []word) {
	for range maxWrappers {
		if len(ws) == 0 {
			if c.fed {
				c.hide(opaque) // xargs env: the command itself is on the input
			}
			return
		}
		if ws[0].unclear() {
			c.texts = append(c.texts, joinText(ws[0].text, ws))
			c.hide(opaque)
			return
		}
		c.look(ws)
		rest, wrapped := c.unwrap(ws)
		if !wrapped {
			return
		}
		ws = rest
	}
	c.hide(overflow)
	c.scan.over = true
}

func (c *command) hide(f fog) { c.fog = max(c.fog, f) }

// look adds one level's texts, files and nested commands.
func (c *command) look(ws []word) {
	name, file, base := ws[0].text, ws[0].file(), ws[0].base()
	for _, n := range slices.Compact([]string{name, file, base}) {
		c.texts = append(c.texts, joinText(n, ws))
	}
	c.move(base, ws)
	c.nested(base, ws)
	c.builtin(base, ws[1:])
	c.carries(base, ws[1:])
	c.files(base, ws[1:])
}

// move notes what changes the directory, for the whole text or for this command.
func (c *command) move(base string, ws []word) {
	switch base {
	case "cd", "pushd", "popd", "source", ".", "chroot":
		c.scan.moved = true
	}
	for _, w := range ws[1:] {
		if strings.HasPrefix(w.text, "-C") || strings.HasPrefix(w.text, "--directory") ||
			strings.HasPrefix(w.text, "--chdir") || base == "sudo" && strings.HasPrefix(w.text, "-D") {
			c.moved = true
		}
	}
}

// file adds a file argument.
func (c *command) file(pseudo string, w word, tree bool) {
	f := facet{role: floor, pseudo: pseudo, kind: KindRead, tree: tree}
	if c.moved && !strings.HasPrefix(w.text, "/") {
		f.fog = unknown
	}
	c.scan.file(w, f)
}

// inner judges words that another command runs, find -exec for one.
func (c *command) inner(ws []word) {
	s := c.scan
	if s.count++; s.count > MaxParts || s.depth >= maxNesting {
		s.over = true
		return
	}
	s.depth++
	sub := &command{scan: s, moved: c.moved}
	sub.judge(ws)
	s.depth--
	c.texts = append(c.texts, sub.texts...)
	c.hide(sub.fog)
}

// text judges a command text within the command. It counts for deny and ask;
// the command around it is opaque anyway.
func (c *command) text(text string) {
	s := c.scan
	if s.over || s.depth >= maxNesting {
		s.over = true
		return
	}
	defer func(r role, depth int) { s.role, s.depth = r, depth }(s.role, s.depth)
	s.role, s.depth = floor, s.depth+1
	if s.read(text) == overflow {
		s.over = true
	}
	c.texts = append(c.texts, text)
}
