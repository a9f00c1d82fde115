package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// key is the API key of the gateways that are measured.
const key = "load-key"

// process is a server under measurement.
type process struct {
	cmd  *exec.Cmd
	base string // http://host:port
	path string // of its event stream
	key  string // that requests to it are sent with

	redis *process // that is its own; nil: none, or shared
}

// begin starts a server that says `… listens on http://…` and waits for that.
func begin(ctx context.Context, name string, args ...string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, name, args...), path: "/events", key: key} //nolint:gosec // the program that is measured
	p.cmd.Env = append(p.cmd.Environ(), "GATEWAY_DEV_KEY="+key, "GOMAXPROCS=2")
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(out)
	for p.base == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("the server ended before it served: %w", err)
		}
		if _, base, ok := strings.Cut(strings.TrimSpace(line), "listens on "); ok {
			p.base = base
		}
	}
	go func() { _, _ = io.Copy(io.Discard, lines) }() // until it ends
	return p, nil
}

// gateway starts a gateway.
func gateway(ctx context.Context, o options, flags ...string) (*process, error) {
	args := append([]string{"serve", "--dev", "--listen=127.0.0.1:0", "--log-level=error"}, flags...)
	return begin(ctx, o.gateway, args...)
}

// simple starts one of the servers of servers.go.
func simple(ctx context.Context, kind string) (*process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return begin(ctx, self, "serve", kind)
}

// as is the same server asked with another key.
func (p *process) as(key string) *process {
	other := *p
	other.key = key
	return &other
}

func (p *process) end() {
	if p.redis != nil {
		p.redis.end()
	}
	_ = p.cmd.Process.Signal(syscall.SIGKILL) // it may have ended
	_ = p.cmd.Wait()                          // it was killed
}

// cpu is the processor time that the process has used, with its Redis.
func (p *process) cpu() (time.Duration, error) {
	own, err := p.ownCPU()
	if err != nil || p.redis == nil {
		return own, err
	}
	store, err := p.redis.ownCPU()
	return own + store, err
}

// ownCPU is to the nanosecond: /proc counts ticks of 10 ms, which is what ten
// resumes take.
func (p *process) ownCPU() (time.Duration, error) {
	const allOfIt = 2 // CPUCLOCK_SCHED: user and system, as clock_getcpuclockid(3) builds it
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^p.cmd.Process.Pid<<3|allOfIt), &used); err != nil {
		return 0, fmt.Errorf("the process's times can't be read: %w", err)
	}
	return time.Duration(used.Nano()), nil
}

// rss is the memory that the process holds, in bytes.
func (p *process) rss() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		if value, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.ParseFloat(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(value), "kB")), 64)
			return kb * 1024, err
		}
	}
	return 0, errors.New("the process's memory can't be read")
}
