package permissions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Which names are the same file, only the host knows: on macOS and Windows .GIT is
// .git, composed and decomposed letters are one, some ignore what is invisible, and
// Windows drops dots and blanks at a name's end and reads name::$DATA as name. Deny
// and ask rules are compared with names folded as well; allow rules never are.

// foldPath folds a path, component by component.
func foldPath(p string) string {
	folded := foldLetters(p)
	if !strings.ContainsAny(folded, ":. ") {
		return folded
	}
	parts := strings.Split(folded, "/")
	for i, part := range parts {
		if at := strings.IndexByte(part, ':'); at > 1 { // one letter is a drive
			part = part[:at]
		}
		if bare := strings.TrimRight(part, ". "); bare != "" {
			parts[i] = bare
		}
	}
	return strings.Join(parts, "/")
}

func foldLetters(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1 // joiners, marks of direction, the byte order mark
		}
		return r
	}, s)
	return norm.NFC.String(cases.Fold().String(s))
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// fold adds the path in folded letters, if they are others.
func (s *pathSubject) fold() {
	folded := pathSubject{cwd: foldPath(s.cwd)}
	changed := folded.cwd != s.cwd
	for r := range s.readings() {
		text := foldPath(r.raw)
		changed = changed || text != r.raw
		folded.add(text)
	}
	if changed {
		folded.first, folded.more = folded.more[0], folded.more[1:]
		s.folded = &folded
	}
}

// matchesFolded compares a path and the patterns where either has another folded
// form.
func (r *rule) matchesFolded(s *pathSubject) bool {
	s, globs := s.orFolded(), r.foldedPaths()
	for i := range globs {
		if globs[i].matchAny(s) {
			return true
		}
	}
	return false
}

// foldPaths keeps the folded patterns, if they are others.
func (r *rule) foldPaths(alts []string) {
	var folds []pathGlob
	changed := false
	for _, alt := range alts {
		folded := foldLetters(alt)
		changed = changed || folded != alt
		folds = append(folds, newPathGlobs(folded)...)
	}
	if changed {
		r.folds = folds
	}
}

func (s *pathSubject) orFolded() *pathSubject {
	if s.folded != nil {
		return s.folded
	}
	return s
}

func (r *rule) foldedPaths() []pathGlob {
	if r.folds != nil {
		return r.folds
	}
	return r.paths
}
