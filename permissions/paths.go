package permissions

import (
	"iter"
	"net/url"
	"path"
	"strings"
)

// pathSubject is a path that a call names, in every way that a host might read
// it. Deny and ask rules hold for any reading, allow rules only for all.
type pathSubject struct {
	cwd   string
	first reading
	more  []reading

	folded *pathSubject // in folded letters (pathfold.go); nil: the same
}

// reading is one meaning of a path, in its three views.
type reading struct {
	raw   string // as written
	clean string // lexically normalised, relative if it was written so
	abs   string // normalised and absolute
	// normal: it is written as patterns relative to the directory see it, so
	// comparing the absolute path has compared the other two.
	normal bool
}

func (s *pathSubject) readings() iter.Seq[*reading] {
	return func(yield func(*reading) bool) {
		if !yield(&s.first) {
			return
		}
		for i := range s.more {
			if !yield(&s.more[i]) {
				return
			}
		}
	}
}

// relative reports whether the path depends on where the host stands.
func (s *pathSubject) relative() bool { return !strings.HasPrefix(s.first.raw, "/") }

// plain reports whether the path can be read in one way only.
func (s *pathSubject) plain() bool { return len(s.more) == 0 }

// readPath reads a path. The fog says how much of it remains unknown.
func readPath(cwd, raw string) (pathSubject, fog) {
	if len(raw) > MaxPathBytes {
		return pathSubject{cwd: cwd}, overflow
	}
	s := pathSubject{cwd: cwd, first: newReading(cwd, raw)}
	f := seen
	if raw == "" || strings.HasPrefix(raw, "~") {
		f = unknown // the host may put its home directory there
	}
	if before, _, cut := strings.Cut(raw, "\x00"); cut {
		s.add(before) // where C ends a string
		f = unknown
	}
	if trimmed := strings.TrimSpace(raw); trimmed != raw {
		s.add(trimmed)
	}
	if strings.Contains(raw, `\`) {
		s.add(strings.ReplaceAll(raw, `\`, "/"))
	}
	s.addFileURI(strings.TrimSpace(raw))
	s.fold()
	return s, f
}

func (s *pathSubject) add(raw string) {
	s.more = append(s.more, newReading(s.cwd, raw))
}

// addFileURI adds what a file: URI names: with and without its escapes decoded,
// its query and its fragment cut off.
func (s *pathSubject) addFileURI(raw string) {
	p, ok := cutFileScheme(raw)
	if !ok {
		return
	}
	s.addDecoded(p)
	if i := strings.IndexAny(p, "?#"); i >= 0 {
		s.addDecoded(p[:i])
	}
}

// cutFileScheme is the path of a file: URI, without its authority.
func cutFileScheme(uri string) (string, bool) {
	const scheme = "file:"
	if len(uri) < len(scheme) || !strings.EqualFold(uri[:len(scheme)], scheme) {
		return "", false
	}
	p := uri[len(scheme):]
	if rest, ok := strings.CutPrefix(p, "//"); ok {
		_, after, _ := strings.Cut(rest, "/")
		p = "/" + after
	}
	return p, true
}

func (s *pathSubject) addDecoded(p string) {
	s.add(p)
	if decoded, err := url.PathUnescape(p); err == nil && decoded != p {
		s.add(decoded)
	}
}

func newReading(cwd, raw string) reading {
	clean := path.Clean(raw)
	r := reading{raw: raw, clean: clean, abs: normalise(cwd, clean)}
	rest, inside := below(r.abs, cwd)
	r.normal = inside && rest == raw
	return r
}

// normalise makes p absolute and lexically clean. Symbolic links are the host's
// duty: only the host can see them.
func normalise(cwd, p string) string {
	if strings.HasPrefix(p, "/") {
		return path.Clean(p)
	}
	return path.Clean(cwd + "/" + p)
}

// absoluteCwd is the directory that relative paths are read against.
func absoluteCwd(cwd string) string {
	if !strings.HasPrefix(cwd, "/") {
		cwd = "/" + cwd
	}
	return path.Clean(cwd)
}

// parent goes up n directories; the root is its own parent.
func parent(dir string, n int) string {
	for range n {
		dir = path.Dir(dir)
	}
	return dir
}

// below returns what is left of a clean absolute path after a directory, and
// whether it is that directory or inside. It compares whole components.
func below(abs, dir string) (string, bool) {
	if dir == "/" {
		return abs[1:], true
	}
	rest, ok := strings.CutPrefix(abs, dir)
	if !ok || rest == "" {
		return "", ok
	}
	return rest[1:], rest[0] == '/'
}
