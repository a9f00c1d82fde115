package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Workspace is a folder that tools work in.
type Workspace struct {
	root *os.Root
	dir  string   // absolute, without symbolic links
	env  []string // of commands
}

// ErrOutside says that a path is not in the workspace.
var ErrOutside = errors.New("the path is outside of the workspace")

// Open opens a folder. Commands are given the environment and nothing else: a
// host's own holds its keys. Close has to be called.
func Open(dir string, environment []string) (*Workspace, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, fmt.Errorf("open workspace: %w", err)
	}
	return &Workspace{root: root, dir: abs, env: environment}, nil
}

// Dir is the folder: the `cwd` of its session.
func (w *Workspace) Dir() string { return w.dir }

// Close releases the folder.
func (w *Workspace) Close() error { return w.root.Close() }

// inside is a path relative to the folder, for os.Root. Absolute paths are
// taken too, if they lead into it.
func (w *Workspace) inside(path string) (string, error) {
	if filepath.IsAbs(path) {
		rel, err := filepath.Rel(w.dir, path)
		if err != nil {
			return "", ErrOutside
		}
		path = rel
	}
	path = filepath.Clean(path)
	if path == ".." || strings.HasPrefix(path, ".."+string(filepath.Separator)) {
		return "", ErrOutside
	}
	return path, nil
}
