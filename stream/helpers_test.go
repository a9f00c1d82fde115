package stream_test

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

var topic = stream.Topic{Bucket: 7, Tenant: "acme", Session: "ses_1"}

func draft(typ string, size int) stream.Draft {
	return stream.Draft{Type: typ, Data: fmt.Appendf(nil, `{"pad":%q}`, strings.Repeat("x", size))}
}

// drafts are n small events.
func drafts(n int) []stream.Draft {
	d := make([]stream.Draft, n)
	for i := range d {
		d[i] = draft("call.result", 10)
	}
	return d
}

// newHub is a hub over logs; its jitter is none, so that moments can be foretold.
func newHub(logs *streamtest.Logs, change func(*stream.Config)) *stream.Hub {
	feed := logs.NewFeed()
	cfg := stream.Config{
		Log: logs, Feed: feed, Snapshots: logs, Tenants: logs,
		Jitter: func() float64 { return 0 },
		Now:    func() time.Time { return fixedTime },
	}
	if change != nil {
		change(&cfg)
	}
	hub := stream.NewHub(cfg)
	feed.Attach(hub)
	return hub
}

// start runs a hub until the test ends.
func start(t testing.TB, hub *stream.Hub) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- hub.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		require.NoError(t, <-done)
	})
}

// client is a response writer that keeps what it is sent. While it is stalled,
// writes block until their deadline, as a full socket does.
type client struct {
	mu       sync.Mutex
	head     http.Header // as it was sent
	next     http.Header
	body     strings.Builder
	flushes  int
	deadline time.Time
	stalled  bool
	onWrite  func()

	cancel context.CancelFunc
	done   chan struct{}
	err    error // of Serve, after done
}

func newClient() *client {
	return &client{next: http.Header{}, done: make(chan struct{})}
}

func (c *client) Header() http.Header { return c.next }

func (c *client) WriteHeader(int) { c.head = c.next.Clone() }

func (c *client) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stalled {
		time.Sleep(time.Until(c.deadline)) // in a synctest bubble: no time at all
		return 0, fmt.Errorf("write: %w", os.ErrDeadlineExceeded)
	}
	if c.onWrite != nil {
		c.onWrite()
	}
	return c.body.Write(p)
}

func (c *client) FlushError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flushes++
	return nil
}

func (c *client) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = t
	return nil
}

func (c *client) stall() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.stalled = true
}

func (c *client) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.body.String()
}

func (c *client) flushed() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flushes
}

// events is what has arrived, without the first retry hint.
func (c *client) events() []wireEvent {
	var events []wireEvent
	for _, e := range parseWire(c.text()) {
		if e.retry == "" {
			events = append(events, e)
		}
	}
	return events
}

func (c *client) ids() []string {
	ids := []string{}
	for _, e := range c.events() {
		ids = append(ids, e.id)
	}
	return ids
}

// over says whether the stream has ended.
func (c *client) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// connect opens a stream. The test's end closes it.
func connect(t testing.TB, hub *stream.Hub, r stream.Request) *client {
	t.Helper()
	return connectTo(t, func(s serving) error { return hub.Serve(s.ctx, s.w, r) })
}

// serving is what a stream is written to, and until when.
type serving struct {
	ctx context.Context
	w   http.ResponseWriter
}

func connectTo(t testing.TB, serve func(serving) error) *client {
	t.Helper()
	c := newClient()
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	go func() {
		defer close(c.done)
		c.err = serve(serving{ctx: ctx, w: c})
	}()
	t.Cleanup(func() {
		cancel()
		<-c.done
	})
	return c
}

func cursor(t testing.TB, s string) stream.Cursor {
	t.Helper()
	c, err := stream.ParseCursor(s)
	require.NoError(t, err)
	return c
}

func filter(t testing.TB, s string) stream.Filter {
	t.Helper()
	f, err := stream.ParseFilter(s)
	require.NoError(t, err)
	return f
}

// ids are the ids of events.
func ids(events []stream.Event) []string {
	out := []string{}
	for _, e := range events {
		out = append(out, e.ID().String())
	}
	return out
}
