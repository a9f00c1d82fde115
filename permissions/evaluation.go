package permissions

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// evaluation looks at what the shell itself evaluates besides commands. A value
// that is expanded once more, or read as arithmetic, may hold a $(…) that
// nobody sees in the text: `x='a[$(rm y)]'; echo $((x))` runs rm. What sets a
// variable is a part of its own, for it may change what the next command does.
func (s *shellScan) evaluation(n syntax.Node) {
	switch n := n.(type) {
	case *syntax.ForClause:
		s.loop(n)
	case *syntax.CoprocClause:
		s.coprocess(n)
	case *syntax.ParamExp:
		s.parameter(n)
	case *syntax.Assign:
		s.assign(n)
	case *syntax.ArrayElem:
		s.arithmetic(n, n.Index)
	case *syntax.ArithmExp:
		s.arithmetic(n, n.X)
	case *syntax.ArithmCmd:
		s.arithmetic(n, n.X)
	case *syntax.CStyleLoop:
		s.arithmetic(n, n.Init, n.Cond, n.Post)
	case *syntax.LetClause:
		s.arithmetic(n, n.Exprs...)
	case *syntax.UnaryTest:
		s.unaryTest(n)
	case *syntax.BinaryTest:
		s.binaryTest(n)
	case *syntax.DeclClause:
		s.declaration(n)
	}
}

// aside adds a part that no narrower allow rule matches.
func (s *shellScan) aside(n syntax.Node) {
	raw := strings.TrimSpace(slice(s.src, n))
	s.part(raw, facet{texts: []string{raw}})
}

// evaluated adds a part that may run what can't be seen.
func (s *shellScan) evaluated(n syntax.Node) {
	raw := strings.TrimSpace(slice(s.src, n))
	s.part(raw, facet{texts: []string{raw}, fog: opaque})
}

// coprocess: what the parser takes for a name is a command to bash, unless a
// compound command follows.
func (s *shellScan) coprocess(n *syntax.CoprocClause) {
	s.aside(n)
	if n.Name == nil {
		return
	}
	rest := word{raw: slice(s.src, n.Stmt), text: slice(s.src, n.Stmt)}
	cmd := &command{scan: s}
	cmd.judge([]word{readWord(s.src, n.Name), rest})
	s.part(slice(s.src, n.Name), facet{texts: cmd.texts, fog: cmd.fog})
}

// loop: for and select assign to a variable.
func (s *shellScan) loop(f *syntax.ForClause) {
	iter, ok := f.Loop.(*syntax.WordIter)
	if !ok {
		return
	}
	raw := strings.TrimSpace(between(s.src, f.Pos(), iter.End()))
	part := facet{texts: []string{raw}}
	if steers(iter.Name.Value) {
		part.fog = opaque
	}
	s.part(raw, part)
}

// parameter: an expansion may set a variable, or evaluate a value once more.
func (s *shellScan) parameter(p *syntax.ParamExp) {
	switch {
	case p.Excl && p.Names == 0, p.Slice != nil && !constant(p.Slice.Offset, p.Slice.Length),
		p.Index != nil && !allElements(p.Index) && !constant(p.Index):
		s.evaluated(p)
	case p.Exp == nil:
	case p.Exp.Op == syntax.OtherParamOps:
		s.evaluated(p)
	case p.Exp.Op == syntax.AssignUnset, p.Exp.Op == syntax.AssignUnsetOrNull:
		if p.Param != nil && steers(p.Param.Value) {
			s.evaluated(p)
			return
		}
		s.aside(p)
	}
}

// allElements reports whether a subscript is @ or *, which evaluates nothing.
func allElements(x syntax.ArithmExpr) bool {
	w, ok := x.(*syntax.Word)
	return ok && (w.Lit() == "@" || w.Lit() == "*")
}

