package chaos

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/session-gateway/gateway/internal/porttest"
)

const (
	readyWithin = 60 * time.Second      // a start on a busy machine, Redis's own recovery included
	lookEvery   = 50 * time.Millisecond // between looks at something that is awaited
	stopWithin  = 30 * time.Second      // longer than the drain time of any scenario
)

var (
	errEndedEarly = errors.New("the gateway ended before it was ready")
	errUnclean    = errors.New("the gateway did not end well after SIGTERM")
)

// process is one gateway. It keeps its address over restarts.
type process struct {
	program string
	flags   []string
	env     []string // beside the test's own
	addr    string
	logs    string // its standard error, of all its lives

	mu   sync.Mutex // guards the rest
	life *life      // nil while it doesn't run
}

// life is one run of the program.
type life struct {
	cmd   *exec.Cmd
	ended chan struct{} // closed after err was set
	err   error
}

// newProcess is a gateway that doesn't run yet. It is killed when the test ends.
func newProcess(tb testing.TB, flags ...string) *process {
	tb.Helper()
	p := &process{program: program(tb), addr: porttest.Addr(), logs: filepath.Join(tb.TempDir(), "gateway.log")}
	p.flags = append([]string{"serve", "--listen=" + p.addr}, flags...)
	tb.Cleanup(p.kill)
	return p
}

// up starts the gateway and, as a supervisor does, starts it again as long as
// it ends before it is ready: Redis may be away.
func (p *process) up(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyWithin)
	defer cancel()
	for {
		err := p.start(ctx)
		if err == nil || !errors.Is(err, errEndedEarly) {
			return err
		}
		if pause(ctx, lookEvery) != nil {
			return fmt.Errorf("start a gateway: %w: %w", ctx.Err(), err)
		}
	}
}

func (p *process) start(ctx context.Context) error {
	logs, err := os.OpenFile(p.logs, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open the log: %w", err)
	}
	l := &life{cmd: exec.Command(p.program, p.flags...), ended: make(chan struct{})}
	l.cmd.Stderr, l.cmd.SysProcAttr = logs, dieTogether()
	l.cmd.Env = append(l.cmd.Environ(), p.env...)
	running := make(chan error, 1)
	go l.own(logs, running)
	if err := <-running; err != nil {
		return fmt.Errorf("run %s: %w", p.program, err)
	}
	p.mu.Lock()
	p.life = l
	p.mu.Unlock()
	return p.awaitReady(ctx, l)
}

// own starts a process and waits for it on one thread, because the system
// ties the life of the one to the other.
func (l *life) own(logs *os.File, running chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(l.ended)
	err := l.cmd.Start()
	running <- err
	if err == nil {
		err = l.cmd.Wait()
	}
	l.err = errors.Join(err, logs.Close())
}

func (p *process) awaitReady(ctx context.Context, l *life) error {
	for {
		if ready(ctx, p.addr) {
			return nil
		}
		select {
		case <-l.ended:
			return fmt.Errorf("%w: %w", errEndedEarly, l.err)
		case <-ctx.Done():
			return fmt.Errorf("await a gateway: %w", ctx.Err())
		case <-time.After(lookEvery):
		}
	}
}

// ready says whether a gateway takes requests.
func ready(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, attemptWithin)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/readyz", http.NoBody)
	if err != nil {
		return false
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return false
	}
	return res.Body.Close() == nil && res.StatusCode == http.StatusOK
}

// kill ends the gateway as kill -9 does, and waits for it.
func (p *process) kill() {
	if l := p.take(); l != nil {
		_ = l.cmd.Process.Kill() // it may have ended by itself
		<-l.ended
	}
}

// stop tells the gateway to end and wants it to end well.
func (p *process) stop() error {
	l := p.take()
	if err := l.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("%w: %w", errUnclean, err)
	}
	select {
	case <-l.ended:
	case <-time.After(stopWithin):
		_ = l.cmd.Process.Kill()
		<-l.ended
		return fmt.Errorf("%w: it was still there after %v", errUnclean, stopWithin)
	}
	if l.err != nil {
		return fmt.Errorf("%w: %w", errUnclean, l.err)
	}
	return nil
}

// signal freezes or thaws the gateway.
func (p *process) signal(s syscall.Signal) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.life.cmd.Process.Signal(s); err != nil {
		return fmt.Errorf("signal %v: %w", s, err)
	}
	return nil
}

func (p *process) take() *life {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.life
	p.life = nil
	return l
}

// crashed is how the gateway ended without being asked to, or nil.
func (p *process) crashed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.life == nil {
		return nil
	}
	select {
	case <-p.life.ended:
		return fmt.Errorf("a gateway ended by itself: %w", p.life.err)
	default:
		return nil
	}
}

// complaints are the lines of its log that must not be there, whatever is
// done to a gateway from outside. Requests that fail are the clients' to judge.
func (p *process) complaints() ([]string, error) {
	text, err := os.ReadFile(p.logs)
	if err != nil {
		return nil, fmt.Errorf("read the log: %w", err)
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		failed := strings.Contains(line, `"level":"ERROR"`) && !strings.Contains(line, `"msg":"request failed"`)
		if failed || strings.Contains(line, "panic") {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found, nil
}

// pause waits for a while, or until ctx is over.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err() //nolint:wrapcheck // why the caller has to end, as it is
	case <-timer.C:
		return nil
	}
}
