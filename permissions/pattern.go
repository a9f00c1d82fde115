package permissions

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

// rule is one compiled pattern.
type rule struct {
	order   int // its place in its list
	pattern string
	source  Source
	tools   []string // alternatives of the tool glob
	total   bool     // matches every call of its tools
	texts   []textGlob
	paths   []pathGlob
	folds   []pathGlob // paths in folded letters; nil: the same
	urls    []urlGlob  // of the texts, those that name a host
	loose   []textGlob // and those that don't
	bytes   int        // of all alternatives
}

// parsePattern compiles a pattern; the second result is a problem or empty.
func parsePattern(pattern string) (*rule, string) {
	if problem := checkText(pattern); problem != "" {
		return nil, problem
	}
	tool, subject, problem := splitPattern(pattern)
	if problem != "" {
		return nil, problem
	}
	r := &rule{pattern: pattern}
	if problem := r.setTools(tool); problem != "" {
		return nil, problem
	}
	return r, r.setSubject(subject)
}

func checkText(pattern string) string {
	switch {
	case pattern == "":
		return "the pattern is empty"
	case len(pattern) > MaxPatternBytes:
		return "longer than 512 bytes"
	case !utf8.ValidString(pattern):
		return "invalid UTF-8"
	case strings.ContainsFunc(pattern, unicode.IsControl):
		return "control character in the pattern"
	}
	return ""
}

// splitPattern takes tool(subject) apart; a bare tool has the subject `*`.
func splitPattern(pattern string) (tool, subject, problem string) {
	tool, _, narrowed := strings.Cut(pattern, "(")
	open := len(tool)
	switch end := closing(pattern[open:]); {
	case strings.Contains(tool, ")"):
		return "", "", "')' without '('"
	case !narrowed:
		return tool, "*", ""
	case end < 0:
		return "", "", "'(' without ')' (write \\( for the character)"
	case open+end != len(pattern)-1:
		return "", "", "text after the closing ')' (write \\) for the character)"
	case end == 1:
		return "", "", "the subject is empty (write tool or tool(*) for every call)"
	default:
		return tool, pattern[open+1 : open+end], ""
	}
}

// closing is the index of the parenthesis that closes the first one, or -1.
func closing(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (r *rule) setTools(tool string) string {
	if tool == "" {
		return "the tool name is missing"
	}
	if strings.ContainsFunc(tool, unicode.IsSpace) {
		return "white space in the tool name"
	}
	var problem string
	r.tools, problem = r.alternatives(tool)
	for _, alt := range r.tools {
		if alt == "" || !doublestar.ValidatePattern(alt) {
			return "malformed tool name"
		}
	}
	return problem
}

func (r *rule) setSubject(subject string) string {
	if strings.TrimSpace(subject) != subject {
		return "white space around the subject"
	}
	alts, problem := r.alternatives(subject)
	if problem != "" {
		return problem
	}
	for _, alt := range alts {
		if alt == "" || !doublestar.ValidatePattern(alt) {
			return "malformed subject (write \\[ for the character)"
		}
		r.total = r.total || strings.Trim(alt, "*") == ""
		text := newTextGlob(alt)
		r.texts = append(r.texts, text)
		if u, ok := newURLGlob(alt); ok {
			r.urls = append(r.urls, u)
		} else {
			r.loose = append(r.loose, text)
		}
		r.paths = append(r.paths, newPathGlobs(alt)...)
	}
	r.foldPaths(alts)
	return ""
}

// alternatives expands braces, if there are not too many.
func (r *rule) alternatives(s string) ([]string, string) {
	seq, problem := parseBraces(s)
	if problem != "" {
		return nil, problem
	}
	if seq.count() > MaxAlternatives {
		return nil, "the braces expand to more than 64 alternatives"
	}
	alts := seq.expand()
	for _, alt := range alts {
		r.bytes += len(alt)
	}
	return alts, ""
}

// matchesTool reports whether a tool alternative, as a glob, matches a name. A
// star matches any text here: names are not paths.
func matchesTool(glob, name string) bool {
	if strings.Contains(name, "/") {
		name = strings.ReplaceAll(name, "/", "\x00")
		glob = strings.ReplaceAll(glob, "/", "\x00")
	}
	return doublestar.MatchUnvalidated(glob, name)
}

func (r *rule) matchesText(text string) bool {
	for i := range r.texts {
		if r.texts[i].match(text) {
			return true
		}
	}
	return false
}

func (r *rule) matchesAnyPath(s *pathSubject) bool {
	for i := range r.paths {
		if r.paths[i].matchAny(s) {
			return true
		}
	}
	return (s.folded != nil || r.folds != nil) && r.matchesFolded(s)
}

// allowsPath reports whether one alternative matches every reading.
func (r *rule) allowsPath(s *pathSubject) bool {
	for i := range r.paths {
		if r.paths[i].matchAll(s) {
			return true
		}
	}
	return false
}
