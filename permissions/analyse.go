package permissions

import "strings"

// Analysis is everything about a call that rules look at, read once. It is
// immutable and may be judged against any number of policies.
type Analysis struct {
	name        [1]string // where looseNames begins
	looseNames  []string  // deny and ask rules know the tool by these
	strictNames []string  // allow rules by this
	pseudo      string
	kind        Kind
	runs        bool // what it is about may be a command
	gateway     bool
	cwd         string
	facets      []facet
	used        int  // bytes of paths and URLs
	full        bool // beyond a limit on subjects

	arguments string
	subjects  []subject
	vague     bool // the subjects do not say what the call is about
	parts     []string
}

// Analyse reads a call. It never fails: what can't be read is an unknown
// subject, which no narrower allow rule matches. Its cost is bounded by the
// length of the arguments.
func Analyse(r Request) *Analysis {
	a := &Analysis{
		kind: r.Tool.Kind, gateway: r.Tool.Gateway, cwd: absoluteCwd(r.Cwd),
		arguments: r.Arguments,
	}
	if r.Tool.ReadOnly {
		a.kind = KindRead
	}
	a.runs = a.kind == KindExecute || r.Tool.Subjects != nil && len(r.Tool.Subjects.Command) > 0
	a.setNames(r.Tool)
	if a.gateway {
		a.vague = true
		return a
	}
	args, err := parseJSON(r.Arguments)
	if err != nil || args.kind != jsonObject {
		a.unknown(unknown)
		return a
	}
	a.read(findSubjects(&args, r.Tool.Subjects))
	return a
}

func (a *Analysis) setNames(t Tool) {
	a.pseudo = PseudoTool(a.kind)
	a.name[0] = t.Name
	a.looseNames = append(a.name[:], t.Aliases...)
	if !IsPseudoTool(t.Name) || t.Name == a.pseudo {
		a.strictNames = a.looseNames[:1]
	}
}

// read makes facets of the subjects.
func (a *Analysis) read(f found) {
	full, ok := f.sort(a.kind)
	a.addPaths(f.values[subjectPath], a.roleOf(full[subjectPath]))
	for _, c := range f.values[subjectCommand] {
		a.addCommand(c, a.roleOf(full[subjectCommand]), a.moved(f.values[subjectPath]))
	}
	for _, u := range f.values[subjectURL] {
		a.addURL(u, a.roleOf(full[subjectURL]))
	}
	switch {
	case f.missing, a.full:
		a.unknown(a.limitFog())
	case !ok:
		a.noSubject()
	}
}

func (a *Analysis) roleOf(isFull bool) role {
	if isFull {
		return full
	}
	return floor
}

func (a *Analysis) limitFog() fog {
	if a.full {
		return overflow
	}
	return unknown
}

// noSubject: a search is on the working directory, thinking is about nothing;
// whatever else might be about anything.
func (a *Analysis) noSubject() {
	switch a.kind {
	case KindSearch:
		a.addPath(a.cwd, full)
	case KindThink:
		a.facets = append(a.facets, facet{kind: a.kind})
		a.vague = true
	case KindRead, KindEdit, KindDelete, KindMove, KindExecute, KindFetch, KindSwitchMode, KindOther:
		a.unknown(unknown)
	default:
		a.unknown(unknown)
	}
}

// unknown adds what can't be seen. A command that can't be read may read and
// write anything.
func (a *Analysis) unknown(f fog) {
	a.vague = true
	hidden := facet{kind: a.kind, fog: f}
	if a.runs {
		hidden.form, hidden.fog = formText, max(f, opaque)
	}
	a.facets = append(a.facets, hidden)
}

// addPaths adds path subjects. What is moved into a directory keeps its name
// there, so that path is a subject too.
func (a *Analysis) addPaths(paths []string, r role) {
	for _, p := range paths {
		if !a.admit(len(p)) {
			return
		}
		a.addPath(p, r)
	}
	if a.kind != KindMove || len(paths) < 2 {
		return
	}
	target := paths[len(paths)-1]
	for _, p := range paths[:len(paths)-1] {
		if moved := into(target, p); a.admit(len(moved)) {
			a.addFacet(moved, facet{role: floor, kind: a.kind})
		}
	}
}

func (a *Analysis) addPath(p string, r role) {
	if p == "" && a.kind == KindSearch {
		p = a.cwd
	}
	tree := a.kind == KindDelete || a.kind == KindMove
	f := a.addFacet(p, facet{role: r, kind: a.kind, tree: tree})
	a.subjects = append(a.subjects, subject{keyPath, p, f.path.first.abs})
	if !f.path.plain() || f.fog > seen {
		a.vague = true
	}
}

// addFacet completes a facet with its path.
func (a *Analysis) addFacet(p string, f facet) *facet {
	path, fog := readPath(a.cwd, p)
	f.form, f.path, f.fog = formPath, path, max(f.fog, fog)
	a.facets = append(a.facets, f)
	return &a.facets[len(a.facets)-1]
}

// admit counts a subject; beyond the limits the whole call is an overflow.
func (a *Analysis) admit(n int) bool {
	a.used += n
	a.full = a.full || a.used > MaxSubjectBytes || len(a.facets) >= MaxSubjects
	return !a.full
}

// moved reports whether a command runs elsewhere than in the session's
// directory.
func (a *Analysis) moved(paths []string) bool {
	if a.kind != KindExecute {
		return false
	}
	for _, p := range paths {
		if normalise(a.cwd, p) != a.cwd {
			return true
		}
	}
	return false
}

// Subject is what a person is shown: the paths, commands and URLs that the call
// is about, one a line; empty where none is known.
func (a *Analysis) Subject() string {
	shown := make([]string, len(a.subjects))
	for i, s := range a.subjects {
		shown[i] = s.text
	}
	return strings.Join(shown, "\n")
}

// Parts are the commands that a shell text consists of, for display.
func (a *Analysis) Parts() []string { return a.parts }
