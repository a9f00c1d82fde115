package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/stretchr/testify/require"
)

//go:generate go test -run ^TestTheDocsNameEverySetting$ -count=1 . -update-settings

var updateSettings = flag.Bool("update-settings", false, "write the settings into docs/operations.md instead of comparing them")

// Where the settings stand in docs/operations.md.
const (
	settingsFile  = "../../docs/operations.md"
	settingsBegin = "<!-- settings: made from the Config struct by `make generate` -->\n"
	settingsEnd   = "<!-- /settings -->\n"
)

// settingsTable is every flag of `gateway serve` as the docs have it.
func settingsTable(t *testing.T) string {
	t.Helper()
	k, err := kong.New(&commandLine{}, options()...)
	require.NoError(t, err)
	var b strings.Builder
	b.WriteString("| flag | variable | default | |\n|---|---|---|---|\n")
	for _, node := range k.Model.Children {
		if node.Name != "serve" {
			continue
		}
		for _, f := range node.Flags {
			if f.Name == "help" {
				continue
			}
			value := "–"
			if f.HasDefault {
				value = "`" + f.Default + "`"
			}
			fmt.Fprintf(&b, "| `--%s` | `%s` | %s | %s |\n", f.Name, strings.Join(f.Envs, " "), value, strings.ReplaceAll(f.Help, "|", `\|`))
		}
	}
	return b.String()
}

func TestTheDocsNameEverySetting(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile(settingsFile)
	require.NoError(t, err)
	before, rest, found := bytes.Cut(doc, []byte(settingsBegin))
	require.True(t, found)
	_, after, found := bytes.Cut(rest, []byte(settingsEnd))
	require.True(t, found)
	want := bytes.Join([][]byte{before, []byte(settingsBegin), []byte(settingsTable(t)), []byte(settingsEnd), after}, nil)
	if *updateSettings {
		require.NoError(t, os.WriteFile(settingsFile, want, 0o600))
		return
	}
	require.Equal(t, string(want), string(doc), "make generate writes the table anew")
}
