package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The bounds of files and listings.
const (
	MaxFileBytes = 4 << 20 // what the gateway takes of one output
	maxEntries   = 2000    // of a listing: more would not be read anyway
	filePerm     = 0o644
	dirPerm      = 0o755
)

type readArguments struct {
	Path   string `json:"file_path"`
	Offset int    `json:"offset"`
	Limit  int    `json:"limit"`
}

func (w *Workspace) readFile(_ context.Context, a readArguments) (string, error) {
	text, err := w.text(a.Path)
	if err != nil {
		return "", err
	}
	if a.Offset <= 1 && a.Limit == 0 {
		return text, nil
	}
	lines := strings.SplitAfter(text, "\n")
	from := min(max(a.Offset-1, 0), len(lines))
	to := len(lines)
	if a.Limit > 0 {
		to = min(to, from+a.Limit)
	}
	return strings.Join(lines[from:to], ""), nil
}

// text is a file's content, bounded.
func (w *Workspace) text(path string) (string, error) {
	name, err := w.inside(path)
	if err != nil {
		return "", err
	}
	f, err := w.root.Open(name)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, cause(err))
	}
	defer f.Close() //nolint:errcheck // nothing was written
	b, err := io.ReadAll(io.LimitReader(f, MaxFileBytes+1))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", path, cause(err))
	}
	if len(b) > MaxFileBytes {
		return "", fmt.Errorf("read %s: %w: over %d bytes", path, errTooLarge, MaxFileBytes)
	}
	return strings.ToValidUTF8(string(b), "�"), nil
}

type pathArguments struct {
	Path string `json:"path"`
}

func (w *Workspace) listDirectory(_ context.Context, a pathArguments) (string, error) {
	name, err := w.inside(a.Path)
	if err != nil {
		return "", err
	}
	entries, err := fs.ReadDir(w.root.FS(), filepath.ToSlash(name))
	if err != nil {
		return "", fmt.Errorf("list %s: %w", a.Path, cause(err))
	}
	var list listing
	for _, e := range entries {
		line := e.Name()
		if e.IsDir() {
			line += "/"
		}
		list.add(line)
	}
	return list.String(), nil
}

type writeArguments struct {
	Path    string `json:"file_path"`
	Content string `json:"content"`
}

func (w *Workspace) writeFile(_ context.Context, a writeArguments) (string, error) {
	name, err := w.inside(a.Path)
	if err != nil {
		return "", err
	}
	if dir := filepath.Dir(name); dir != "." {
		if err := w.root.MkdirAll(dir, dirPerm); err != nil {
			return "", fmt.Errorf("make the directory of %s: %w", a.Path, cause(err))
		}
	}
	if err := w.root.WriteFile(name, []byte(a.Content), filePerm); err != nil {
		return "", fmt.Errorf("write %s: %w", a.Path, cause(err))
	}
	return fmt.Sprintf("Wrote %d bytes to %s.", len(a.Content), name), nil
}

type editArguments struct {
	Path       string `json:"file_path"`
	Old        string `json:"old_string"`
	New        string `json:"new_string"`
	ReplaceAll bool   `json:"replace_all"`
}

// What an edit can't do.
var (
	errNotThere  = errors.New("the old text does not occur in the file")
	errAmbiguous = errors.New("the old text occurs more than once; give more of its surroundings or set replace_all")
)

func (w *Workspace) edit(ctx context.Context, a editArguments) (string, error) {
	text, err := w.text(a.Path)
	if err != nil {
		return "", err
	}
	n := strings.Count(text, a.Old)
	switch {
	case n == 0:
		return "", errNotThere
	case n > 1 && !a.ReplaceAll:
		return "", errAmbiguous
	}
	if _, err := w.writeFile(ctx, writeArguments{a.Path, strings.ReplaceAll(text, a.Old, a.New)}); err != nil {
		return "", err
	}
	return fmt.Sprintf("Replaced %d occurrence(s) in %s.", n, a.Path), nil
}

// cause leaves out what of an error names paths of the machine.
func cause(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		if errors.Is(p.Err, os.ErrNotExist) {
			return os.ErrNotExist
		}
		return p.Err
	}
	return err
}

// listing is lines, bounded, that says when it was cut.
type listing struct {
	b     strings.Builder
	lines int
	cut   bool
}

// add gives false when there is no more room.
func (l *listing) add(line string) bool {
	if l.lines >= maxEntries || l.b.Len() > MaxFileBytes/2 {
		l.cut = true
		return false
	}
	l.lines++
	l.b.WriteString(line)
	l.b.WriteByte('\n')
	return true
}

// String is the lines, and a note if some are missing.
func (l *listing) String() string {
	switch {
	case l.lines == 0:
		return "(nothing)"
	case l.cut:
		return l.b.String() + fmt.Sprintf("(cut after %d lines; narrow the search)\n", l.lines)
	default:
		return l.b.String()
	}
}
