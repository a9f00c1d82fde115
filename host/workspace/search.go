package workspace

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// The bounds of a search.
const (
	maxPattern  = 1000 // characters
	maxLineSize = 1 << 20
	shownOfLine = 300     // a match in a minified file must not fill the answer
	sniffed     = 8 << 10 // of a file, to tell text from data
)

type globArguments struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
}

func (w *Workspace) glob(ctx context.Context, a globArguments) (string, error) {
	if len(a.Pattern) > maxPattern || !doublestar.ValidatePattern(a.Pattern) {
		return "", fmt.Errorf("the pattern %q can't be read", cutLine(a.Pattern))
	}
	var list listing
	err := w.walk(ctx, a.Path, func(name string, _ fs.DirEntry) bool {
		rel, err := filepath.Rel(filepath.Clean(or(a.Path)), name)
		if err != nil {
			return true
		}
		ok, err := doublestar.Match(a.Pattern, filepath.ToSlash(rel))
		return err != nil || !ok || list.add(name)
	})
	return list.String(), err
}

type grepArguments struct {
	Pattern string `json:"pattern"`
	Path    string `json:"path"`
	Include string `json:"include"`
}

func (w *Workspace) grep(ctx context.Context, a grepArguments) (string, error) {
	if len(a.Pattern) > maxPattern {
		return "", fmt.Errorf("the pattern is over %d characters", maxPattern)
	}
	re, err := regexp.Compile(a.Pattern)
	if err != nil {
		return "", fmt.Errorf("read the pattern: %w", err)
	}
	var list listing
	err = w.walk(ctx, a.Path, func(name string, _ fs.DirEntry) bool {
		if a.Include != "" {
			if ok, err := doublestar.Match(a.Include, path.Base(filepath.ToSlash(name))); err != nil || !ok {
				return true
			}
		}
		return w.grepFile(name, re, &list)
	})
	return list.String(), err
}

// grepFile adds a file's matches; false when there is no more room. What can't
// be read, or is no text, has none.
func (w *Workspace) grepFile(name string, re *regexp.Regexp, list *listing) bool {
	f, err := w.root.Open(name)
	if err != nil {
		return true
	}
	defer f.Close() //nolint:errcheck // nothing was written
	r := bufio.NewReaderSize(f, sniffed)
	if start, _ := r.Peek(sniffed); bytes.IndexByte(start, 0) >= 0 {
		return true
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLineSize)
	for n := 1; lines.Scan(); n++ {
		if re.Match(lines.Bytes()) && !list.add(fmt.Sprintf("%s:%d: %s", name, n, cutLine(lines.Text()))) {
			return false
		}
	}
	return true
}

// walk visits the files below a path, in order, until visit gives false. The
// insides of .git are nobody's source.
func (w *Workspace) walk(ctx context.Context, below string, visit func(name string, e fs.DirEntry) bool) error {
	start, err := w.inside(or(below))
	if err != nil {
		return err
	}
	err = fs.WalkDir(w.root.FS(), filepath.ToSlash(start), func(name string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && name == filepath.ToSlash(start):
			return cause(err)
		case err != nil:
			return nil //nolint:nilerr // a directory that can't be read has nothing to show
		case e.IsDir() && e.Name() == ".git":
			return fs.SkipDir
		case e.IsDir():
			return nil
		case !visit(name, e):
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("search %s: %w", or(below), err)
	}
	return nil
}

func or(path string) string {
	if path == "" {
		return "."
	}
	return path
}

func cutLine(s string) string {
	s = strings.ToValidUTF8(s, "�")
	if r := []rune(s); len(r) > shownOfLine {
		return string(r[:shownOfLine]) + "…"
	}
	return s
}
