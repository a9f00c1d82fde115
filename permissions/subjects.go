package permissions

import "strings"

// usual are the argument names that are tried where a tool declares none.
var usual = Subjects{
	Path: []string{
		"/file_path", "/path", "/absolute_path", "/notebook_path", "/directory", "/dir_path",
	},
	Command: []string{"/command", "/cmd"},
	URL:     []string{"/url"},
}

// subjectKind is one of the three kinds of subject.
type subjectKind byte

const (
	subjectPath subjectKind = iota
	subjectCommand
	subjectURL
	subjectKinds
)

// found is what a call's arguments hold, by kind.
type found struct {
	values  [subjectKinds][]string
	asked   [subjectKinds]bool // pointers to this kind of subject exist
	missing bool               // something stands there that is no text
}

func (s *Subjects) none() bool {
	return s == nil || len(s.Path)+len(s.Command)+len(s.URL) == 0
}

// findSubjects reads the declared subjects, else the usual ones.
func findSubjects(args *jsonValue, declared *Subjects) found {
	s := declared
	if declared.none() {
		s = &usual
	}
	var f found
	f.read(args, subjectPath, s.Path)
	f.read(args, subjectCommand, s.Command)
	f.read(args, subjectURL, s.URL)
	return f
}

func (f *found) read(args *jsonValue, k subjectKind, pointers []string) {
	f.asked[k] = len(pointers) > 0
	for _, p := range pointers {
		before := len(f.values[k])
		missed := f.follow(args, k, p)
		// A pointer that finds nothing is an argument that was left out; one
		// that finds some elements' and not others' hides the rest.
		if missed && len(f.values[k]) > before {
			f.missing = true
		}
	}
}

// unescapeToken undoes RFC 6901's escapes, in its order.
func unescapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// follow collects the texts that a pointer leads to, `*` being every element.
// It reports whether somewhere it led to nothing.
func (f *found) follow(v *jsonValue, k subjectKind, pointer string) bool {
	if pointer == "" {
		return f.collect(v, k)
	}
	token, rest, more := strings.Cut(strings.TrimPrefix(pointer, "/"), "/")
	if more {
		rest = "/" + rest
	}
	if token == "*" {
		return f.followAll(v, k, rest)
	}
	child, ok := v.child(unescapeToken(token))
	if !ok {
		return true
	}
	return f.follow(child, k, rest)
}

func (f *found) followAll(v *jsonValue, k subjectKind, rest string) bool {
	missed := len(v.elems)+len(v.members) == 0
	for i := range v.elems {
		missed = f.follow(&v.elems[i], k, rest) || missed
	}
	for i := range v.members {
		missed = f.follow(&v.members[i].value, k, rest) || missed
	}
	return missed
}

// collect takes a text; null is an argument that was left out.
func (f *found) collect(v *jsonValue, k subjectKind) bool {
	switch v.kind {
	case jsonNull:
		return true
	case jsonString:
		f.values[k] = append(f.values[k], v.text)
	case jsonBool, jsonNumber, jsonArray, jsonObject:
		f.missing = true
	}
	return false
}

// child is the member of an object or the element of an array.
func (v *jsonValue) child(token string) (*jsonValue, bool) {
	if v.kind != jsonArray {
		return v.member(token)
	}
	for i := range v.elems {
		if index(i) == token {
			return &v.elems[i], true
		}
	}
	return nil, false
}

// own are the kinds of subject that a tool's kind is about.
func (k Kind) own() [subjectKinds]bool {
	switch k {
	case KindExecute:
		return [subjectKinds]bool{subjectCommand: true}
	case KindFetch:
		return [subjectKinds]bool{subjectURL: true}
	case KindRead, KindSearch, KindEdit, KindDelete, KindMove:
		return [subjectKinds]bool{subjectPath: true, subjectURL: true}
	case KindThink, KindSwitchMode, KindOther:
	}
	return [subjectKinds]bool{true, true, true}
}

// sort decides which subjects count in every tier, and whether what the tool's
// kind is about was found among them. The others count in deny and ask only:
// the `directory` of a shell tool must not make its allow rules useless, and
// the `command` of an edit tool is not what it edits.
func (f *found) sort(k Kind) (full [subjectKinds]bool, ok bool) {
	own := k.own()
	if !overlap(own, f.asked) {
		own = KindOther.own() // declared otherwise: whatever is found counts
	}
	for i := range own {
		ok = ok || own[i] && len(f.values[i]) > 0
	}
	return own, ok
}

func overlap(a, b [subjectKinds]bool) bool {
	for i := range a {
		if a[i] && b[i] {
			return true
		}
	}
	return false
}
