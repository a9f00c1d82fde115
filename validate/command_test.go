package validate_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/gatewaytest"
	"github.com/session-gateway/gateway/validate"
)

// command runs `gateway validate` and gives what it prints and its exit code.
func (d *deployment) command(args ...string) (string, int) {
	d.Helper()
	cmd := gatewaytest.Command(d.Context(), d, append([]string{"validate", "--url", d.bases[0], "--session", d.session}, args...)...)
	cmd.Env = append(cmd.Environ(), "GATEWAY_KEY="+d.key)
	cmd.Stderr = d.Output()
	out, err := cmd.Output()
	if err == nil {
		return string(out), 0
	}
	exit, ok := errors.AsType[*exec.ExitError](err)
	require.True(d, ok, "%v", err)
	return string(out), exit.ExitCode()
}

func TestTheCommandSaysWhatItFoundByItsExitCode(t *testing.T) {
	t.Parallel()
	shared := alone(t)
	t.Run("conforming", func(t *testing.T) {
		t.Parallel()
		d := shared.of(t)
		d.serve(client.SessionSpec{}, entering()...)
		out, code := d.command("--junit", filepath.Join(t.TempDir(), "report.xml"))
		require.Zero(t, code, out)
		require.Contains(t, out, d.session+": conforming")
		require.NotContains(t, out, d.key)
	})
	t.Run("violations", func(t *testing.T) {
		t.Parallel()
		d := shared.of(t)
		d.employ(sends(func(r []result) []result { r[1]["output"] = "plan"; return r }))
		file := filepath.Join(t.TempDir(), "report.xml")
		out, code := d.command("--json", "--junit", file)
		require.Equal(t, 1, code)
		var report validate.Report
		require.NoError(t, json.Unmarshal([]byte(out), &report))
		require.Equal(t, validate.Violations, report.Verdict)
		require.Equal(t, []validate.Code{"request_reminder_incomplete"}, violated(report))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var suite struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
		}
		require.NoError(t, xml.Unmarshal(text, &suite))
		require.Equal(t, len(report.Checks), suite.Tests)
		require.Equal(t, 1, suite.Failures)
		require.Equal(t, 1, strings.Count(string(text), `type="request_reminder_incomplete"`))
	})
	t.Run("could not be run", func(t *testing.T) {
		t.Parallel()
		d := shared.of(t)
		d.create(client.SessionSpec{})
		out, code := d.command()
		require.Equal(t, 2, code)
		require.Contains(t, out, "not_run")
		_, code = d.command("--probe-args", `[]`)
		require.Equal(t, 2, code, "a mistake in the flags")
	})
}
