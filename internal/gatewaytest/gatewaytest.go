// Package gatewaytest runs the real program for tests of what talks to it over
// HTTP. The program is built once per test binary; processes end with the test
// that started them.
package gatewaytest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"go.uber.org/goleak"
)

// Key is the API key of every process started here; it has every role.
const Key = "gatewaytest-key"

// Process is a running gateway.
type Process struct {
	Base string // http://host:port

	tb   testing.TB
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended and was waited for
}

var program struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// Main runs the tests of a package, deletes the built program and looks for
// goroutines that were left behind. It gives the exit code.
func Main(m *testing.M) int {
	code := m.Run()
	if program.dir != "" {
		_ = os.RemoveAll(program.dir) // a temporary folder that stays does no harm
	}
	if code != 0 {
		return code
	}
	if err := goleak.Find(); err != nil {
		_, _ = os.Stderr.WriteString(err.Error()) // there is nowhere else to say it
		return 1
	}
	return 0
}

// build makes the program, without the race detector: it is not what is tested.
func build() (string, error) {
	program.once.Do(func() {
		_, file, _, _ := runtime.Caller(0)
		root := filepath.Join(filepath.Dir(file), "..", "..")
		if program.dir, program.err = os.MkdirTemp("", "gatewaytest-"); program.err != nil {
			return
		}
		program.path = filepath.Join(program.dir, "gateway")
		cmd := exec.CommandContext(context.Background(), "go", "build", "-o", program.path, "./cmd/gateway") //nolint:gosec // a path of our own making
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			program.err = fmt.Errorf("build the gateway: %w\n%s", err, out)
		}
	})
	return program.path, program.err
}

// Start runs `gateway serve --dev` with more flags on a free port. With a
// --bootstrap file the keys are those of the file.
func Start(tb testing.TB, flags ...string) *Process {
	tb.Helper()
	path, err := build()
	if err != nil {
		tb.Fatal(err)
	}
	args := append([]string{"serve", "--dev", "--listen=127.0.0.1:0", "--log-level=warn"}, flags...)
	p := &Process{tb: tb, cmd: exec.CommandContext(context.Background(), path, args...), done: make(chan struct{})} //nolint:gosec // the program built above
	if !slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "--bootstrap=") }) {
		p.cmd.Env = append(p.cmd.Environ(), "GATEWAY_DEV_KEY="+Key)
	}
	p.cmd.Stderr = tb.Output()
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(p.Kill)
	p.await(bufio.NewReader(stdout))
	return p
}

// await reads the address that the program says, and then whatever it says.
func (p *Process) await(said *bufio.Reader) {
	p.tb.Helper()
	for p.Base == "" {
		line, err := said.ReadString('\n')
		if err != nil {
			close(p.done)
			p.tb.Fatalf("the gateway ended before it served: %v, %v", err, p.cmd.Wait())
		}
		if base, ok := strings.CutPrefix(strings.TrimSpace(line), "gateway listens on "); ok {
			p.Base = base
		}
	}
	go func() {
		defer close(p.done)
		_, _ = io.Copy(io.Discard, said) // until it ends
		_ = p.cmd.Wait()                 // a killed process reports that it was killed
	}()
}

// Kill ends the process at once, as kill -9 does, and waits for it.
func (p *Process) Kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL) // it may have ended
	<-p.done
}
