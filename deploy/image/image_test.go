package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// build makes the program as `make image` does, from a copy of the source.
func build(t *testing.T, source, dir string) recipe {
	t.Helper()
	r := recipe{binary: filepath.Join(dir, "gateway"), version: "v1.2.3", commit: "0123abcd"}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-X main.version="+r.version+" -X main.commit="+r.commit, "-o", r.binary, "./cmd/gateway")
	cmd.Dir, cmd.Env = source, append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return r
}

// TestImage builds the program once for all that is to be shown of it.
func TestImage(t *testing.T) {
	t.Parallel()
	r := build(t, "../..", t.TempDir())
	t.Run("is the same wherever it is made, and its program runs", func(t *testing.T) { sameElsewhere(t, r) })
	t.Run("lists every module with its version, and the commit", func(t *testing.T) { listsItsParts(t, r) })
	t.Run("is refused when its program tells another version", func(t *testing.T) {
		other := r
		other.version = "v9"
		_, err := run(t.Context(), other, filepath.Join(t.TempDir(), "image"))
		require.ErrorContains(t, err, "v9")
	})
}

func sameElsewhere(t *testing.T, r recipe) {
	t.Helper()
	elsewhere := filepath.Join(t.TempDir(), "copy")
	require.NoError(t, os.CopyFS(elsewhere, os.DirFS("../..")))
	first, err := run(t.Context(), r, filepath.Join(t.TempDir(), "image"))
	require.NoError(t, err)
	second, err := run(t.Context(), build(t, elsewhere, t.TempDir()), filepath.Join(t.TempDir(), "image"))
	require.NoError(t, err)
	require.Equal(t, first, second)
}

func listsItsParts(t *testing.T, r recipe) {
	t.Helper()
	raw, err := r.parts()
	require.NoError(t, err)
	var d document
	require.NoError(t, json.Unmarshal(raw, &d))
	require.Equal(t, "v1.2.3", d.Metadata.Component.Version)
	require.Equal(t, []property{{"commit", "0123abcd"}}, d.Metadata.Component.Properties)

	// What the go command says is in the program, but the program itself.
	cmd := exec.CommandContext(t.Context(), "go", "version", "-m", "-json", r.binary)
	out, err := cmd.Output()
	require.NoError(t, err)
	var info struct {
		Deps []struct{ Path, Version string }
	}
	require.NoError(t, json.Unmarshal(out, &info))
	require.NotEmpty(t, info.Deps)
	require.Len(t, d.Components, len(info.Deps)+1, "and the standard library")
	for i, m := range info.Deps {
		require.Equal(t, m.Path, d.Components[i+1].Name)
		require.Equal(t, m.Version, d.Components[i+1].Version)
		require.NotEmpty(t, d.Components[i+1].Properties, "its checksum")
	}
}

func TestWhatIsNoStaticProgramIsRefused(t *testing.T) {
	t.Parallel()
	_, err := recipe{binary: "/bin/sh"}.image()
	require.ErrorIs(t, err, errNotStatic)
	_, err = recipe{binary: "main.go"}.image()
	require.Error(t, err)
}
