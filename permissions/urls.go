package permissions

import (
	"net/url"
	"strings"
	"unicode"
)

// addURL adds a URL subject. Patterns are text; deny and ask rules also see it
// the way a client would: without white space, credentials and default port,
// scheme and host in lower case. A file: URL is a path that is read
// for them as well.
func (a *Analysis) addURL(raw string, r role) {
	if !a.admit(len(raw)) {
		return
	}
	f := facet{role: r, form: formText, kind: a.kind, exact: raw, texts: []string{raw}}
	trimmed := strings.TrimFunc(raw, notPrinted)
	if u, err := url.Parse(trimmed); err == nil {
		f.texts = append(f.texts, clientURLs(u)...)
	} else {
		f.fog = unknown
	}
	if trimmed != raw {
		f.exact = ""
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

// defaultPorts are left out of URLs by clients.
var defaultPorts = map[string]string{"http": ":80", "https": ":443"}

// clientURLs are the normalised URL, and the same with its path decoded.
func clientURLs(u *url.URL) []string {
	u.Scheme = strings.ToLower(u.Scheme)
	u.User = nil
	host := strings.ToLower(u.Host)
	host = strings.TrimSuffix(host, defaultPorts[u.Scheme])
	u.Host = strings.TrimSuffix(host, ".")
	normal := u.String()
	if decoded, err := url.PathUnescape(normal); err == nil && decoded != normal {
		return []string{normal, decoded}
	}
	return []string{normal}
}
