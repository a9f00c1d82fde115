package permissions

import "strings"

// urlGlob is a pattern for allow rules on URLs that names a host: scheme, host and
// what follows are compared apart, so that a star in the one reaches into none of
// the others. `https://*.good.example/a/*` is neither
// `https://evil.example/?.good.example/a/` nor `https://x.good.example/b/.good.example/a/`.
type urlGlob struct {
	scheme, host, rest textGlob
	open               bool // no path is named: the host's last star goes on
}

// newURLGlob reads one alternative; without :// it names no host.
func newURLGlob(alt string) (urlGlob, bool) {
	scheme, after, ok := strings.Cut(alt, "://")
	if !ok {
		return urlGlob{}, false
	}
	host, rest := splitHost(after)
	return urlGlob{
		scheme: newTextGlob(scheme), host: newTextGlob(host), rest: newTextGlob(rest),
		open: rest == "" && strings.HasSuffix(host, "*"),
	}, true
}

// splitHost cuts where a host ends.
func splitHost(s string) (host, rest string) {
	if i := strings.IndexAny(s, "/?#"); i >= 0 {
		return s[:i], s[i:]
	}
	return s, ""
}

func (g *urlGlob) match(url string) bool {
	scheme, after, _ := strings.Cut(url, "://")
	host, rest := splitHost(after)
	return g.scheme.match(scheme) && g.host.match(host) && (g.open || g.rest.match(rest))
}

// allowsURL reports whether one alternative matches a URL as it is written.
func (r *rule) allowsURL(url string) bool {
	for i := range r.urls {
		if r.urls[i].match(url) {
			return true
		}
	}
	for i := range r.loose {
		if r.loose[i].match(url) {
			return true
		}
	}
	return false
}
