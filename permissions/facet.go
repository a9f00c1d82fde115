package permissions

import "slices"

// role is which tiers a facet takes part in.
type role byte

const (
	// full: deny, ask, allow, then the mode.
	full role = iota
	// redirect: the same, but only read(…) and write(…) rules, or rules for the
	// whole tool, allow it.
	redirect
	// floor: deny and ask only; it never stands in the way of an allow.
	floor
)

// form is what a facet's subject is.
type form byte

const (
	formNone form = iota
	formPath
	formText
)

// facet is one thing that rules look at: a subject, a part of a command, a
// redirect, a file argument. Every facet of a call is judged, and the strictest
// verdict is the call's.
type facet struct {
	role   role
	form   form
	fog    fog
	kind   Kind   // what the mode decides by
	pseudo string // a path within a command: read or write
	tree   bool   // all below the path is meant too
	url    bool   // texts are a URL's
	path   pathSubject
	texts  []string // deny and ask: one of them is enough
	exact  string   // allow: this one
}

// names are what deny and ask rules know the facet by.
func (a *Analysis) names(f *facet) names {
	return names{tools: a.looseNames, pseudo: a.pseudo, extra: f.pseudo}
}

// matches is the reading of deny and ask rules.
func (f *facet) matches(r *rule, _ string) bool {
	switch {
	case r.total:
		return true
	case f.form == formPath:
		return r.matchesAnyPath(&f.path)
	case f.form == formText:
		return slices.ContainsFunc(f.texts, r.matchesText)
	}
	return false
}

// allows is the reading of allow rules.
func (f *facet) allows(r *rule, name string) bool {
	switch {
	case r.total:
		return true
	case f.fog > seen || f.role == redirect && name != f.pseudo:
		return false
	case f.form == formPath:
		return r.allowsPath(&f.path)
	case f.form == formText:
		return f.exact != "" && (f.url && r.allowsURL(f.exact) || !f.url && r.matchesText(f.exact))
	}
	return false
}

// couldApply reports whether a deny or ask rule might match what the fog hides.
func (f *facet) couldApply(r *rule, name string) bool {
	if f.pseudo != "" && name != f.pseudo && (name != "" || r.total) {
		return false // a rule on commands says nothing about a file within one
	}
	if f.fog == seen {
		return f.tree && r.below(&f.path)
	}
	if f.pseudo != "" {
		return true
	}
	if f.fog >= opaque && (name == pseudoRead || name == pseudoWrite) {
		return true
	}
	return !r.total
}

// below reports whether the rule may be about something inside a directory.
func (r *rule) below(s *pathSubject) bool {
	inside := func(globs []pathGlob, s *pathSubject) bool {
		return slices.ContainsFunc(globs, func(g pathGlob) bool { return g.reaches(s.first.abs, s.cwd) })
	}
	return inside(r.paths, s) || (s.folded != nil || r.folds != nil) && inside(r.foldedPaths(), s.orFolded())
}

// foggyNames are what the rules that could apply are looked up under.
func (a *Analysis) foggyNames(f *facet) []names {
	n := a.names(f)
	if f.form == formText && f.fog >= opaque {
		return []names{n, {pseudo: pseudoRead, extra: pseudoWrite}}
	}
	return []names{n}
}
