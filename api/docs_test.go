package api_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
)

const (
	page  = "../docs/http.md"
	begin = "<!-- problems: begin -->\n"
	end   = "<!-- problems: end -->\n"
)

// TestTheDocsListEveryProblem compares docs/http.md with the code's table; with
// UPDATE_DOCS=1 in the environment it writes the page anew.
func TestTheDocsListEveryProblem(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	head, rest, found := strings.Cut(string(text), begin)
	require.True(t, found)
	table, tail, found := strings.Cut(rest, end)
	require.True(t, found)
	var want strings.Builder
	for _, k := range api.ProblemKinds() {
		retryable := "no"
		if k.Retryable {
			retryable = "yes"
		}
		fmt.Fprintf(&want, "| `%s` | %d | %s | %s |\n", k.Code, k.Status, k.Title, retryable)
	}
	if os.Getenv("UPDATE_DOCS") != "" {
		require.NoError(t, os.WriteFile(page, []byte(head+begin+want.String()+end+tail), 0o600))
		return
	}
	require.Equal(t, want.String(), table, "run UPDATE_DOCS=1 go test ./api -run TestTheDocs")
}

func TestTheDocsHaveTheLimits(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, row := range []string{
		fmt.Sprintf("| body | %d MiB |", api.MaxBodyBytes>>20),
		fmt.Sprintf("| arguments of one call | %d MiB |", api.MaxArgumentBytes>>20),
		fmt.Sprintf("| output of one result | %d MiB |", api.MaxOutputBytes>>20),
	} {
		require.Contains(t, string(text), row)
	}
}
