package permissions

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxCommandName is how many words the longest name in readOnlyCommands has.
const maxCommandName = 3

// readOnlyUse is one line of readOnlyCommands, read.
type readOnlyUse struct {
	flags, valued string                    // short options
	apart         bool                      // each short option is a word of its own
	refused       []string                  // texts that no word may hold
	words         map[string]optionValueUse // options by their whole word
	operands      int                       // at most; -1: any number
}

// optionValueUse is whether an option has a value.
type optionValueUse byte

const (
	valueNever    optionValueUse = iota
	valueAlways                  // after =, or as the next word
	valueAttached                // after = or not at all
)

var readOnlyUses = readUses(readOnlyCommands)

func readUses(lines map[string]string) map[string]readOnlyUse {
	uses := make(map[string]readOnlyUse, len(lines))
	for name, line := range lines {
		uses[name] = readUse(line)
	}
	return uses
}

func readUse(line string) readOnlyUse {
	u := readOnlyUse{words: map[string]optionValueUse{}, operands: -1}
	for token := range strings.FieldsSeq(line) {
		bare, valued := strings.CutSuffix(token, ":")
		switch {
		case token[0] == '<':
			u.operands, _ = strconv.Atoi(token[1:])
		case token == "apart":
			u.apart = true
		case token[0] == '!':
			u.refused = append(u.refused, token[1:])
		case token[0] == '@':
			u.add(bare[1:], valued)
		case strings.HasPrefix(token, "--"):
			u.add(strings.CutSuffix(token, "="))
		case valued:
			u.valued += bare[1:]
		default:
			u.flags += bare[1:]
		}
	}
	return u
}

// add adds a whole word; one that is there with and without a value has it
// attached.
func (u *readOnlyUse) add(name string, valued bool) {
	use := valueNever
	if valued {
		use = valueAlways
	}
	if before, again := u.words[name]; again && before != use {
		use = valueAttached
	}
	u.words[name] = use
}

// readsOnly reports whether a call provably does nothing but read: it is one or
// more shell commands of readOnlyCommands, in pipes and lists, started in the
// session's directory. What is not known to only read does not.
func (a *Analysis) readsOnly() bool {
	if a.kind != KindExecute || a.vague || len(a.subjects) == 0 {
		return false
	}
	if slices.ContainsFunc(a.facets, facet.mayDoMore) {
		return false
	}
	commands := 0
	for _, s := range a.subjects {
		switch {
		case s.kind == keyCommand && readOnlyText(s.text):
			commands++
		case s.kind != keyPath || s.canonical != a.cwd:
			return false
		}
	}
	return commands > 0
}

// mayDoMore reports whether a facet of a command is not known to be read only.
func (f facet) mayDoMore() bool {
	switch {
	case f.role == redirect, f.form == formPath && isDevice(f.path.first.abs):
		return true
	case f.pseudo == "":
		return f.fog > seen
	}
	return f.pseudo != pseudoRead
}

// readOnlyText reports whether every command of a text only reads.
func readOnlyText(text string) bool {
	if len(text) > MaxCommandBytes || tooDeep(text) || notShell(text) || asShellsRead(text) != text {
		return false
	}
	file, err := parseShell(text)
	if err != nil || len(file.Stmts) == 0 {
		return false
	}
	for _, st := range file.Stmts {
		if !readOnlyStmt(text, st) {
			return false
		}
	}
	return true
}

// readOnlyStmt takes simple commands and lists and pipes of them; nothing is
// redirected, nested, assigned or left behind.
func readOnlyStmt(src string, st *syntax.Stmt) bool {
	if len(st.Redirs) > 0 || st.Negated || outlives(st) {
		return false
	}
	switch c := st.Cmd.(type) {
	case *syntax.CallExpr:
		return len(c.Assigns) == 0 && readOnlyWords(src, c.Args)
	case *syntax.BinaryCmd:
		return c.Op != syntax.PipeAll && readOnlyStmt(src, c.X) && readOnlyStmt(src, c.Y)
	}
	return false
}

func readOnlyWords(src string, args []*syntax.Word) bool {
	ws := make([]word, len(args))
	for i, arg := range args {
		if ws[i] = readWord(src, arg); !ws[i].settled() {
			return false
		}
	}
	if len(ws) > 1 && ws[0].raw == "git" && ws[1].raw == "--no-pager" {
		ws = append(ws[:1], ws[2:]...)
	}
	for n := min(maxCommandName, len(ws)); n > 0; n-- {
		if use, ok := readOnlyUses[joinRaw(ws[:n])]; ok {
			return use.takes(ws[n:])
		}
	}
	return false
}

// settled reports whether it is known of a word that it is no option, or which.
// A glob that begins with a letter finds no file whose name is an option.
func (w word) settled() bool {
	if w.dynamic {
		return false
	}
	return !w.expands || isWordByte(w.raw[0]) || w.raw[0] == '.' || w.raw[0] == '/'
}

// takes reports whether all options are known and the operands are not too many.
func (u *readOnlyUse) takes(args []word) bool {
	if slices.ContainsFunc(args, u.refuses) {
		return false
	}
	operands := 0
	for i := 0; i < len(args); i++ {
		text := args[i].text
		switch {
		case text == "--": // not every program ends its options here
		case len(text) < 2 || text[0] != '-':
			operands++
		default:
			known, next := u.option(text)
			if !known || next && (i+1 == len(args) || strings.HasPrefix(args[i+1].text, "-")) {
				return false // what looks like an option may be one
			}
			if next {
				i++
			}
		}
	}
	return u.operands < 0 || operands <= u.operands
}

// refuses reports whether a word may do harm wherever it stands: one that may
// become several operands where they are counted, one with a refused text, and a
// device, of which nobody knows what reading it does.
func (u *readOnlyUse) refuses(w word) bool {
	return u.operands >= 0 && w.expands || mayBeDevice(w) ||
		slices.ContainsFunc(u.refused, func(s string) bool { return strings.Contains(w.text, s) })
}

// mayBeDevice reports whether a word may name something in /dev or /proc, from
// wherever the path begins. A glob may stand for the name.
func mayBeDevice(w word) bool {
	clean := path.Clean(w.text)
	if isDevice(clean) || strings.Contains(clean, "../dev") || strings.Contains(clean, "../proc") {
		return true
	}
	root, _, _ := strings.Cut(strings.TrimPrefix(clean, "/"), "/")
	return w.expands && (strings.Contains(w.text, "..") || clean[0] == '/' && expands(root))
}

// isDevice reports whether a clean path is what the system shows as files: there
// reading may wait for ever, or do something.
func isDevice(clean string) bool {
	return slices.ContainsFunc([]string{"/dev", "/proc"}, func(dir string) bool {
		_, inside := below(clean, dir)
		return inside
	})
}

// option reports whether an option is known, and whether the next word is its
// value.
func (u *readOnlyUse) option(text string) (known, next bool) {
	name, _, attached := strings.Cut(text, "=")
	if use, ok := u.words[name]; ok {
		return use != valueNever || !attached, use == valueAlways && !attached
	}
	if strings.HasPrefix(text, "--") || u.apart && len(text) > 2 {
		return false, false
	}
	for i := 1; i < len(text); i++ {
		switch {
		case strings.IndexByte(u.valued, text[i]) >= 0:
			return true, i+1 == len(text)
		case strings.IndexByte(u.flags, text[i]) < 0:
			return false, false
		}
	}
	return true, false
}
