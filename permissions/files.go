package permissions

import (
	"path"
	"slices"
	"strings"
)

// files adds the file arguments of known readers and writers.
func (c *command) files(base string, args []word) {
	use := fileUses[base]
	if use == usesNone {
		return
	}
	if c.fed {
		args = append(slices.Clip(args), word{dynamic: true})
	}
	ops := operands(args)
	switch use {
	case usesRead:
		c.each(pseudoRead, ops, false)
	case usesPattern:
		c.each(pseudoRead, afterPattern(args, ops), false)
	case usesWrite:
		c.each(pseudoWrite, ops, false)
	case usesTree:
		c.each(pseudoWrite, ops, true)
	case usesCopy:
		c.copies(args, ops)
	case usesMove:
		c.each(pseudoRead, ops, true)
		c.each(pseudoWrite, ops, true)
		c.intoLast(ops)
	case usesBlocks:
		c.blocks(args)
	case usesStream:
		c.stream(args, ops)
	case usesNone:
	}
}

func (c *command) each(pseudo string, ws []word, tree bool) {
	for _, w := range ws {
		c.file(pseudo, w, tree)
	}
}

// operands are the words that may name files: all but options, and of options
// their values, attached or not.
func operands(args []word) []word {
	var out []word
	for i, w := range args {
		if w.text == "--" && !w.dynamic {
			return append(out, args[i+1:]...)
		}
		if value, ok := optionValue(w); ok {
			out = append(out, value)
		}
	}
	return out
}

// optionValue is the part of a word that may name a file.
func optionValue(w word) (word, bool) {
	if w.dynamic || len(w.text) < 2 || w.text[0] != '-' {
		return w, w.dynamic || w.text != "-"
	}
	if _, value, ok := strings.Cut(w.text, "="); ok {
		w.text = value
		return w, true
	}
	if strings.HasPrefix(w.text, "--") || len(w.text) == 2 {
		return w, false
	}
	w.text = w.text[2:]
	return w, true
}

// afterPattern drops the first operand unless an option gives the pattern.
func afterPattern(args, ops []word) []word {
	if anyHas(args, "ef", "--regexp", "--file", "--expression") {
		return ops
	}
	for i, w := range ops {
		if !strings.HasPrefix(w.raw, "-") {
			return append(ops[:i:i], ops[i+1:]...)
		}
	}
	return ops
}

// copies reads the sources and writes the target; with -t the target may be any
// of them.
func (c *command) copies(args, ops []word) {
	c.each(pseudoRead, ops, false)
	for _, w := range args {
		if hasOption(w, "t", "--target-directory") || w.dynamic {
			c.each(pseudoWrite, ops, false)
			return
		}
	}
	if len(ops) > 0 {
		c.file(pseudoWrite, ops[len(ops)-1], false)
		c.intoLast(ops)
	}
}

// intoLast adds what the sources become if the target is a directory.
func (c *command) intoLast(ops []word) {
	if len(ops) < 2 {
		return
	}
	target := ops[len(ops)-1]
	for _, w := range ops[:len(ops)-1] {
		inside := target
		inside.text = into(target.text, w.text)
		inside.dynamic = target.dynamic || w.dynamic
		inside.expands = target.expands || w.expands
		c.file(pseudoWrite, inside, false)
	}
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

// stream: sed reads its operands, writes them with -i, and its program may
// write with w.
func (c *command) stream(args, ops []word) {
	files := afterPattern(args, ops)
	c.each(pseudoRead, files, false)
	for _, w := range args {
		if hasOption(w, "i", "--in-place") || w.dynamic {
			c.each(pseudoWrite, files, false)
		}
		if strings.Contains(w.text, "w ") || strings.Contains(w.text, "W ") {
			c.file(pseudoWrite, word{dynamic: true}, false)
		}
	}
}