// assign: a subscript is arithmetic, and some variables say what runs.
func (s *shellScan) assign(a *syntax.Assign) {
	if a.Name != nil && !a.Naked && steers(a.Name.Value) {
		s.evaluated(a)
		return
	}
	s.arithmetic(a, a.Index)
}

// arithmetic makes opaque what evaluates anything but numbers: the value of a
// name is an expression again.
func (s *shellScan) arithmetic(n syntax.Node, xs ...syntax.ArithmExpr) {
	if !constant(xs...) {
		s.evaluated(n)
	}
}

// constant reports whether expressions hold nothing but numbers.
func constant(xs ...syntax.ArithmExpr) bool {
	for _, x := range xs {
		if x == nil {
			continue
		}
		only := true
		syntax.Walk(x, func(n syntax.Node) bool {
			if w, ok := n.(*syntax.Word); ok {
				only = only && numeric(w)
				return false
			}
			_, bare := n.(*syntax.ParamExp) // a[…] without a dollar
			only = only && !bare
			return only
		})
		if !only {
			return false
		}
	}
	return true
}

// numeric reports whether a word is a number, or a parameter that always is one.
func numeric(w *syntax.Word) bool {
	if len(w.Parts) != 1 {
		return false
	}
	switch p := w.Parts[0].(type) {
	case *syntax.Lit:
		return strings.Trim(p.Value, "0123456789") == ""
	case *syntax.ParamExp:
		counts := p.Param != nil && (p.Length || p.Param.Value == "#" || p.Param.Value == "?")
		return counts && p.Index == nil && p.Exp == nil && p.Slice == nil && p.Repl == nil && !p.Excl
	}
	return false
}

// unaryTest: -v and -R evaluate the subscript of the name that they are given.
func (s *shellScan) unaryTest(t *syntax.UnaryTest) {
	if t.Op != syntax.TsVarSet && t.Op != syntax.TsRefVar {
		return
	}
	if w, ok := t.X.(*syntax.Word); !ok || subscripted(readWord(s.src, w)) {
		s.evaluated(t)
	}
}

// binaryTest: [[ compares numbers as arithmetic.
func (s *shellScan) binaryTest(t *syntax.BinaryTest) {
	switch t.Op {
	case syntax.TsBefore, syntax.TsAfter:
		s.compared(t)
		return
	case syntax.TsEql, syntax.TsNeq, syntax.TsLeq, syntax.TsGeq, syntax.TsLss, syntax.TsGtr:
	default:
		return
	}
	x, left := t.X.(*syntax.Word)
	y, right := t.Y.(*syntax.Word)
	if !left || !right || !numeric(x) || !numeric(y) {
		s.evaluated(t)
	}
}

// compared: [[ a > b ]] compares texts, but to a shell without [[ it is a command
// whose output goes to b.
func (s *shellScan) compared(t *syntax.BinaryTest) {
	w, ok := t.Y.(*syntax.Word)
	switch {
	case ok && t.Op == syntax.TsAfter:
		s.file(readWord(s.src, w), facet{role: floor, pseudo: pseudoWrite, kind: KindEdit})
	case ok:
		s.file(readWord(s.src, w), facet{role: floor, pseudo: pseudoRead, kind: KindRead})
	}
}

// declaration: what is declared by a word may have a subscript, and -i and -n
// make values arithmetic and names.
func (s *shellScan) declaration(d *syntax.DeclClause) {
	for _, a := range d.Args {
		if !a.Naked || a.Value == nil {
			continue
		}
		w := readWord(s.src, a.Value)
		if subscripted(w) || strings.HasPrefix(w.text, "-") && strings.ContainsAny(w.text, "in") {
			s.evaluated(d)
			return
		}
		if name, _, ok := strings.Cut(w.text, "="); ok && steers(name) {
			s.evaluated(d)
			return
		}
	}
}

// subscripted reports whether a word as a variable's name may have a subscript.
func subscripted(w word) bool { return w.dynamic || strings.Contains(w.text, "[") }
