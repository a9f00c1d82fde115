package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// scraped is what /metrics says at an address.
func scraped(t *testing.T, base string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/metrics", nil)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, resp.Body.Close()) }()
	require.Equal(t, http.StatusOK, resp.StatusCode)
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return string(text)
}

func TestMetricsSayWhatHappenedAndToWhomTheyDont(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	p := newPlanning(t, s, nil)
	feed := s.follow(t, p.sid, casetest.Chain{})
	batch := p.send(write)
	until(t, feed, "approval.requested")
	approval := s.pending(t, p.sid)
	_, err := s.Person.Respond(t.Context(), approval.ID, object{"option_id": "allow_once"})
	require.NoError(t, err)
	_, err = s.Host.Report(t.Context(), p.sid, batch.ID, "h", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(t, err)
	until(t, feed, "batch.completed")

	text := scraped(t, s.base)
	for _, line := range []string{
		`gateway_batches_completed_total{runtime="core",status="completed"} 1`,
		`gateway_calls_ended_total{reason="none",runtime="core",status="success"} 1`,
		`gateway_approvals_resolved_total{kind="tool",status="approved"} 1`,
		`gateway_http_requests_total{code="2xx",method="POST",route="/v1/sessions/{sid}/batches"} 1`,
		`gateway_streams_open 1`, `gateway_redis_up 1`,
	} {
		require.Contains(t, text, "\n"+line+"\n")
	}
	require.Regexp(t, `(?m)^gateway_stream_delivery_seconds_count [1-9]`, text)
	for _, secret := range []string{"acme", p.sid, batch.ID, approval.ID, "alice", keyOf("alice")} {
		require.NotContains(t, text, secret)
	}
}

// TestAStopCanBeWatchedToItsEnd: the listener for metrics outlives the other.
func TestAStopCanBeWatchedToItsEnd(t *testing.T) {
	t.Parallel()
	r := start(t, "--bootstrap="+bootstrapFile(t), "--metrics-listen=127.0.0.1:0", "--drain=5s")
	base := "http://" + r.app.metrics.Addr().String()
	require.Contains(t, scraped(t, base), "\ngateway_draining 0\n")
	s := standAt(t, r.base)
	sid := s.session(t, `{}`).ID
	feed := s.follow(t, sid, casetest.Chain{}) // it keeps the stop busy
	t.Cleanup(feed.Close)

	r.stop()
	require.Eventually(t, func() bool {
		return strings.Contains(scraped(t, base), "\ngateway_draining 1\n") && !reachable(r.base)
	}, e2eTimeout, 10*time.Millisecond)
	http.DefaultClient.CloseIdleConnections()
}
