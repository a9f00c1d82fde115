package workspace_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/host/workspace"
)

// open is a workspace with some files, beside a secret that is not in it.
func open(t *testing.T) *workspace.Workspace {
	t.Helper()
	outer := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outer, "secret"), []byte("secret"), 0o600))
	dir := filepath.Join(outer, "work")
	for name, text := range map[string]string{
		"a.go": "package a\n\nfunc A() {}\n", "sub/b.go": "package b\n// TODO A\n", ".git/config": "A", "data.bin": "A\x00A",
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	require.NoError(t, os.Symlink(outer, filepath.Join(dir, "up")))
	require.NoError(t, os.Symlink(filepath.Join(outer, "secret"), filepath.Join(dir, "link")))
	w, err := workspace.Open(dir, []string{"PATH=" + os.Getenv("PATH"), "COLOUR=blue"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	return w
}

func use(ctx context.Context, t *testing.T, w *workspace.Workspace, name string, arguments any) (string, error) {
	t.Helper()
	raw, err := json.Marshal(arguments)
	require.NoError(t, err)
	for _, tool := range w.Tools() {
		if tool.Spec.Name == name {
			return tool.Run(ctx, raw)
		}
	}
	t.Fatalf("there is no tool %s", name)
	return "", nil
}

type args = map[string]any

func TestFilesAreReadWrittenAndEdited(t *testing.T) {
	t.Parallel()
	w := open(t)
	ctx := t.Context()
	out, err := use(ctx, t, w, "read_file", args{"file_path": filepath.Join(w.Dir(), "a.go"), "offset": 3, "limit": 1})
	require.NoError(t, err)
	require.Equal(t, "func A() {}\n", out)
	_, err = use(ctx, t, w, "write_file", args{"file_path": "new/deep/c.txt", "content": "one two one"})
	require.NoError(t, err)
	_, err = use(ctx, t, w, "edit", args{"file_path": "new/deep/c.txt", "old_string": "one", "new_string": "1"})
	require.ErrorContains(t, err, "more than once")
	_, err = use(ctx, t, w, "edit", args{"file_path": "new/deep/c.txt", "old_string": "three", "new_string": "3"})
	require.ErrorContains(t, err, "does not occur")
	_, err = use(ctx, t, w, "edit", args{"file_path": "new/deep/c.txt", "old_string": "one", "new_string": "1", "replace_all": true})
	require.NoError(t, err)
	out, err = use(ctx, t, w, "read_file", args{"file_path": "new/deep/c.txt"})
	require.NoError(t, err)
	require.Equal(t, "1 two 1", out)
	out, err = use(ctx, t, w, "list_directory", args{"path": "."})
	require.NoError(t, err)
	require.Contains(t, out, "new/\n")
}

func TestNothingLeadsOutOfTheWorkspace(t *testing.T) {
	t.Parallel()
	w := open(t)
	for _, path := range []string{
		"../secret", "sub/../../secret", "/etc/passwd", filepath.Join(w.Dir(), "..", "secret"), "up/secret", "link", "", "a.go/../../secret",
	} {
		out, err := use(t.Context(), t, w, "read_file", args{"file_path": path})
		require.Error(t, err, path)
		require.NotContains(t, out+err.Error(), "root:")
		_, err = use(t.Context(), t, w, "write_file", args{"file_path": path, "content": "x"})
		require.Error(t, err, path)
	}
	kept, err := os.ReadFile(filepath.Join(w.Dir(), "..", "secret"))
	require.NoError(t, err)
	require.Equal(t, "secret", string(kept))
	out, err := use(t.Context(), t, w, "grep_search", args{"pattern": "secret"})
	require.NoError(t, err)
	require.Equal(t, "(nothing)", out)
}

func TestSearchesFindWhatIsSource(t *testing.T) {
	t.Parallel()
	w := open(t)
	out, err := use(t.Context(), t, w, "glob", args{"pattern": "**/*.go"})
	require.NoError(t, err)
	require.Equal(t, "a.go\nsub/b.go\n", out)
	out, err = use(t.Context(), t, w, "glob", args{"pattern": "*.go", "path": "sub"})
	require.NoError(t, err)
	require.Equal(t, "sub/b.go\n", out)
	out, err = use(t.Context(), t, w, "grep_search", args{"pattern": `\bA\b`, "include": "*.go"})
	require.NoError(t, err)
	require.Equal(t, "a.go:3: func A() {}\nsub/b.go:2: // TODO A\n", out)
	out, err = use(t.Context(), t, w, "grep_search", args{"pattern": "A"})
	require.NoError(t, err)
	require.NotContains(t, out, ".git", "the insides of .git are nobody's source")
	require.NotContains(t, out, "data.bin")
	for _, bad := range []args{{"pattern": "("}, {"pattern": strings.Repeat("a", 1001)}, {"pattern": "a", "path": ".."}, {"pattern": "a", "path": "nowhere"}} {
		_, err := use(t.Context(), t, w, "grep_search", bad)
		require.Error(t, err)
	}
}

func TestCommandsGiveTheirOutputAndEndWithTheirGroup(t *testing.T) {
	t.Parallel()
	w := open(t)
	out, err := use(t.Context(), t, w, "run_shell_command", args{"command": "pwd; echo err >&2"})
	require.NoError(t, err)
	require.Equal(t, w.Dir()+"\nerr\n", out)
	_, err = use(t.Context(), t, w, "run_shell_command", args{"command": "echo no; exit 3"})
	require.ErrorContains(t, err, "ended with 3\nno")
	out, err = use(t.Context(), t, w, "run_shell_command", args{"command": "head -c 2000000 /dev/zero | tr '\\0' x"})
	require.NoError(t, err)
	require.Contains(t, out, "more bytes were printed")
	require.Less(t, len(out), workspace.MaxCommandOutput+100)

	errCut := errors.New("the call was cancelled")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	time.AfterFunc(50*time.Millisecond, func() { cancel(errCut) })
	_, err = use(ctx, t, w, "run_shell_command", args{"command": "sh -c 'sleep 60' & sleep 60"})
	require.ErrorIs(t, err, errCut)
}

func TestCommandsGetTheEnvironmentTheyAreGiven(t *testing.T) {
	t.Setenv("WORKSPACE_TEST_KEY", "secret")
	out, err := use(t.Context(), t, open(t), "run_shell_command", args{"command": "env"})
	require.NoError(t, err)
	require.Contains(t, out, "COLOUR=blue")
	require.NotContains(t, out, "secret")
}
