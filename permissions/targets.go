package permissions

import (
	"path"
	"strings"
)

// copies reads the sources and writes the target.
func (c *command) copies(base string, args, ops []word) {
	tree := anyHas(args, "rRa", "--recursive", "--archive", "--parents", "--relative")
	c.each(pseudoRead, ops, tree)
	if base == "install" && anyHas(args, "d", "--directory") {
		c.each(pseudoWrite, ops, false)
	}
	for _, w := range args {
		if w.dynamic {
			c.each(pseudoWrite, ops, tree) // it may be -t
			break
		}
	}
	if len(ops) > 0 {
		c.file(pseudoWrite, ops[len(ops)-1], tree)
		c.intoLast(ops, tree)
	}
	if base != "rsync" { // -t keeps times there
		c.intoTargets(args, ops, tree)
	}
}

// moves reads and writes all operands; a link to one operand is made here.
func (c *command) moves(args, ops []word) {
	c.each(pseudoRead, ops, true)
	c.each(pseudoWrite, ops, true)
	c.intoLast(ops, true)
	c.intoTargets(args, ops, true)
	if len(ops) == 1 {
		c.into(here, ops[0], true)
	}
}

// intoTargets adds what the operands become in the directories that -t names.
func (c *command) intoTargets(args, ops []word, tree bool) {
	for _, target := range values(args, "t", "--target-directory") {
		c.file(pseudoWrite, target, tree)
		for _, w := range ops {
			if c.scan.over {
				return // the whole call is judged as beyond a limit
			}
			c.into(target, w, tree)
		}
	}
}

// intoLast adds what the sources become if the target is a directory.
func (c *command) intoLast(ops []word, tree bool) {
	if len(ops) < 2 {
		return
	}
	target := ops[len(ops)-1]
	for _, w := range ops[:len(ops)-1] {
		c.into(target, w, tree)
	}
}

// into adds the file that a word becomes in a directory.
func (c *command) into(dir, w word, tree bool) {
	inside := dir
	inside.text = into(dir.text, w.text)
	inside.dynamic = dir.dynamic || w.dynamic
	inside.expands = dir.expands || w.expands
	c.file(pseudoWrite, inside, tree)
}

// into is where a path ends up that is moved into a directory.
func into(dir, p string) string {
	return strings.TrimSuffix(dir, "/") + "/" + path.Base(p)
}

// blocks reads dd's if= and of=.
func (c *command) blocks(args []word) {
	for _, w := range args {
		name, value, _ := strings.Cut(w.text, "=")
		w.text = value
		switch {
		case w.dynamic || name == "of":
			c.file(pseudoWrite, w, false)
		case name == "if":
			c.file(pseudoRead, w, false)
		}
	}
}
