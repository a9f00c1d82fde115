package archtest

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/session-gateway/gateway"

// file is one parsed Go file of the project.
type file struct {
	path string // slash-separated, from the root of the project
	ast  *ast.File
}

// dir is the folder of a file: the path of its package in the project.
func (f file) dir() string { return path.Dir(f.path) }

func (f file) test() bool { return strings.HasSuffix(f.path, "_test.go") }

// imports are the import paths of a file.
func (f file) imports() []string {
	var paths []string
	for _, spec := range f.ast.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil { // the parser took it, so it is a string
			paths = append(paths, p)
		}
	}
	return paths
}

// ours are the packages of the project that a file imports.
func (f file) ours() []string {
	var dirs []string
	for _, p := range f.imports() {
		if p == module {
			dirs = append(dirs, root)
		} else if dir, ok := strings.CutPrefix(p, module+"/"); ok {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// uses are the members of a standard package that a file names.
func (f file) uses(pkg string, members []string) []string {
	if !slices.Contains(f.imports(), pkg) {
		return nil
	}
	var found []string
	ast.Inspect(f.ast, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		x, ok := sel.X.(*ast.Ident)
		if ok && x.Name == path.Base(pkg) && slices.Contains(members, sel.Sel.Name) {
			found = append(found, pkg+"."+sel.Sel.Name)
		}
		return true
	})
	return found
}

// project is every Go file of the project.
func project(t *testing.T) []file {
	t.Helper()
	tree := os.DirFS("../..")
	var files []file
	require.NoError(t, fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && skipped(d.Name()):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		files = append(files, parse(t, name, string(src)))
		return nil
	}))
	require.NotEmpty(t, files)
	return files
}

func skipped(dir string) bool {
	return dir != "." && strings.HasPrefix(dir, ".") || dir == "node_modules" || dir == "testdata" || dir == "bin"
}

func parse(t *testing.T, name, src string) file {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	return file{path: name, ast: f}
}

// under says whether a package is another one or lies beneath it.
func under(pkg, root string) bool {
	return pkg == root || strings.HasPrefix(pkg, root+"/")
}
