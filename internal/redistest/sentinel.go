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
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
)

const (
	watched   = "main" // the name that the sentinels know the primary by
	sentinels = 3      // the least that still agrees when one is gone
	quorum    = 2
	// downAfter is how long (ms) a primary may be silent; short, because tests wait for it.
	downAfter = 2000
	// failoverLimit is how long (ms) one attempt at a failover may take.
	failoverLimit = 5000
)

// Sentinel is a primary with two replicas, watched by three sentinels.
type Sentinel struct {
	Nodes  []*Server // who is primary changes; ask [Sentinel.Primary]
	guards []*guard
}

// guard is one process of Redis Sentinel.
type guard struct {
	dir  string
	port int
	cmd  *exec.Cmd
	done chan struct{}
}

// StartSentinel runs the six processes until the test ends.
func StartSentinel(tb testing.TB) *Sentinel {
	tb.Helper()
	s := &Sentinel{}
	tb.Cleanup(s.remove)
	for range 3 {
		s.Nodes = append(s.Nodes, launch(tb, false))
	}
	if err := s.form(tb); err != nil {
		tb.Fatalf("form a primary with replicas under Sentinel: %v", err)
	}
	return s
}

// URL names the sentinels, which makes the gateway ask them for the primary.
func (s *Sentinel) URL() string {
	var url strings.Builder
	url.WriteString("redis://" + s.guards[0].addr() + "?master_name=" + watched)
	for _, g := range s.guards[1:] {
		url.WriteString("&addr=" + g.addr())
	}
	return url.String()
}

// Primary is the server that the sentinels name now.
func (s *Sentinel) Primary(ctx context.Context) (*Server, error) {
	var errs []error
	for _, g := range s.guards {
		addr, err := g.primary(ctx)
		for _, n := range s.Nodes {
			if err == nil && n.Addr() == addr {
				return n, nil
			}
		}
		errs = append(errs, err)
	}
	return nil, fmt.Errorf("ask the sentinels: %w", errors.Join(errs...))
}

// AwaitFailover waits until the sentinels name another primary than this one.
func (s *Sentinel) AwaitFailover(ctx context.Context, from *Server) error {
	return poll(ctx, func() error {
		now, err := s.Primary(ctx)
		if err == nil && now == from {
			err = errForming
		}
		if err != nil {
			return err
		}
		return hasRole(ctx, now, "master")
	})
}

// Rejoin makes a server that runs again a replica of the primary, and waits
// until it has all data. The sentinels would do so too, ten seconds later.
func (s *Sentinel) Rejoin(ctx context.Context, n *Server) error {
	return poll(ctx, func() error {
		primary, err := s.Primary(ctx)
		if err != nil || primary == n {
			return errors.Join(err, errForming)
		}
		if hasRole(ctx, n, "slave") != nil {
			if err := follow(ctx, n, primary); err != nil {
				return err
			}
		}
		return synced(ctx, n)
	})
}

func (s *Sentinel) form(tb testing.TB) error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	for _, replica := range s.Nodes[1:] {
		if err := follow(ctx, replica, s.Nodes[0]); err != nil {
			return err
		}
	}
	for _, replica := range s.Nodes[1:] {
		if err := poll(ctx, func() error { return synced(ctx, replica) }); err != nil {
			return err
		}
	}
	for range sentinels {
		g := &guard{dir: tempDir(tb), port: freePort()}
		s.guards = append(s.guards, g)
		if err := g.start(binary(tb), s.Nodes[0].port); err != nil {
			return err
		}
	}
	return poll(ctx, func() error { return s.complete(ctx) })
}

// complete says whether every sentinel knows the replicas and the others.
func (s *Sentinel) complete(ctx context.Context) error {
	for _, g := range s.guards {
		known, err := g.known(ctx)
		if err != nil {
			return err
		}
		if known["num-slaves"] != strconv.Itoa(len(s.Nodes)-1) ||
			known["num-other-sentinels"] != strconv.Itoa(sentinels-1) {
			return errForming
		}
	}
	return nil
}

func (s *Sentinel) remove() {
	for _, g := range s.guards {
		g.remove()
	}
	for _, n := range s.Nodes {
		n.remove()
	}
}

func (g *guard) addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(g.port)) }

func (g *guard) start(bin string, primary int) error {
	conf := filepath.Join(g.dir, "sentinel.conf")
	text := fmt.Sprintf("bind 127.0.0.1\nport %d\ndir %s\n"+
		"sentinel monitor %s 127.0.0.1 %d %d\nsentinel down-after-milliseconds %[3]s %[6]d\n"+
		"sentinel failover-timeout %[3]s %[7]d\nsentinel parallel-syncs %[3]s 2\n",
		g.port, g.dir, watched, primary, quorum, downAfter, failoverLimit)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		return fmt.Errorf("configure a sentinel: %w", err)
	}
	g.cmd = exec.Command(bin, conf, "--sentinel") //nolint:gosec,noctx // ended by its owner; the binary found in PATH, our own file
	log := &bytes.Buffer{}
	g.cmd.Stdout, g.cmd.Stderr, g.cmd.SysProcAttr = log, log, dieTogether()
	started, done := make(chan error, 1), make(chan struct{})
	g.done = done
	go own(g.cmd, started, done)
	if err := <-started; err != nil {
		return fmt.Errorf("run a sentinel: %w", err)
	}
	return nil
}

func (g *guard) primary(ctx context.Context) (string, error) {
	c := redis.NewSentinelClient(&redis.Options{Addr: g.addr(), MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = c.Close() }()
	at, err := c.GetMasterAddrByName(ctx, watched).Result()
	if err != nil {
		return "", fmt.Errorf("ask a sentinel for the primary: %w", err)
	}
	return net.JoinHostPort(at[0], at[1]), nil
}

func (g *guard) known(ctx context.Context) (map[string]string, error) {
	c := redis.NewSentinelClient(&redis.Options{Addr: g.addr(), MaxRetries: -1, DialerRetries: 1})
	defer func() { _ = c.Close() }()
	known, err := c.Master(ctx, watched).Result()
	if err != nil {
		return nil, fmt.Errorf("ask a sentinel what it knows: %w", err)
	}
	return known, nil
}

func (g *guard) remove() {
	if g.cmd != nil && g.cmd.Process != nil {
		_ = g.cmd.Process.Kill() // it may have ended by itself
		<-g.done
	}
	_ = os.RemoveAll(g.dir) // a temporary directory; the system cleans up what is left
}
