package permissions

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheDocsNameEveryProgramThatIsKnown(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/permissions.md")
	require.NoError(t, err)
	for program := range fileUses {
		require.Regexp(t, "[ `]"+regexp.QuoteMeta(program)+"[ `]", string(text))
	}
	for program := range wrappers {
		require.Contains(t, string(text), "`"+program+"`")
	}
	for _, program := range launchers {
		require.Regexp(t, "[ `\n]"+regexp.QuoteMeta(program)+"[ `\n]", string(text))
	}
	require.Contains(t, string(text), "git log --output=/etc/x", "a prefix is a prefix")
}
