package permissions

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/syntax"
)

// word is one word of a command.
type word struct {
	raw     string // as written
	text    string // unquoted; what is dynamic stays as written
	dynamic bool   // only the shell knows what it becomes
	expands bool   // a glob or braces: it may become other words
}

// readWord reads a parsed word; src is the text that it was parsed from.
func readWord(src string, w *syntax.Word) word {
	out := word{raw: slice(src, w)}
	var text strings.Builder
	for _, part := range w.Parts {
		out.readPart(&text, part)
	}
	out.text = text.String()
	if out.dynamic {
		out.text = out.raw
	}
	return out
}

func (w *word) readPart(text *strings.Builder, part syntax.WordPart) {
	switch p := part.(type) {
	case *syntax.Lit:
		w.expands = w.expands || expands(p.Value)
		unescape(text, p.Value, "")
	case *syntax.SglQuoted:
		w.readSingle(text, p)
	case *syntax.DblQuoted:
		for _, inner := range p.Parts {
			w.readDouble(text, inner)
		}
	default:
		w.dynamic = true
	}
}

func (w *word) readDouble(text *strings.Builder, part syntax.WordPart) {
	lit, ok := part.(*syntax.Lit)
	if !ok {
		w.dynamic = true
		return
	}
	unescape(text, lit.Value, "\"\\$`")
}

// readSingle takes quoted text as it is, and decodes $'…'.
func (w *word) readSingle(text *strings.Builder, q *syntax.SglQuoted) {
	value := q.Value
	if q.Dollar {
		decoded, _, err := expand.Format(noEnv, value, nil)
		if err != nil {
			w.dynamic = true
		}
		value, _, _ = strings.Cut(decoded, "\x00") // where a shell ends it
	}
	text.WriteString(value)
}

// noEnv makes decoding independent of the process.
var noEnv = &expand.Config{Env: expand.FuncEnviron(func(string) string { return "" })}

// unescape writes a literal without its backslashes: all of them, or those
// before one of the special characters. An escaped line end is nothing.
func unescape(text *strings.Builder, lit, special string) {
	for i := 0; i < len(lit); i++ {
		c := lit[i]
		if c != '\\' || i+1 == len(lit) {
			text.WriteByte(c)
			continue
		}
		i++
		switch next := lit[i]; {
		case next == '\n':
		case special == "" || strings.IndexByte(special, next) >= 0:
			text.WriteByte(next)
		default:
			text.WriteString(lit[i-1 : i+1])
		}
	}
}

// expands reports whether an unquoted literal has a glob or braces. Braces may
// go on in the word's next part, so any but find's {} count.
func expands(lit string) bool {
	for i := 0; i < len(lit); i++ {
		switch lit[i] {
		case '\\':
			i++
		case '*', '?', '[':
			return true
		case '{':
			return !strings.HasPrefix(lit[i:], "{}")
		}
	}
	return false
}

// slice is the source text of a node.
func slice(src string, n syntax.Node) string { return between(src, n.Pos(), n.End()) }

func between(src string, start, end syntax.Pos) string {
	from, to := int(start.Offset()), int(end.Offset())
	if from > to || to > len(src) {
		return ""
	}
	return src[from:to]
}

// base is the name of the program that a word names, as it is known here: where
// file names have no case RM is rm, on Windows rm.exe is, and zsh takes =rm for
// the path of rm.
func (w word) base() string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimPrefix(w.file(), "=")), ".exe")
}

// file is the last part of the path that a word is.
func (w word) file() string {
	if strings.HasSuffix(w.text, "/") {
		return w.text
	}
	return path.Base(w.text)
}

// unclear reports whether a word as the command's name may become anything.
func (w word) unclear() bool { return w.dynamic || w.expands && w.raw != "[" }

// joinRaw joins words as they are written, one space apart.
func joinRaw(ws []word) string {
	parts := make([]string, len(ws))
	for i, w := range ws {
		parts[i] = w.raw
	}
	return strings.Join(parts, " ")
}

// joinText joins the unquoted words, the first under another name.
func joinText(name string, ws []word) string {
	parts := make([]string, len(ws))
	parts[0] = name
	for i := 1; i < len(ws); i++ {
		parts[i] = ws[i].text
	}
	return strings.Join(parts, " ")
}
