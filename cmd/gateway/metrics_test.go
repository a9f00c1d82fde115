package main

import (
	"errors"
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
	text, err := scrape(base)
	require.NoError(t, err)
	return text
}

func scrape(base string) (string, error) {
	resp, err := http.Get(base + "/metrics")
	if err != nil {
		return "", err
	}
	text, err := io.ReadAll(resp.Body)
	if resp.StatusCode != http.StatusOK {
		err = errors.Join(err, errors.New(resp.Status))
	}
	return string(text), errors.Join(err, resp.Body.Close())
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
	r := start(t, "--bootstrap="+bootstrapFile(t), "--metrics-listen=127.0.0.1:0", "--drain=60s")
	base := "http://" + r.app.metrics.Addr().String()
	require.Contains(t, scraped(t, base), "\ngateway_draining 0\n")
	finish := halfSent(t, r.base)

	r.stop()
	require.Eventually(t, func() bool {
		text, err := scrape(base)
		return err == nil && strings.Contains(text, "\ngateway_draining 1\n") && !reachable(r.base)
	}, e2eTimeout, 10*time.Millisecond)
	finish()
	http.DefaultClient.CloseIdleConnections()
}

// halfSent sends the beginning of a request, which keeps a stop busy until the
// rest follows.
func halfSent(t *testing.T, base string) (finish func()) {
	t.Helper()
	body, rest := io.Pipe()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, base+"/v1/sessions", body)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+keyOf("alice"))
	req.Header.Set("Content-Type", "application/json")
	answered := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			err = resp.Body.Close()
		}
		answered <- err
	}()
	_, err = io.WriteString(rest, "{")
	require.NoError(t, err)
	return func() {
		_, err := io.WriteString(rest, "}")
		require.NoError(t, errors.Join(err, rest.Close(), <-answered))
	}
}
