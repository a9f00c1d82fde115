package permissions

import (
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"
)

// addURL adds a URL subject. Patterns are text; deny and ask rules also see it
// the way a client would (readURL). Allow rules see it as written, unless a
// client might make something else of it. A file: URL is a path that is read
// for them as well.
func (a *Analysis) addURL(raw string, r role) {
	if !a.admit(len(raw)) {
		return
	}
	trimmed := strings.TrimFunc(raw, notPrinted)
	u := readURL(trimmed)
	f := facet{role: r, form: formText, kind: a.kind, fog: u.fog, url: true, texts: append(u.texts, raw)}
	if trimmed == raw && u.plain {
		f.exact = raw
	}
	a.facets = append(a.facets, f)
	if path, fog := readPath(a.cwd, trimmed); !path.plain() {
		a.facets = append(a.facets, facet{
			role: floor, form: formPath, kind: a.kind, pseudo: pseudoRead, path: path, fog: fog,
		})
	}
	a.subjects = append(a.subjects, subject{keyURL, raw, raw})
}

func notPrinted(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

// defaultPorts are left out of URLs by clients. These schemes always have a
// host, and browsers find one however many slashes there are, of either kind.
var defaultPorts = map[string]string{
	"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21",
}

// urlSubject is a URL as clients may read it.
type urlSubject struct {
	texts []string
	fog   fog
	plain bool // all clients read it as it is written
}

// readURL reads a URL as browsers do, who take more than others.
func readURL(s string) urlSubject {
	before, rest, _ := strings.Cut(s, ":")
	scheme := strings.ToLower(before)
	_, hosted := defaultPorts[scheme]
	switch {
	case hosted:
		text := withHost(scheme, rest)
		u := urlSubject{plain: text[len(scheme):] == s[len(scheme):]}
		if !u.plain {
			u.fog = unknown
		}
		u.parse(text)
		return u
	case len(before) < len(s) && isScheme(scheme) && !startsWithDigit(rest):
		u := urlSubject{plain: true}
		u.parse(s)
		u.within(rest)
		return u
	}
	u := urlSubject{fog: unknown} // a client takes one scheme or the other
	u.parse(withHost("http", s))
	u.parse(withHost("https", s))
	return u
}

// within adds the URL that another one holds: view-source:, jar:, blob: and their
// like are read by fetching what follows.
func (s *urlSubject) within(rest string) {
	scheme, after, ok := strings.Cut(rest, ":")
	scheme = strings.ToLower(scheme[strings.LastIndex(scheme, ":")+1:])
	if _, hosted := defaultPorts[scheme]; ok && hosted {
		s.fog = unknown
		s.parse(withHost(scheme, after))
	}
}

// withHost writes what follows a scheme so that it begins with a host.
func withHost(scheme, rest string) string {
	rest = strings.Map(func(r rune) rune {
		if r == '\t' || r == '\n' || r == '\r' {
			return -1 // browsers drop them
		}
		return r
	}, rest)
	end := strings.IndexAny(rest, "?#")
	if end < 0 {
		end = len(rest)
	}
	slashed := strings.ReplaceAll(rest[:end], `\`, "/")
	return scheme + "://" + strings.TrimLeft(slashed, "/") + rest[end:]
}

// isScheme leaves out what has a dot: that is a host, and a port follows.
func isScheme(s string) bool {
	return s != "" && !startsWithDigit(s) && strings.IndexFunc(s, func(r rune) bool {
		return r > unicode.MaxASCII || !isWordByte(byte(r)) && r != '+' && r != '-'
	}) < 0
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// parse adds the normalised URL, with and without its fragment, and each with
// its escapes decoded.
func (s *urlSubject) parse(text string) {
	u, err := url.Parse(text)
	if err != nil {
		s.fog = unknown
		return
	}
	s.plain = s.plain && u.User == nil && !disguised(u.EscapedPath())
	u.User = nil
	if s.resolve(u); defaultPorts[u.Scheme] != "" || u.Host != "" {
		s.hosts(u)
		return
	}
	s.add(u)
}

// disguised reports whether a path has what some servers take for a separator, an
// end or the directory above, and others do not.
func disguised(escaped string) bool {
	lower := strings.ToLower(escaped)
	return slices.ContainsFunc([]string{"%2f", "%5c", "%00", "%25", "..;", `\`}, func(s string) bool {
		return strings.Contains(lower, s)
	})
}

// hosts adds the URL with each spelling of its host.
func (s *urlSubject) hosts(u *url.URL) {
	names, port, fog := readHost(u)
	s.fog = max(s.fog, fog)
	for _, name := range names {
		u.Host = name + port
		s.add(u)
	}
}

// resolve makes an empty path / and takes back what .. takes back.
func (s *urlSubject) resolve(u *url.URL) {
	if u.Opaque != "" || u.Host == "" {
		return
	}
	before := u.EscapedPath()
	u.RawPath = strings.NewReplacer("%2e", ".", "%2E", ".").Replace(before)
	*u = *(&url.URL{}).ResolveReference(u)
	if u.Path == "" {
		u.Path = "/"
	}
	if after := u.EscapedPath(); after != before && before != "" {
		s.plain = false
	}
}

func (s *urlSubject) add(u *url.URL) {
	texts := []string{u.String()}
	if u.Fragment != "" {
		whole := *u
		whole.Fragment, whole.RawFragment = "", ""
		texts = append(texts, whole.String())
	}
	if clean := path.Clean(strings.ReplaceAll(u.Path, `\`, "/")); u.Host != "" && clean != u.Path {
		served := *u // as a server may that decodes before it takes .. back
		served.Path, served.RawPath = clean, ""
		texts = append(texts, served.String())
	}
	for _, text := range texts {
		s.texts = append(s.texts, text)
		if decoded, err := url.PathUnescape(text); err == nil && decoded != text {
			s.texts = append(s.texts, decoded)
		}
	}
}
