package chaos

import (
	"context"
	"net/http"
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

	"github.com/session-gateway/gateway/internal/casetest"
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
	watch := s.redis.Client(t)
	s.visit(ctx, choose(600, 2500)) // so that pools, caches and buffers have the size that they keep
	before := s.level(ctx, watch)
	s.visit(ctx, choose(500, 10_000))
	after := s.level(ctx, watch)
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
func (s *stand) level(ctx context.Context, c *redis.Client) level {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return len(c.PubSubChannels(ctx, "gw:{b*").Val()) == 0 }, within, lookEvery)
	alive := s.heap(ctx)
	s.clients.CloseIdleConnections()
	return level{files: s.gateways[0].files(s.t), connections: connections(ctx, s.t, c), heap: alive}
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

// collections is after how many rounds without visitors garbage is gone, what
// pools and finalizers held included.
const collections = 4

// heap is what is alive in a gateway that nobody uses, in MB. Small requests,
// one after the other, make it collect.
func (s *stand) heap(ctx context.Context) int {
	s.t.Helper()
	for begin := len(s.gateways[0].traces(s.t)); len(s.gateways[0].traces(s.t)) < begin+collections; {
		for range 100 {
			_, err := s.at(0).Do(ctx, casetest.Call{Method: http.MethodGet, Path: "/v1/sessions/none"})
			require.NoError(s.t, err)
		}
	}
	traces := s.gateways[0].traces(s.t)
	alive, err := strconv.Atoi(traces[len(traces)-1][1])
	require.NoError(s.t, err)
	return alive
}

func (p *process) traces(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile(p.logs)
	require.NoError(t, err)
	return collected.FindAllStringSubmatch(string(text), -1)
}

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
