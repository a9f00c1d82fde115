package permissions

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// sourced is opaque if the script is not known, or is the input.
func (c *command) sourced(args []word) {
	for _, w := range args {
		if w.unclear() {
			c.hide(opaque)
		}
		if c.isInput(w) {
			c.hide(opaque)
			c.input()
		}
	}
}

// isInput reports whether a word names an open file rather than one on a disk.
func (c *command) isInput(w word) bool {
	if p := normalise(c.scan.a.cwd, w.text); strings.HasPrefix(p, "/dev/") || strings.HasPrefix(p, "/proc/") {
		return true
	}
	// After cd it may be anywhere.
	base := w.base()
	return !strings.HasPrefix(w.text, "/") && (base == "stdin" || strings.Trim(base, "0123456789") == "")
}

// input judges here-documents and here-strings that a shell is given.
func (c *command) input() {
	for _, r := range c.stdin {
		var w *syntax.Word
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			w = r.Hdoc
		case syntax.WordHdoc:
			w = r.Word
		default:
		}
		if w == nil { // another redirection, or a document without a line
			continue
		}
		if body := readWord(c.scan.src, w); !body.dynamic {
			c.text(body.text)
		}
	}
}

// login: sudo -s and -i run a shell, on the input if they are given no command;
// -e runs an editor.
func (c *command) login(args []word) {
	for _, w := range args[:wrappers["sudo"].options(args)] {
		if hasOption(w, "eis", "--edit", "--login", "--shell") {
			c.hide(opaque)
			c.input()
		}
	}
}
