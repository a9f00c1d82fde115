package workspace

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// The bounds of a command. Its time is the call's: the context ends it.
const (
	MaxCommandOutput = 1 << 20 // what is kept of it; the rest is counted
	// killGrace is how long a command's group has between being asked to end
	// and being killed, and its pipes to be drained.
	killGrace = 2 * time.Second
)

type runArguments struct {
	Command string `json:"command"`
}

// run runs a command in a process group of its own, so that what it started
// ends with it.
func (w *Workspace) run(ctx context.Context, a runArguments) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", a.Command) //nolint:gosec // running commands is what this tool is for
	out := &capped{limit: MaxCommandOutput}
	cmd.Dir, cmd.Stdout, cmd.Stderr = w.dir, out, out
	cmd.Env = append([]string{}, w.env...) // not nil, which would be the host's own
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killGrace
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return "", fmt.Errorf("the command was ended: %w\n%s", context.Cause(ctx), out)
	case err == nil, errors.Is(err, exec.ErrWaitDelay):
		return out.String(), nil
	case errors.As(err, &exit):
		return "", fmt.Errorf("the command ended with %d\n%s", exit.ExitCode(), out)
	default:
		return "", fmt.Errorf("run the command: %w", err)
	}
}

// capped keeps the first part of what is written to it.
type capped struct {
	buf   bytes.Buffer
	limit int
	lost  int
}

// Write never fails: a command must not die of being verbose.
func (c *capped) Write(p []byte) (int, error) {
	keep := min(len(p), c.limit-c.buf.Len())
	c.buf.Write(p[:keep])
	c.lost += len(p) - keep
	return len(p), nil
}

// String is what was kept, and how much was not.
func (c *capped) String() string {
	s := strings.ToValidUTF8(c.buf.String(), "�")
	if c.lost > 0 {
		s += fmt.Sprintf("\n(%d more bytes were printed)", c.lost)
	}
	return s
}
