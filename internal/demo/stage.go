package main

import (
	"bufio"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/session-gateway/gateway/client"
)

// The sample and its script, from the project's folder.
const (
	sample = "host/testdata/demo"
	script = "host/testdata/demo.yaml"
)

// process is a program that was started and says one line when it is ready.
type process struct {
	cmd  *exec.Cmd
	done chan struct{}
}

// start runs the program until the line that begins with a text; it gives the
// rest of that line.
func start(cmd *exec.Cmd, until string) (*process, string, error) {
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return nil, "", fmt.Errorf("start %s: %w", cmd.Args[1], err)
	}
	if err := cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start %s: %w", cmd.Args[1], err)
	}
	p := &process{cmd: cmd, done: make(chan struct{})}
	said := bufio.NewReader(stdout)
	for {
		line, err := said.ReadString('\n')
		if err != nil {
			_ = cmd.Wait() // it ended; what it said on stderr is why
			return nil, "", fmt.Errorf("%s ended before it was ready: %w", cmd.Args[1], err)
		}
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), until); ok {
			go p.wait(said)
			return p, rest, nil
		}
	}
}

func (p *process) wait(said io.Reader) {
	defer close(p.done)
	_, _ = io.Copy(io.Discard, said) // until it ends
	_ = p.cmd.Wait()                 // it was told to end
}

// stop ends the process and waits for it.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // it may have ended
	<-p.done
}

// run plays the demonstration.
func run(ctx context.Context, gateway string, out io.Writer, a answers) (err error) {
	work, err := os.MkdirTemp("", "demo-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	if err := os.CopyFS(work, os.DirFS(sample)); err != nil {
		return fmt.Errorf("copy the sample: %w", err)
	}
	key := rand.Text()
	server, base, err := start(program(ctx, gateway, "GATEWAY_DEV_KEY="+key,
		"serve", "--dev", "--listen=127.0.0.1:0", "--log-level=error", "--drain=1s"), "gateway listens on ")
	if err != nil {
		return err
	}
	defer server.stop()
	agent, sid, err := start(program(ctx, gateway, "GATEWAY_KEY="+key, "host", "--url="+base, "--workspace="+work,
		"--host-id=demo", "--model=scripted:"+filepath.FromSlash(script), "--log-level=warn"), "gateway host serves ")
	if err != nil {
		return err
	}
	defer agent.stop()
	person, err := client.New(base, key)
	if err != nil {
		return fmt.Errorf("make a client: %w", err)
	}
	return (&story{person: person, sid: sid, out: out, answers: a, work: work}).tell(ctx)
}

// program is the gateway's program with one more setting.
func program(ctx context.Context, path, setting string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, path, args...) //nolint:gosec // the program that the caller names
	cmd.Env = append(cmd.Environ(), setting)
	cmd.Stderr = os.Stderr
	return cmd
}
