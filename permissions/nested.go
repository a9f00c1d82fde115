package permissions

import (
	"slices"
	"strings"
)

// shells run a text that is given with -c or on their input.
var shells = []string{
	"sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "rbash", "csh", "tcsh", "yash", "oksh",
	"loksh", "lksh", "pdksh", "posh", "hush", "rksh", "rzsh", "nu", "elvish", "rc", "es",
}

// isShell knows bash5.2 as bash.
func isShell(base string) bool {
	return slices.Contains(shells, base) || slices.Contains(shells, strings.TrimRight(base, "-.0123456789"))
}

// nested finds what a command runs: texts and words within it. All of these are
// opaque, and what of them is shell is judged too.
func (c *command) nested(base string, ws []word) {
	switch {
	case base == "eval":
		c.hide(opaque)
		c.static(ws[1:])
	case base == "trap" && len(ws) > 1:
		c.hide(opaque)
		c.static(ws[1:2])
	case base == "alias":
		c.alias(ws[1:])
	case base == "source" || base == ".":
		c.sourced(ws[1:])
	default:
		c.nestedIn(base, ws)
	}
}

// nestedIn finds what a program, rather than the shell itself, is made to run.
func (c *command) nestedIn(base string, ws []word) {
	switch {
	case base == "find":
		c.find(ws[1:])
	case base == "env":
		c.splitString(ws[1:])
	case base == "sudo":
		c.login(ws[1:])
	case base == "su":
		c.substitute(ws[1:])
	case isShell(base):
		c.shell(ws[1:])
	case isInterpreter(base):
		c.interpreter(ws[1:])
	case isLauncher(base):
		c.hide(opaque)
	case isAwk(base):
		c.awk(ws[1:])
	case base == "git":
		c.git(ws[1:])
	}
}

// static judges words as one text, as eval does, if all of it is known.
func (c *command) static(ws []word) {
	parts := make([]string, len(ws))
	for i, w := range ws {
		if w.dynamic {
			return
		}
		parts[i] = w.text
	}
	c.text(strings.Join(parts, " "))
}

// alias judges what names are made to stand for; some shells expand them in
// scripts too.
func (c *command) alias(args []word) {
	for _, w := range args {
		if _, text, ok := strings.Cut(w.text, "="); ok {
			c.hide(opaque)
			c.text(text)
		}
	}
}

// shell judges sh -c text, and text on the input of a shell without a script.
func (c *command) shell(args []word) {
	operand, text := shellOperand(args)
	switch {
	case text:
		c.hide(opaque)
		if operand < len(args) {
			c.static(args[operand : operand+1])
		}
	case operand == len(args) || args[operand].text == "-":
		c.hide(opaque)
		c.input()
	default:
		c.each(pseudoRead, args[operand:operand+1], false)
		c.sourced(args)
	}
}

// substitute judges su -c text, wherever the option stands.
func (c *command) substitute(args []word) {
	c.hide(opaque)
	for i, w := range args[:max(len(args)-1, 0)] {
		if hasOption(w, "c", "--command") {
			c.static(args[i+1 : i+2])
		}
	}
}

// shellOperand finds a shell's first operand, and whether it is a text (-c).
// With -s the operands are not a script; -c may stand after other options.
func shellOperand(args []word) (operand int, text bool) {
	input := false
	for i := 0; i < len(args); i++ {
		t := args[i].text
		switch {
		case t == "--":
			return i + 1, text
		case len(t) < 2 || t[0] != '-' && t[0] != '+':
			if input && !text {
				return len(args), false
			}
			return i, text
		}
		o := readShellOption(t)
		text, input = text || o.text, input || o.input
		if o.value {
			i++
		}
	}
	return len(args), text
}

// shellOption is what an option says of a shell's operands.
type shellOption struct {
	text  bool // the first operand is a text
	input bool // the operands are not a script
	value bool // the next word is the option's
}

func readShellOption(t string) shellOption {
	if strings.HasPrefix(t, "--") {
		return shellOption{text: t == "--command", value: t == "--rcfile" || t == "--init-file"}
	}
	return shellOption{
		text: strings.Contains(t, "c"), input: strings.Contains(t, "s"),
		value: strings.HasSuffix(t, "o") || strings.HasSuffix(t, "O"),
	}
}

// splitString judges env -S text.
func (c *command) splitString(args []word) {
	for i, w := range args[:wrappers["env"].options(args)] {
		if !hasOption(w, "S", "--split-string") {
			continue
		}
		c.hide(opaque)
		sep := "S"
		if strings.HasPrefix(w.text, "--") {
			sep = "="
		}
		_, text, _ := strings.Cut(w.text, sep)
		if text == "" && i+1 < len(args) {
			text = args[i+1].text
		}
		c.text(text)
	}
}
