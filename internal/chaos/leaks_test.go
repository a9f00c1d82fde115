package chaos

import (
	"context"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/internal/redistest"
)

const (
	visitors = 32 // at a time
	// What may be left when everybody has gone: idle connections of pools that
	// grew, and what keeps a garbage collector from ending at the same number.
	moreFiles      = 24
	moreGoroutines = 24
	moreHeap       = 8 // MB
)

func TestNothingIsLeftOfSessionsAndStreamsThatAreGone(t *testing.T) {
	t.Parallel()
	s := newStand(t, redistest.Start(t), "")
	ctx, cancel := context.WithTimeout(t.Context(), choose(within, 10*within))
	defer cancel()
	quiet := goroutinesOfAQuietGateway(t)
	s.visit(ctx, 200) // so that pools, caches and buffers have the size that they keep
	before := s.level(ctx)
	s.visit(ctx, choose(500, 10_000))
	after := s.level(ctx)
	t.Logf("before %+v, after %+v", before, after)

	require.LessOrEqual(t, after.files, before.files+moreFiles)
	require.LessOrEqual(t, after.connections, before.connections+moreFiles)
	require.LessOrEqual(t, after.heap, before.heap+moreHeap)
	require.LessOrEqual(t, s.gateways[0].goroutines(t), quiet+moreGoroutines)
}

// visit makes sessions, each with work, a stream that is left in the middle and
// one that is read to the session's end.
func (s *stand) visit(ctx context.Context, sessions int) {
	s.t.Helper()
	var g errgroup.Group
	g.SetLimit(visitors)
	for range sessions {
		g.Go(func() error { return s.passBy(ctx) })
	}
	require.NoError(s.t, g.Wait())
}

func (s *stand) passBy(ctx context.Context) error {
	sid, err := s.open(ctx)
	if err != nil {
		return err
	}
	if err := s.run(ctx, 0, sid, 2, 2000); err != nil {
		return err
	}
	l := &listener{addr: s.gateways[0].addr, sid: sid, clients: s.clients}
	if err := l.listen(ctx, func(f frame) bool { return f.event == "batch.started" }); err != nil {
		return err
	}
	if err := s.at(0).CloseSession(ctx, sid); err != nil {
		return err //nolint:wrapcheck // the test says what it was
	}
	return l.listen(ctx, func(f frame) bool { return f.event == "session.closed" })
}

// level is what a gateway holds.
type level struct{ files, connections, heap int }

// level waits until no stream lingers and then looks.
func (s *stand) level(ctx context.Context) level {
	s.t.Helper()
	s.clients.CloseIdleConnections()
	c := s.redis.Client(s.t)
	require.Eventually(s.t, func() bool { return len(c.PubSubChannels(ctx, "gw:*").Val()) == 0 }, within, lookEvery)
	return level{files: s.gateways[0].files(s.t), connections: connections(ctx, s.t, c), heap: s.gateways[0].heap(s.t)}
}

func connections(ctx context.Context, t *testing.T, c *redis.Client) int {
	t.Helper()
	list, err := c.ClientList(ctx).Result()
	require.NoError(t, err)
	return strings.Count(list, "\n")
}

// collected is a line of the garbage collector's trace; the third number is
// what was alive.
var collected = regexp.MustCompile(`(?m)^gc \d+ @.*? \d+->\d+->(\d+) MB`)

// heap is what was alive in the gateway at the least of its last collections,
// in MB: the last alone may have been in the middle of something.
func (p *process) heap(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(p.logs)
	require.NoError(t, err)
	traces := collected.FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, traces)
	least := 1 << 30
	for _, trace := range traces[max(0, len(traces)-lastCollections):] {
		alive, err := strconv.Atoi(trace[1])
		require.NoError(t, err)
		least = min(least, alive)
	}
	return least
}

const lastCollections = 5

// goroutinesOfAQuietGateway is how many there are when nothing ever happened.
func goroutinesOfAQuietGateway(t *testing.T) int {
	t.Helper()
	return newStand(t, redistest.Start(t), "").gateways[0].goroutines(t)
}

// goroutines ends the gateway and counts what its last words list.
func (p *process) goroutines(t *testing.T) int {
	t.Helper()
	l := p.take()
	require.NoError(t, l.cmd.Process.Signal(syscall.SIGQUIT))
	select {
	case <-l.ended:
	case <-time.After(within):
		t.Fatal("the gateway did not end after SIGQUIT")
	}
	text, err := os.ReadFile(p.logs)
	require.NoError(t, err)
	return strings.Count(string(text), "\ngoroutine ")
}
