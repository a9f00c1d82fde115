package permissions

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// pathGlob matches paths component by component. It keeps no braces: they are
// expanded before, since doublestar tries them one by one at every star, which
// is exponential in their number.
type pathGlob struct {
	raw   string // as written
	clean string // without ., // and what .. takes back
	ups   int    // leading .. of clean
	rest  string // clean after these
	home  bool   // stands for a home directory: never for allow
}

// homes are where home directories usually are; the gateway can't ask the host.
var homes = []string{"/root", "/home/*", "/Users/*"}

// newPathGlobs reads one alternative of a pattern; `~/x` is itself and x in
// every usual home directory, `file:///x` is itself and /x.
func newPathGlobs(alt string) []pathGlob {
	globs := []pathGlob{newPathGlob(alt)}
	if p, ok := cutFileScheme(alt); ok {
		return append(globs, newPathGlob(p))
	}
	if !strings.HasPrefix(alt, "~") {
		return globs
	}
	_, rest, _ := strings.Cut(alt, "/")
	for _, home := range homes {
		g := newPathGlob(home + "/" + rest)
		g.home = true
		globs = append(globs, g)
	}
	return globs
}

func newPathGlob(alt string) pathGlob {
	g := pathGlob{raw: alt, clean: cleanGlob(alt)}
	g.rest = g.clean
	for g.rest == ".." || strings.HasPrefix(g.rest, "../") {
		g.ups++
		g.rest = strings.TrimPrefix(g.rest[len(".."):], "/")
	}
	return g
}

// cleanGlob is path.Clean for patterns: `..` takes back a literal component but
// not a wildcard, of which nobody knows how many components it stands for.
func cleanGlob(glob string) string {
	var out []string
	absolute := strings.HasPrefix(glob, "/")
	for part := range strings.SplitSeq(glob, "/") {
		switch {
		case part == "" || part == ".":
		case part == ".." && len(out) > 0 && isLiteral(out[len(out)-1]) && out[len(out)-1] != "..":
			out = out[:len(out)-1]
		case part == ".." && len(out) == 0 && absolute:
		default:
			out = append(out, part)
		}
	}
	clean := strings.Join(out, "/")
	if absolute {
		return "/" + clean
	}
	return clean
}

// isLiteral reports whether a glob (without braces) matches only itself.
func isLiteral(glob string) bool { return !strings.ContainsAny(glob, `*?[\`) }

// matchAny is the reading for deny and ask: one view of one reading is enough.
func (g *pathGlob) matchAny(s *pathSubject) bool {
	for r := range s.readings() {
		if g.matchLoose(r, s.cwd) {
			return true
		}
	}
	return false
}

func (g *pathGlob) matchLoose(r *reading, cwd string) bool {
	if g.matchAbs(r.abs, cwd) {
		return true
	}
	asWritten := g.raw == g.clean
	if (!asWritten || !r.normal) && doublestar.MatchUnvalidated(g.raw, r.raw) {
		return true
	}
	return (!asWritten || r.raw != r.clean) && doublestar.MatchUnvalidated(g.clean, r.clean)
}

// matchAll is the reading for allow: the normalised absolute path of every
// reading has to match.
func (g *pathGlob) matchAll(s *pathSubject) bool {
	if g.home {
		return false
	}
	for r := range s.readings() {
		if !g.matchAbs(r.abs, s.cwd) {
			return false
		}
	}
	return true
}

// matchAbs compares with a normalised absolute path.
func (g *pathGlob) matchAbs(abs, cwd string) bool {
	if strings.HasPrefix(g.clean, "/") {
		return doublestar.MatchUnvalidated(g.clean, abs)
	}
	base := parent(cwd, g.ups)
	rest, ok := below(abs, base)
	if !ok {
		return false
	}
	if rest == "" {
		// doublestar lets `*` match nothing; a directory is not its own child.
		return anyDepth(g.rest)
	}
	return doublestar.MatchUnvalidated(g.rest, rest)
}

// anyDepth reports whether a glob matches the directory that it starts from: it
// is empty or all `**`.
func anyDepth(glob string) bool {
	for part := range strings.SplitSeq(glob, "/") {
		if part != "**" && part != "" {
			return false
		}
	}
	return true
}

// reaches reports whether the glob may match something inside a directory.
func (g *pathGlob) reaches(dir, cwd string) bool {
	glob, from := g.rest, parent(cwd, g.ups)
	if absolute, ok := strings.CutPrefix(g.clean, "/"); ok {
		glob, from = absolute, "/"
	}
	if _, inside := below(from, dir); inside {
		return glob != "" || from != dir
	}
	rest, inside := below(dir, from)
	return inside && descends(glob, rest)
}

// descends reports whether a glob may match something inside the directory that
// is at a path: both are relative to the same place.
func descends(glob, dir string) bool {
	for part := range strings.SplitSeq(glob, "/") {
		if dir == "" || part == "**" {
			return true
		}
		var name string
		name, dir, _ = strings.Cut(dir, "/")
		if !doublestar.MatchUnvalidated(part, name) {
			return false
		}
	}
	return false // it ends at the directory or above it
}
