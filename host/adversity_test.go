package host_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host"
	"github.com/session-gateway/gateway/host/model"
)

// meddled runs a host behind a proxy that does as it likes with its requests.
func (s *scene) meddled(lease time.Duration, meddle func(http.ResponseWriter, *http.Request, http.Handler), steps ...model.Step) {
	s.Helper()
	forward := proxyTo(s.T, s.base)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { meddle(w, r, forward) }))
	s.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	h := host.New(host.Config{
		Client: connect(s.T, front.URL), Session: s.session, HostID: "host", Tools: s.work.Tools(), Lease: lease,
		Chat: model.NewScripted(&model.Script{Steps: steps}), Log: slog.New(slog.NewTextHandler(s.Output(), nil)),
	})
	ended := make(chan error, 1)
	go func() { ended <- h.Run(s.Context()) }()
	s.Cleanup(func() { require.ErrorIs(s, <-ended, s.Context().Err()) })
}

// TestAHostWhoseHistoryDivergedGoesOnFromTheSnapshot: the stream breaks when a
// call is on its way, and the cursor that the host comes back with is of another
// history.
func TestAHostWhoseHistoryDivergedGoesOnFromTheSnapshot(t *testing.T) {
	t.Parallel()
	s := enact(t, allowing())
	var cuts, returned atomic.Int32
	s.meddled(0, func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		if !strings.HasSuffix(r.URL.Path, "/events") {
			forward.ServeHTTP(w, r)
			return
		}
		if cuts.Load() == 1 && returned.Add(1) == 1 {
			diverge(r)
		}
		forward.ServeHTTP(&cutting{ResponseWriter: w, at: "event: call.dispatched", cuts: &cuts}, r)
	}, calls(call("c1", "run_shell_command", args{"command": "echo ran >> log"})), say("Done."))
	turn := s.finished(s.prompt("Run it."))
	require.Equal(t, "Done.", *turn.Text)
	require.Equal(t, 1, strings.Count(s.file("log"), "ran"))
	require.EqualValues(t, 1, cuts.Load(), "the stream was cut")
	s.told("")
}

// diverge makes a request's cursor one of another history.
func diverge(r *http.Request) {
	q := r.URL.Query()
	cursor := r.Header.Get("Last-Event-ID")
	if cursor == "" {
		cursor = q.Get("after")
	}
	seq, _, _ := strings.Cut(cursor, "-")
	q.Set("after", seq+"-00badbad")
	r.URL.RawQuery = q.Encode()
	r.Header.Del("Last-Event-ID")
}

// cutting drops the connection, once in all, instead of an event.
type cutting struct {
	http.ResponseWriter
	at   string
	cuts *atomic.Int32
}

// Write implements io.Writer.
func (c *cutting) Write(p []byte) (int, error) {
	if strings.Contains(string(p), c.at) && c.cuts.CompareAndSwap(0, 1) {
		panic(http.ErrAbortHandler)
	}
	return c.ResponseWriter.Write(p)
}

// Unwrap lets the proxy flush.
func (c *cutting) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// TestAHostWhoseLeaseRanOutAttachesAgainAndFinishesItsTurn: nothing is heard of
// the host for longer than its lease, while its turn goes on.
func TestAHostWhoseLeaseRanOutAttachesAgainAndFinishesItsTurn(t *testing.T) {
	t.Parallel()
	s := enact(t, client.SessionSpec{})
	var mute atomic.Bool
	mute.Store(true)
	s.meddled(10*time.Second, func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		if mute.Load() && strings.HasSuffix(r.URL.Path, "/heartbeat") {
			panic(http.ErrAbortHandler)
		}
		forward.ServeHTTP(w, r)
	}, calls(call("c1", "write_file", args{"file_path": "a.txt", "content": "a"})), say("Done."))
	tid := s.prompt("Write it.")
	s.until(client.EventTypeHostLost, func(json.RawMessage) bool { return true })
	mute.Store(false)
	s.answer("write_file", client.ApprovalResponse{OptionID: "allow_once"})
	turn := s.finished(tid)
	require.Equal(t, "Done.", *turn.Text)
	require.Equal(t, "a", s.file("a.txt"))
	attached := 0
	for _, e := range s.until(client.EventTypeTurnCompleted, of(tid)) {
		if e.Type == client.EventTypeHostAttached {
			attached++
		}
	}
	require.GreaterOrEqual(t, attached, 2)
}
