package api_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
	"github.com/session-gateway/gateway/tenants"
)

// soon bounds what has to happen.
const soon = 10 * time.Second

// shared is a gateway whose clients share one HTTP/2 connection, with real
// streams of one session.
type shared struct {
	t      *testing.T
	logs   *streamtest.Logs
	hub    *stream.Hub
	log    *logBuffer
	client *http.Client
	url    string
}

var sharedTopic = stream.Topic{Tenant: "dev", Session: sid}

func onHTTP2(t *testing.T, change func(*stream.Config), adjust ...func(*api.Config)) *shared {
	t.Helper()
	s := &shared{t: t, logs: streamtest.New()}
	s.append(1, 100)
	s.run(change)
	b := newBench()
	cfg := configOf(b)
	cfg.Hub, s.log = s.hub, b.log
	for _, f := range adjust {
		f(&cfg)
	}
	handler, err := api.New(cfg)
	require.NoError(t, err)
	s.serve(handler)
	return s
}

// run runs the hub until the test ends.
func (s *shared) run(change func(*stream.Config)) {
	feed := s.logs.NewFeed()
	cfg := stream.Config{Log: s.logs, Feed: feed, Snapshots: s.logs}
	change(&cfg)
	s.hub = stream.NewHub(cfg)
	feed.Attach(s.hub)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.hub.Run(ctx) }()
	s.t.Cleanup(func() {
		cancel()
		require.NoError(s.t, <-done)
	})
}

func (s *shared) serve(handler http.Handler) {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	server := httptest.NewUnstartedServer(handler)
	server.Config.Protocols = protocols
	server.Start()
	s.t.Cleanup(server.Close)
	transport := &http.Transport{Protocols: protocols}
	s.t.Cleanup(transport.CloseIdleConnections)
	s.client, s.url = &http.Client{Transport: transport}, server.URL
}

func (s *shared) append(n, size int) {
	for range n {
		s.logs.Append(sharedTopic, stream.Draft{Type: "call.result", Data: []byte(`"` + strings.Repeat("x", size) + `"`)})
	}
}

// get asks for a path of the session, with the key of every role.
func (s *shared) get(ctx context.Context, path string) *http.Response {
	s.t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/v1/sessions/"+sid+path, nil)
	require.NoError(s.t, err)
	req.Header.Set("Authorization", "Bearer "+everyRole)
	resp, err := s.client.Do(req)
	require.NoError(s.t, err)
	s.t.Cleanup(func() { _ = resp.Body.Close() })
	require.Equal(s.t, 2, resp.ProtoMajor)
	return resp
}

// events reads so many events.
func (s *shared) events(resp *http.Response, n int) {
	s.t.Helper()
	lines := bufio.NewScanner(resp.Body)
	for n > 0 {
		require.True(s.t, lines.Scan(), "the stream ended: %v", lines.Err())
		if strings.HasPrefix(lines.Text(), "event: ") {
			n--
		}
	}
}

func (s *shared) readers(n int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { return s.hub.Stats().Readers == n }, soon, time.Millisecond)
}

func unchanged(*stream.Config) {}

func TestStreamsShareAConnectionAndOneThatIsLeftEndsAlone(t *testing.T) {
	t.Parallel()
	s := onHTTP2(t, unchanged)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	left, stays := s.get(ctx, "/events"), s.get(t.Context(), "/events")
	s.events(left, 1)
	s.events(stays, 1)
	s.readers(2)
	leave()
	s.readers(1)
	s.append(2, 100)
	s.events(stays, 2)
	require.Equal(t, http.StatusOK, s.get(t.Context(), "").StatusCode, "other answers come on it as well")
}

func TestASilentStreamOverHTTP2HoldsNoLayers(t *testing.T) {
	t.Parallel()
	s := onHTTP2(t, unchanged)
	s.events(s.get(t.Context(), "/events"), 1)
	require.Eventually(t, func() bool {
		stacks := make([]byte, 4<<20)
		for one := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if strings.Contains(one, "(*aside).serve") && strings.Contains(one, "(*session).Wait") {
				return !strings.Contains(one, "chi.")
			}
		}
		return false
	}, soon, time.Millisecond)
}

func TestADrainEndsStreamsOverHTTP2(t *testing.T) {
	t.Parallel()
	s := onHTTP2(t, unchanged)
	resp := s.get(t.Context(), "/events?after=latest")
	s.readers(1)
	s.hub.Drain(time.Millisecond)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err, "it ends as a whole")
	require.Equal(t, 2, strings.Count(string(rest), "retry: "), "with a hint when to come back")
	s.readers(0)
	require.Equal(t, http.StatusServiceUnavailable, s.get(t.Context(), "/events").StatusCode)
}

// revocable are keys that are all taken back at once.
type revocable struct {
	keys
	revoked *atomic.Bool
}

func (r revocable) StillValid(tenants.Caller) bool { return !r.revoked.Load() }

func TestAStreamOverHTTP2EndsWithItsKey(t *testing.T) {
	t.Parallel()
	var revoked atomic.Bool
	s := onHTTP2(t, func(c *stream.Config) { c.Heartbeat = 5 * time.Millisecond }, func(c *api.Config) { c.Auth = revocable{keys{}, &revoked} })
	resp := s.get(t.Context(), "/events?after=latest")
	revoked.Store(true)
	rest, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NotContains(t, string(rest), "event: ")
	s.readers(0)
}

func TestAReaderOverHTTP2ThatDoesNotReadIsCutOffAlone(t *testing.T) {
	t.Parallel()
	s := onHTTP2(t, func(c *stream.Config) { c.WriteTimeout = time.Second })
	deaf, healthy := s.get(t.Context(), "/events"), s.get(t.Context(), "/events")
	s.readers(2)
	const events = 1000 // × 7 kB: more than the window of a stream holds
	go s.append(events, 7000)
	s.events(healthy, events+1)
	s.readers(1)
	_, err := io.Copy(io.Discard, deaf.Body)
	require.Error(t, err, "it can tell that it was cut off")
}

// fragile is a stream that panics when it goes on.
type fragile struct{ fakeStream }

func (f fragile) Begin(w http.ResponseWriter) error {
	return errors.Join(f.fakeStream.Begin(w), http.NewResponseController(w).Flush())
}

func (fragile) Advance(context.Context) (open bool, err error) { panic("oops") }

// breaking gives fragile streams to those who filter, real ones to others.
type breaking struct{ *stream.Hub }

func (b breaking) Open(ctx context.Context, r stream.Request) (stream.Stream, error) {
	if r.Filter.Active() {
		return fragile{"data: x\n\n"}, nil
	}
	return b.Hub.Open(ctx, r)
}

func TestAPanicBreaksOffItsStreamAlone(t *testing.T) {
	t.Parallel()
	s := onHTTP2(t, unchanged, func(c *api.Config) { c.Hub = breaking{c.Hub.(*stream.Hub)} })
	stays := s.get(t.Context(), "/events")
	s.events(stays, 1)
	broken := s.get(t.Context(), "/events?types=call.")
	_, err := io.ReadAll(broken.Body)
	require.Error(t, err)
	s.append(1, 100)
	s.events(stays, 1)
	assert.Contains(t, s.log.String(), "stream panicked")
	assert.Contains(t, s.log.String(), "oops")
}
