package redistest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	startTimeout = 2 * time.Minute       // a loaded CI machine, cluster formation included
	pollEvery    = 20 * time.Millisecond // between looks at a server that is starting
	portAttempts = 5                     // a free port may be taken before Redis binds it
)

// Server is one redis-server process with a directory of its own.
type Server struct {
	tb      testing.TB // the test that started it; only for failures in its own goroutine
	bin     string
	dir     string
	port    int
	cluster bool

	mu   sync.Mutex // guards the three
	cmd  *exec.Cmd  // nil when it does not run
	done chan struct{}
	log  *bytes.Buffer // to be read when the process has ended
}

// Start runs a server until the test ends. It appends every write to its
// file before it answers, so a kill loses nothing.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s := launch(tb, false)
	tb.Cleanup(s.remove)
	return s
}

// launch starts a server that the caller removes.
func launch(tb testing.TB, cluster bool) *Server {
	tb.Helper()
	bin := binary(tb)
	for range portAttempts {
		s := &Server{tb: tb, bin: bin, dir: tempDir(tb), port: freePort(), cluster: cluster}
		err := s.start()
		if err == nil {
			return s
		}
		s.remove()
		tb.Logf("start redis-server: %v\n%s", err, s.log)
	}
	tb.Fatal("redis-server did not start")
	return nil
}

// Addr is the server's host:port.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// URL is the server's address as the gateway takes it.
func (s *Server) URL() string { return "redis://" + s.Addr() }

// Kill ends the process at once, as kill -9 does, and waits for it.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill() // it may have ended by itself
	<-s.done
	s.cmd = nil
}

// Restart kills the process if it runs and starts it again on its data.
func (s *Server) Restart() {
	s.tb.Helper()
	s.Kill()
	if err := s.start(); err != nil {
		s.Kill()
		s.tb.Fatalf("restart redis-server: %v\n%s", err, s.log)
	}
}

// Pause freezes the process: its connections stay open and nothing answers.
func (s *Server) Pause() { s.signal(syscall.SIGSTOP) }

// Resume lets a paused process go on.
func (s *Server) Resume() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.tb.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.cmd == nil {
		s.tb.Fatalf("signal %v: the server does not run", sig)
	}
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.tb.Fatalf("signal %v: %v", sig, err)
	}
}

// Client is a plain client of this server, closed when the test ends.
func (s *Server) Client(tb testing.TB) *redis.Client {
	tb.Helper()
	c := redis.NewClient(&redis.Options{Addr: s.Addr()})
	tb.Cleanup(func() { _ = c.Close() })
	return c
}

func (s *Server) start() error {
	log := &bytes.Buffer{}
	cmd := exec.Command(s.bin, s.flags()...) //nolint:gosec,noctx // ended by its owner; the binary found in PATH, our own flags
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = log, log, dieTogether()
	started, done := make(chan error, 1), make(chan struct{})
	go own(cmd, started, done)
	if err := <-started; err != nil {
		return fmt.Errorf("run %s: %w", s.bin, err)
	}
	s.mu.Lock()
	s.cmd, s.done, s.log = cmd, done, log
	s.mu.Unlock()
	return s.await(cmd.Process.Pid, done)
}

// own starts a process and waits for it on one thread, because the system
// ties the life of the one to the other.
func own(cmd *exec.Cmd, started chan<- error, done chan<- struct{}) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(done)
	err := cmd.Start()
	started <- err
	if err == nil {
		_ = cmd.Wait() // a killed process always reports that it was killed
	}
}

func (s *Server) flags() []string {
	flags := []string{
		"--bind", "127.0.0.1", "--port", strconv.Itoa(s.port), "--dir", s.dir,
		"--appendonly", "yes", "--appendfsync", "everysec", "--save", "",
		"--maxmemory-policy", "noeviction", "--daemonize", "no",
		"--repl-diskless-sync-delay", "0", // a replica that comes is served at once, not with those that may follow
	}
	if s.cluster {
		flags = append(flags, "--cluster-enabled", "yes", "--cluster-node-timeout", "5000",
			"--cluster-config-file", filepath.Join(s.dir, "nodes.conf"))
	}
	return flags
}

// await polls until the server has loaded its data. Who answers must be this
// process: one whose port was taken first ends, and another's server answers.
func (s *Server) await(pid int, ended <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	return poll(ctx, func() error {
		select {
		case <-ended:
			return errExited
		default:
			return errors.Join(s.do(ctx, "PING"), s.says(ctx, "server", fmt.Sprintf("process_id:%d\r\n", pid)))
		}
	})
}

func (s *Server) remove() {
	s.Kill()
	_ = os.RemoveAll(s.dir) // a temporary directory; the system cleans up what is left
}
