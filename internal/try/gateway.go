package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program is the package that is built and run.
const program = "github.com/session-gateway/gateway/cmd/gateway"

// What the gateway says when it serves.
const (
	saysAddress = "gateway listens on "
	saysKey     = "key: "
)

// errSilent says that the gateway ended without saying where it listens.
var errSilent = errors.New("the gateway did not start")

// gateway is a gateway process.
type gateway struct {
	at     at
	cmd    *exec.Cmd
	stdout io.ReadCloser
	dir    string // holds the binary
}

// startGateway builds the program and runs it on a free port.
func startGateway(ctx context.Context) (*gateway, error) {
	dir, err := os.MkdirTemp("", "try")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the gateway: %w", err)
	}
	g := &gateway{dir: dir}
	if err := g.start(ctx); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return g, nil
}

func (g *gateway) start(ctx context.Context) error {
	binary := filepath.Join(g.dir, "gateway")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, program) //nolint:gosec // a path of our own
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the gateway: %w\n%s", err, said)
	}
	g.cmd = exec.CommandContext(ctx, binary, "serve", "--dev", "--listen=127.0.0.1:0", "--log-level=error") //nolint:gosec // what was just built
	g.cmd.Stderr = os.Stderr
	var err error
	if g.stdout, err = g.cmd.StdoutPipe(); err != nil {
		return fmt.Errorf("start the gateway: %w", err)
	}
	if err := g.cmd.Start(); err != nil {
		return fmt.Errorf("start the gateway: %w", err)
	}
	if g.at, err = listen(g.stdout); err != nil {
		return errors.Join(err, g.cmd.Wait())
	}
	return nil
}

// listen reads where the gateway is, and its key.
func listen(said io.Reader) (at, error) {
	var a at
	for lines := bufio.NewScanner(said); lines.Scan(); {
		if url, ok := strings.CutPrefix(lines.Text(), saysAddress); ok {
			a.url = url
		}
		if key, ok := strings.CutPrefix(lines.Text(), saysKey); ok {
			a.key, _, _ = strings.Cut(key, " ")
			return a, nil
		}
	}
	return at{}, errSilent
}

// stop ends the process and removes the binary.
func (g *gateway) stop() error {
	err := g.cmd.Process.Signal(os.Interrupt)
	_, drained := io.Copy(io.Discard, g.stdout)
	return errors.Join(err, drained, g.cmd.Wait(), os.RemoveAll(g.dir))
}
