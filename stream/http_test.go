package stream_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	sse "github.com/r3labs/sse/v2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"gopkg.in/cenkalti/backoff.v1"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/stream/streamtest"
)

// serve is a replica behind a real HTTP server; a request's Last-Event-ID is
// its cursor.
func serve(t testing.TB, hub *stream.Hub) *httptest.Server {
	t.Helper()
	start(t, hub)
	return listen(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := stream.ParseCursor(r.Header.Get("Last-Event-ID"))
		if err == nil {
			err = hub.Serve(r.Context(), w, stream.Request{Topic: topic, Cursor: c})
		}
		if err != nil {
			w.Header().Set("Test-Error", err.Error())
		}
	}))
}

func listen(t testing.TB, h http.Handler) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(func() {
		srv.CloseClientConnections()
		srv.Close()
	})
	return srv
}

// patience is how long a test waits for what another goroutine or server does.
// It is far over what it takes, for the sake of busy machines.
const patience = 90 * time.Second

// follow reads a stream with a client that is not ours until it has n events.
func follow(t testing.TB, url string, after []byte, n int) []*sse.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c := sse.NewClient(url, sse.ClientMaxBufferSize(1<<20))
	c.Connection = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	c.ReconnectStrategy = &backoff.StopBackOff{}
	if after != nil {
		c.LastEventID.Store(after)
	}
	var got []*sse.Event
	err := c.SubscribeWithContext(ctx, "", func(e *sse.Event) {
		if len(e.Data) > 0 && len(got) < n {
			got = append(got, e)
		}
		if len(got) == n {
			cancel()
		}
	})
	require.NoError(t, err)
	require.Len(t, got, n)
	return got
}

func TestAnIndependentClientResumesOnAnotherReplica(t *testing.T) {
	t.Parallel()
	logs := streamtest.New()
	logs.Append(topic, drafts(200)...)
	a, b := serve(t, newHub(logs, nil)), serve(t, newHub(logs, nil))

	got := follow(t, a.URL, nil, 90)
	logs.Append(topic, drafts(10)...)
	got = append(got, follow(t, b.URL, got[89].ID, 120)...)

	for i, e := range logs.Events(topic) {
		require.Equal(t, e.ID().String(), string(got[i].ID))
		require.Equal(t, e.Type, string(got[i].Event))
		require.Equal(t, string(e.JSON), string(got[i].Data))
	}
}

// dial opens a stream on a bare connection.
func dial(t testing.TB, url string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
	require.NoError(t, err)
	return conn
}

func TestASocketThatIsNeverReadIsCutOffAlone(t *testing.T) {
	t.Parallel()
	logs := streamtest.New()
	logs.Append(topic, drafts(1)...)
	hub := newHub(logs, func(c *stream.Config) { c.WriteTimeout = 10 * time.Second })
	srv := serve(t, hub)
	dial(t, srv.URL)
	require.Eventually(t, func() bool { return hub.Stats().Readers == 1 }, patience, time.Millisecond)
	const events = 2000 // × 7 kB: more than both socket buffers hold
	go func() {
		assert.Eventually(t, func() bool { return hub.Stats().Readers == 2 }, patience, time.Millisecond)
		for range events {
			logs.Append(topic, draft("call.result", 7000))
		}
	}()
	follow(t, srv.URL, nil, events+1)
	require.Eventually(t, func() bool { return hub.Stats().Readers == 0 }, patience, time.Millisecond)
}

func TestAStreamStaysOpenOverHTTP2BeyondItsWriteDeadline(t *testing.T) {
	t.Parallel()
	logs := streamtest.New()
	logs.Append(topic, drafts(1)...)
	hub := newHub(logs, func(c *stream.Config) { c.WriteTimeout, c.Heartbeat = time.Second, 3*time.Second })
	start(t, hub)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := hub.Serve(r.Context(), w, stream.Request{Topic: topic}); err != nil {
			t.Log(err)
		}
	}))
	srv.EnableHTTP2 = true
	srv.StartTLS()
	t.Cleanup(srv.Close)

	res, err := srv.Client().Get(srv.URL)
	require.NoError(t, err)
	defer res.Body.Close()
	require.Equal(t, 2, res.ProtoMajor)
	beats := 0
	for lines := bufio.NewScanner(res.Body); beats < 2; {
		require.True(t, lines.Scan(), "the stream ended: %v", lines.Err())
		if lines.Text() == ": heartbeat" {
			beats++
		}
	}
}
