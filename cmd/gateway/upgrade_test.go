package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/sessions/store"
)

// newerBuild is the gateway of a day when documents have another form: it is
// built from these sources but for the number of the form that it writes.
func newerBuild(t *testing.T) string {
	t.Helper()
	source, err := filepath.Abs("../../sessions/store/types.go")
	require.NoError(t, err)
	text, err := os.ReadFile(source)
	require.NoError(t, err)
	number := "const Schema = " + strconv.Itoa(store.Schema)
	require.Contains(t, string(text), number)
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	newer := write("types.go", strings.Replace(string(text), number, "const Schema = "+strconv.Itoa(store.Schema+1), 1))
	overlay, err := json.Marshal(object{"Replace": map[string]string{source: newer}})
	require.NoError(t, err)
	program := filepath.Join(dir, "gateway")
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-overlay", write("overlay.json", string(overlay)), "-o", program, ".")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// ofNewerBuild says that a replica left a request to those of a newer build.
func ofNewerBuild(r *casetest.Refusal) bool {
	return r.Code == "store_unavailable" && strings.Contains(r.Detail, "a newer build")
}

func TestARollingUpgradeToANewerFormOfDocumentsLosesNothing(t *testing.T) {
	t.Parallel()
	f := startFleet(t, 3)
	f.next = newerBuild(t)
	rollUnderLoad(t, f)
	require.Positive(t, f.passedOn.Load(), "both builds were asked at the same time")

	documents := 0
	client := f.redis.Client(t)
	for keys := client.Scan(t.Context(), 0, "gw:*:ses_*:doc", 0).Iterator(); keys.Next(t.Context()); documents++ {
		form, err := client.HGet(t.Context(), keys.Val(), "schema").Int()
		require.NoError(t, err)
		require.Equal(t, store.Schema+1, form, "the newer build has written all of them")
	}
	require.NotZero(t, documents)
}
