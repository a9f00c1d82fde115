package permissions

import "strings"

// stream: sed reads its operands and writes them with -i. Its program may read,
// write and run: one that is not plain could do all of that.
func (c *command) stream(args, ops []word) {
	files := afterPattern(args, ops)
	c.each(pseudoRead, files, false)
	for _, w := range args {
		if hasOption(w, "i", "--in-place") || w.dynamic {
			c.each(pseudoWrite, files, false)
			break
		}
	}
	if !plainStream(args, ops) {
		c.hide(opaque)
		c.file(pseudoWrite, word{dynamic: true}, false)
		c.file(pseudoRead, word{dynamic: true}, false)
	}
}

// plainStream reports whether all programs of a sed command are known and plain.
func plainStream(args, ops []word) bool {
	args = withoutSuffixes(args)
	if anyHas(args, "fl", "--file", "--line-length") {
		return false // in a file, or after a value that looks like one
	}
	programs := values(args, "e", "--expression")
	for i := 0; i < len(ops) && len(programs) == 0; i++ {
		// BSD's -i may have an empty word of its own.
		if !strings.HasPrefix(ops[i].raw, "-") && (ops[i].text != "" || ops[i].dynamic) {
			programs = ops[i : i+1]
		}
	}
	for _, p := range programs {
		if p.dynamic || !plainProgram(p.text) {
			return false
		}
	}
	return true
}

// withoutSuffixes cuts what follows -i in its word: that is a file's suffix.
func withoutSuffixes(args []word) []word {
	out := make([]word, len(args))
	for i, w := range args {
		out[i] = w
		if hasOption(w, "i") && !w.dynamic {
			out[i].text = w.text[:strings.Index(w.text, "i")+1]
		}
	}
	return out
}

// sedText is what is left of a sed program while it is read.
type sedText struct{ rest string }

// plainProgram reports whether a sed program only edits text. It knows less of
// sed than sed does: what it does not know is not plain.
func plainProgram(program string) bool {
	t := &sedText{program}
	for t.skip(" \t\n;{}"); t.rest != ""; t.skip(" \t\n;{}") {
		if !t.address() || !t.command() {
			return false
		}
	}
	return true
}

func (t *sedText) skip(cut string) { t.rest = strings.TrimLeft(t.rest, cut) }

// take cuts n bytes off.
func (t *sedText) take(n int) { t.rest = t.rest[min(n, len(t.rest)):] }

// address reads line numbers and patterns in front of a command.
func (t *sedText) address() bool {
	const between = "0123456789$,!~+ \t"
	for t.skip(between); t.rest != ""; t.skip(between + "IM") {
		switch t.rest[0] {
		case '/':
		case '\\':
			t.take(1)
		default:
			return true
		}
		if !t.section(1) {
			return false
		}
	}
	return true
}

// section reads n texts, each up to the delimiter that is next.
func (t *sedText) section(n int) bool {
	if t.rest == "" {
		return false
	}
	delimiter, bracket := t.rest[0], false
	i := 1
	for ; i < len(t.rest) && n > 0; i++ {
		switch c := t.rest[i]; {
		case c == '\\':
			i++
		case c == delimiter && bracket:
			return false // implementations differ
		case c == delimiter:
			n--
		case c == '[':
			bracket = true
		case c == ']':
			bracket = false
		}
	}
	t.take(i)
	return n == 0
}

// command reads one command that only edits.
func (t *sedText) command() bool {
	if t.rest == "" {
		return false
	}
	name := t.rest[0]
	switch {
	case name == '{' || name == '}':
		return true
	case strings.IndexByte("dDgGhHnNpPqQxzFl=", name) >= 0:
		t.take(1)
		t.skip("0123456789 \t")
		return t.ended()
	case name == 's' || name == 'y':
		t.take(1)
		return t.section(2) && t.flags()
	case strings.IndexByte("aic:btT#", name) >= 0:
		return t.line()
	}
	return false
}

// flags reads the flags of s; of them w writes and e runs.
func (t *sedText) flags() bool {
	t.skip("0123456789gpiIm M")
	return t.ended()
}

func (t *sedText) ended() bool {
	t.skip(" \t")
	return t.rest == "" || strings.IndexByte(";\n}#", t.rest[0]) >= 0
}

// line reads up to the end of the line: text, a label or a comment. Where it
// ends is not the same for all, so that nothing but the last may follow.
func (t *sedText) line() bool {
	_, rest, more := strings.Cut(t.rest, "\n")
	if more && strings.TrimSpace(rest) != "" || strings.ContainsAny(t.rest[:1], ":btT") && strings.ContainsAny(t.rest, ";}") {
		return false
	}
	t.rest = ""
	return true
}
