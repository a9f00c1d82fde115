package main

import (
	"bufio"
	"bytes"
	"io"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestAnEditorStartsTheProgram speaks with `gateway acp` as an editor does that
// was given a key in the environment.
func TestAnEditorStartsTheProgram(t *testing.T) {
	t.Parallel()
	p := startProcess(t, "--dev-key=a-key-of-editors")
	cmd := exec.Command("gateway", "acp", "--url", p.base)
	cmd.Env = append(cmd.Environ(), "GATEWAY_KEY=a-key-of-editors")
	var log bytes.Buffer
	cmd.Stderr = &log
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	out := bufio.NewReader(stdout)
	ask := func(request string) string {
		_, err := io.WriteString(in, request+"\n")
		require.NoError(t, err)
		answer, err := out.ReadString('\n')
		require.NoError(t, err)
		return answer
	}
	require.Contains(t, ask(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}`), `"loadSession":true`)
	require.Contains(t, ask(`{"jsonrpc":"2.0","id":2,"method":"session/new","params":{"cwd":"/","mcpServers":[]}}`), `"sessionId":"ses_`)
	require.NoError(t, in.Close())
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Empty(t, rest)
	require.NoError(t, cmd.Wait())
	require.NotContains(t, log.String(), "a-key-of-editors")
}
