package permissions

import (
	"slices"
	"strings"
)

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
	missing bool               // something stands there in which no text is found
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
	var few [usualDepth]string // pointers are short: their tokens need no memory
	for _, p := range pointers {
		f.follow(args, k, appendTokens(few[:0], p), false)
	}
}

// appendTokens adds a pointer's tokens, with RFC 6901's escapes undone in its
// order. A token that is `*` is every element.
func appendTokens(tokens []string, pointer string) []string {
	if pointer == "" {
		return tokens
	}
	for t := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		tokens = append(tokens, strings.ReplaceAll(strings.ReplaceAll(t, "~1", "/"), "~0", "~"))
	}
	return tokens
}

// follow collects the texts that a pointer leads to. An argument that is wholly
// absent was left out; within one that exists a text has to be found, for a
// misspelled key must not hide what the call is about.
func (f *found) follow(v *jsonValue, k subjectKind, tokens []string, within bool) {
	switch {
	case v.kind == jsonNull && !within:
	case len(tokens) == 0:
		f.collect(v, k)
	case v.kind != jsonArray && v.kind != jsonObject:
		f.missing = true
	case tokens[0] == "*":
		f.followAll(v, k, tokens[1:])
	default:
		f.followOne(v, k, tokens, within)
	}
}

func (f *found) followAll(v *jsonValue, k subjectKind, rest []string) {
	for i := range v.elems {
		f.follow(&v.elems[i], k, rest, true)
	}
	for i := range v.members {
		f.follow(&v.members[i].value, k, rest, true)
	}
}

func (f *found) followOne(v *jsonValue, k subjectKind, tokens []string, within bool) {
	child, ok := v.child(tokens[0])
	if v.resembles(tokens[0]) || !ok && within {
		f.missing = true
	}
	if ok {
		exists := len(tokens) > 1 && child.kind != jsonNull
		f.follow(child, k, tokens[1:], within || exists)
	}
}

// resembles reports whether a key differs from the token by case alone: a host
// whose decoder is lax would take that one.
func (v *jsonValue) resembles(token string) bool {
	return slices.ContainsFunc(v.members, func(m jsonMember) bool {
		return m.key != token && strings.EqualFold(m.key, token)
	})
}

// collect takes a text.
func (f *found) collect(v *jsonValue, k subjectKind) {
	if v.kind == jsonString {
		f.values[k] = append(f.values[k], v.text)
		return
	}
	f.missing = true
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
