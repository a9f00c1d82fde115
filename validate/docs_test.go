package validate_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/validate"
)

func TestTheDocumentListsEveryCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/validation.md")
	require.NoError(t, err)
	_, list, found := strings.Cut(string(text), "## Codes\n")
	require.True(t, found)
	for _, party := range []validate.Party{validate.Host, validate.Gateway} {
		want := fmt.Sprintf("| %s | |\n|---|---|\n", party)
		for _, a := range validate.Codes() {
			if a.Party == party {
				want += fmt.Sprintf("| `%s` | %s |\n", a.Code, a.Means)
			}
		}
		require.Contains(t, list, want)
	}
}
