package features_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	decisionName = regexp.MustCompile(`^(\d{4})-[a-z0-9-]+\.md$`)
	decisionLink = regexp.MustCompile(`decisions/(\d{4}-[a-z0-9-]+\.md)`)
)

// decisions are the files of docs/decisions.
func decisions(t *testing.T) map[string]bool {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "docs/decisions"))
	require.NoError(t, err)
	require.NotEmpty(t, entries)
	names := map[string]bool{}
	for _, e := range entries {
		names[e.Name()] = true
	}
	return names
}

func TestEveryDecisionHasANumberOfItsOwn(t *testing.T) {
	t.Parallel()
	numbered := map[string]string{}
	for name := range decisions(t) {
		number := decisionName.FindStringSubmatch(name)
		require.NotNil(t, number, name)
		require.Empty(t, numbered[number[1]], "%s has the same number", name)
		numbered[number[1]] = name
	}
}

func TestLinkedDecisionsExist(t *testing.T) {
	t.Parallel()
	exist := decisions(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, link := range decisionLink.FindAllStringSubmatch(string(text), -1) {
			require.True(t, exist[link[1]], "%s links to %s", page, link[1])
		}
	}
}
