package permissions

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// shellScan makes facets of one command text and of the texts within it.
type shellScan struct {
	a     *Analysis
	src   string // the text that is being read
	role  role   // floor within nested texts
	depth int
	count int  // parts, nested ones included
	moved bool // a part changes the directory
	over  bool // beyond a limit
}

// addCommand adds a command subject: its parts, their redirects and files.
// moved says that it does not start in the session's directory.
func (a *Analysis) addCommand(text string, r role, moved bool) {
	if !a.admit(0) {
		return
	}
	from := len(a.facets)
	s := &shellScan{a: a, role: r, moved: moved}
	f := s.read(text)
	// Rules on the whole text, and what is known of it when it can't be read.
	whole := facet{role: r, form: formText, kind: a.kind, fog: f, texts: []string{text}}
	switch {
	case s.over:
		whole.fog = overflow
	case f == seen && s.count == 0:
		whole.fog = unknown // a comment, or something that is no part
	}
	if whole.fog == seen {
		whole.role = floor
	}
	a.facets = append(a.facets, whole)
	if s.moved {
		a.hideRelative(from)
	}
	a.subjects = append(a.subjects, subject{keyCommand, text, text})
}

// hideRelative makes relative paths unknown: the directory was changed.
func (a *Analysis) hideRelative(from int) {
	for i := from; i < len(a.facets); i++ {
		f := &a.facets[i]
		if f.form == formPath && f.path.relative() {
			f.fog = max(f.fog, unknown)
		}
	}
}

// read parses a text behind the guard and reads all of its statements.
func (s *shellScan) read(text string) fog {
	if len(text) > MaxCommandBytes || tooDeep(text) {
		return overflow
	}
	if notShell(text) {
		return unparsed
	}
	if other := asShellsRead(text); other != text {
		s.parse(other)
		return max(opaque, s.parse(text))
	}
	return s.parse(text)
}

// parse reads the statements of a text within the limits.
func (s *shellScan) parse(text string) fog {
	file, err := parseShell(text)
	if err != nil {
		return unparsed
	}
	defer func(src string) { s.src = src }(s.src)
	s.src = text
	syntax.Walk(file, s.visit)
	return seen
}

// parseShell never panics: a fault of the parser is a text that can't be read.
func parseShell(text string) (file *syntax.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("parse shell command: %v", r)
		}
	}()
	parser := syntax.NewParser(syntax.Variant(syntax.LangBash))
	return parser.Parse(strings.NewReader(text), "")
}

// visit reads statements wherever they stand: lists, blocks, loops, functions,
// substitutions, here-documents.
func (s *shellScan) visit(n syntax.Node) bool {
	st, ok := n.(*syntax.Stmt)
	if !ok {
		s.evaluation(n)
		return !s.over
	}
	for _, r := range st.Redirs {
		s.redirect(r)
	}
	switch cmd := st.Cmd.(type) {
	case *syntax.CallExpr:
		s.call(st, cmd)
	case nil:
		s.verbatim(st)
	case *syntax.DeclClause, *syntax.LetClause, *syntax.ArithmCmd, *syntax.TestClause:
		s.verbatim(cmd)
	}
	if _, simple := st.Cmd.(*syntax.CallExpr); !simple && outlives(st) {
		s.aside(st)
	}
	return !s.over
}

// part counts a part and adds its facet.
func (s *shellScan) part(raw string, f facet) {
	if s.count++; s.count > MaxParts || !s.a.admit(0) {
		s.over = true
		return
	}
	f.role, f.form, f.kind = s.role, formText, s.a.kind
	s.a.facets = append(s.a.facets, f)
	if n := len(s.a.parts); s.depth == 0 && (n == 0 || f.exact != "" || s.a.parts[n-1] != raw) {
		s.a.parts = append(s.a.parts, raw)
	}
}

// verbatim adds a part that rules see as it is written.
func (s *shellScan) verbatim(n syntax.Node) {
	raw := strings.TrimSpace(slice(s.src, n))
	s.part(raw, facet{exact: raw, texts: []string{raw}})
}

// call adds a simple command.
func (s *shellScan) call(st *syntax.Stmt, c *syntax.CallExpr) {
	ws := make([]word, 0, len(c.Assigns)+len(c.Args))
	for _, as := range c.Assigns {
		ws = append(ws, word{raw: slice(s.src, as)})
	}
	for _, w := range c.Args {
		ws = append(ws, readWord(s.src, w))
	}
	raw := joinRaw(ws)
	cmd := &command{scan: s, stdin: st.Redirs, texts: []string{raw}}
	cmd.judge(ws[len(c.Assigns):])
	f := facet{exact: raw, texts: cmd.texts, fog: cmd.fog}
	if outlives(st) {
		f.exact = "" // not the command as it is written
	}
	s.part(raw, f)
}

// outlives reports whether a statement may go on when the call has ended.
func outlives(st *syntax.Stmt) bool { return st.Background || st.Coprocess || st.Disown }

// redirect adds what a redirection reads or writes.
func (s *shellScan) redirect(r *syntax.Redirect) {
	w := readWord(s.src, r.Word)
	if strings.HasPrefix(w.raw, "!") {
		w = forced(w)
	}
	switch r.Op {
	case syntax.RdrIn:
		s.redirectTo(pseudoRead, KindRead, w)
	case syntax.RdrInOut:
		s.redirectTo(pseudoRead, KindRead, w)
		s.redirectTo(pseudoWrite, KindEdit, w)
	case syntax.DplIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
	case syntax.DplOut:
		if w.dynamic || strings.Trim(w.text, "0123456789-") != "" {
			s.redirectTo(pseudoWrite, KindEdit, w)
		}
	default:
		s.redirectTo(pseudoWrite, KindEdit, w)
	}
}

// forced: to zsh >! is >|, and the file is what follows, or the next word.
func forced(w word) word {
	w.text, w.expands = strings.TrimPrefix(w.text, "!"), true
	return w
}

// isSocket: these are no files, a shell connects to what they name.
func isSocket(p string) bool {
	return strings.HasPrefix(p, "/dev/tcp/") || strings.HasPrefix(p, "/dev/udp/")
}

func (s *shellScan) redirectTo(pseudo string, k Kind, w word) {
	if isSocket(w.text) {
		s.a.facets = append(s.a.facets, facet{
			role: s.role, kind: KindFetch, pseudo: pseudoFetch, fog: unknown,
		})
	}
	f := facet{role: redirect, kind: k, pseudo: pseudo}
	if s.role == floor || w.text == "/dev/null" {
		f.role = floor // writing there changes nothing: no allow rule is needed
	}
	s.file(w, f)
}

// file adds a facet for a file that a word names.
func (s *shellScan) file(w word, f facet) {
	switch {
	case !s.a.admit(len(w.text)):
		s.over = true
		return
	case w.dynamic:
		f.form, f.fog = formNone, unknown
		s.a.facets = append(s.a.facets, f)
		return
	case w.expands:
		f.fog = unknown
	}
	s.a.addFacet(w.text, f)
}
