package main

import (
	"bufio"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheProgramEndsWellWhenItIsTold(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			// The program itself, as a process of its own: TestMain puts it on the path.
			program := exec.CommandContext(t.Context(), "gateway", "serve", "--dev", "--listen=127.0.0.1:0")
			program.Env = append(program.Environ(), "GATEWAY_DEV_KEY=my-key")
			var log strings.Builder
			program.Stderr = &log
			stdout, err := program.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, program.Start())

			said := bufio.NewScanner(stdout)
			for said.Scan() && !strings.HasPrefix(said.Text(), "key: my-key") {
				continue
			}
			require.NoError(t, program.Process.Signal(signal))
			for said.Scan() {
				continue
			}
			require.NoError(t, program.Wait(), log.String())
			require.Contains(t, log.String(), "the embedded store is volatile")
			require.NotContains(t, log.String(), "my-key", "the key is printed, not logged")
		})
	}
}

// TestAHangupEndsNothing: a unit's reload sends it, with TLS or without.
func TestAHangupEndsNothing(t *testing.T) {
	t.Parallel()
	program := exec.CommandContext(t.Context(), "gateway", "serve", "--dev", "--listen=127.0.0.1:0")
	program.Env = append(program.Environ(), "GATEWAY_DEV_KEY=my-key", "GATEWAY_LOG_LEVL=debug-me")
	stderr, err := program.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())

	var log strings.Builder
	said := bufio.NewScanner(stderr)
	wait := func(message string) {
		t.Helper()
		for said.Scan() {
			log.WriteString(said.Text() + "\n")
			if strings.Contains(said.Text(), message) {
				return
			}
		}
		require.Fail(t, "not logged", "%s in %s", message, log.String())
	}
	wait(`"msg":"serving"`)
	require.Contains(t, log.String(), "GATEWAY_LOG_LEVL", "a misspelt variable is named")
	require.NotContains(t, log.String(), "debug-me")
	require.NoError(t, program.Process.Signal(syscall.SIGHUP))
	wait("there are no certificates to read again")
	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	wait(`"msg":"stopping"`)
	for said.Scan() {
		continue
	}
	require.NoError(t, program.Wait())
}
