package main

import (
	"bufio"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// process is the program as a process of its own.
type process struct {
	t    *testing.T
	cmd  *exec.Cmd
	base string
	done chan struct{} // closed when it has ended and was waited for
}

// startProcess runs `gateway serve --dev` on a free port with more flags. It
// ends with the test, if nobody killed it before. TestMain puts this very
// binary on the path as `gateway`.
func startProcess(t *testing.T, flags ...string) *process {
	t.Helper()
	return startProgram(t, "gateway", flags...)
}

// startProgram is startProcess of another build.
func startProgram(t *testing.T, program string, flags ...string) *process {
	t.Helper()
	args := append([]string{"serve", "--dev", "--listen=127.0.0.1:0", "--log-level=warn"}, flags...)
	p := &process{t: t, cmd: exec.Command(program, args...), done: make(chan struct{})}
	p.cmd.Stderr = t.Output()
	stdout, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(p.kill)
	said := bufio.NewReader(stdout)
	for p.base == "" {
		line, err := said.ReadString('\n')
		if err != nil {
			close(p.done)
			t.Fatalf("the gateway ended before it served: %v, %v", err, p.cmd.Wait())
		}
		p.base, _ = strings.CutPrefix(strings.TrimSpace(line), "gateway listens on ")
		if !strings.HasPrefix(p.base, "http://") {
			p.base = ""
		}
	}
	go func() {
		defer close(p.done)
		_, _ = io.Copy(io.Discard, said) // until it ends
		_ = p.cmd.Wait()                 // a killed process reports that it was killed
	}()
	return p
}

// kill ends the process at once, as kill -9 does.
func (p *process) kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL) // it may have ended
	<-p.done
}
