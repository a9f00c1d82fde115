package main

import (
	"bufio"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// pasted runs lines in a shell, as who pastes them, and calls see with every
// line that comes out. It waits for what runs in the background.
func pasted(t *testing.T, lines []string, see func(string)) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("!!! SKIPPED: curl IS NOT INSTALLED; the lines that `make run` prints were NOT tried !!!")
	}
	sh := exec.CommandContext(t.Context(), "sh", "-eu", "-c", strings.Join(append(lines, "wait"), "\n"))
	sh.Stderr = t.Output()
	out, err := sh.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, sh.Start())
	in := bufio.NewReader(out)
	for {
		line, err := in.ReadString('\n')
		see(line)
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
	}
	require.NoError(t, sh.Wait())
}

func TestTheLinesOfTheWelcomeWorkWhenTheyArePasted(t *testing.T) {
	t.Parallel()
	r := start(t)
	welcome := r.app.welcome()
	require.Contains(t, welcome, r.base)
	require.Contains(t, welcome, string(r.app.devKey))
	var lines []string
	for line := range strings.Lines(welcome) {
		if strings.HasPrefix(line, "curl") || strings.HasPrefix(line, "SID=") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	require.Len(t, lines, 3)

	var sid string
	var all strings.Builder
	pasted(t, lines, func(line string) {
		if sid == "" {
			sid = strings.TrimSpace(line)
		}
		all.WriteString(line)
		if strings.Contains(line, "event: batch.completed") {
			r.ask(http.StatusNoContent, "DELETE", "/v1/sessions/"+sid, nil) // ends the stream
		}
	})
	require.Contains(t, all.String(), `"reason":"plan_boundary"`)
	require.Contains(t, all.String(), "event: plan.entered")
	require.Contains(t, all.String(), "event: session.closed")
}

func TestAKeyWithQuotesIsStillOneWord(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+quote(`it's "$HOME"`)).Output()
	require.NoError(t, err)
	require.Equal(t, `it's "$HOME"`, string(out))
}
