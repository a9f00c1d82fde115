package host_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/gatewaytest"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```")

func TestTheLinesOfTheDocumentAreAHost(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("!!! SKIPPED: curl IS NOT INSTALLED; the lines of docs/hosts.md were NOT tried !!!")
	}
	text, err := os.ReadFile("../docs/hosts.md")
	require.NoError(t, err)
	var lines strings.Builder
	for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
		lines.WriteString(block[1])
	}
	require.LessOrEqual(t, strings.Count(lines.String(), "\n"), 60, "it says sixty lines")
	sh := exec.CommandContext(t.Context(), "sh", "-eux", "-c", lines.String())
	sh.Dir, sh.Stderr = t.TempDir(), t.Output()
	sh.Env = append(os.Environ(), "GATEWAY="+gatewaytest.Start(t).Base, "KEY="+gatewaytest.Key)
	out, err := sh.Output()
	require.NoError(t, err, "%s", out)
	written, err := os.ReadFile(sh.Dir + "/a.txt")
	require.NoError(t, err)
	require.Equal(t, "hello", string(written))
}
