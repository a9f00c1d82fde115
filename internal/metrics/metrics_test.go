package metrics

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// scrape is what /metrics says.
func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code)
	text, err := io.ReadAll(w.Body)
	require.NoError(t, err)
	return string(text)
}

// says wants each line to be there.
func says(t *testing.T, m *Metrics, lines ...string) {
	t.Helper()
	text := scrape(t, m)
	for _, line := range lines {
		require.Contains(t, text, "\n"+line+"\n")
	}
}

func TestRequestsAreCountedByRouteMethodAndClass(t *testing.T) {
	t.Parallel()
	m := New(Build{Version: "v1", Commit: "abc", Go: "go1"})
	m.Request(api.Exchange{Route: "/v1/sessions/{sid}", Method: "GET", Status: 404, Took: 30 * time.Millisecond, Problems: []sessions.Code{sessions.CodeNotFound}})
	m.Request(api.Exchange{Route: "/v1/sessions/{sid}/events", Method: "GET", Status: 200, Stream: true})
	m.Request(api.Exchange{Method: "OTHER", Status: 405})
	says(t, m, `gateway_tls_certificate_not_after_timestamp_seconds 0`)
	m.Certificate(time.Unix(1.8e9, 0))
	says(t, m,
		`gateway_build_info{commit="abc",go_version="go1",version="v1"} 1`,
		`gateway_tls_certificate_not_after_timestamp_seconds 1.8e+09`,
		`gateway_http_requests_total{code="4xx",method="GET",route="/v1/sessions/{sid}"} 1`,
		`gateway_http_requests_total{code="2xx",method="GET",route="/v1/sessions/{sid}/events"} 1`,
		`gateway_http_requests_total{code="4xx",method="OTHER",route="none"} 1`,
		`gateway_http_problems_total{reason="not_found"} 1`,
		`gateway_http_problems_total{reason="host_fenced"} 0`,
		`gateway_http_request_duration_seconds_bucket{code="4xx",method="GET",route="/v1/sessions/{sid}",le="0.025"} 0`,
		`gateway_http_request_duration_seconds_bucket{code="4xx",method="GET",route="/v1/sessions/{sid}",le="0.05"} 1`,
	)
	require.NotContains(t, scrape(t, m), `gateway_http_request_duration_seconds_count{code="2xx"`, "a stream has no duration")
}

func TestTransitionsAreCounted(t *testing.T) {
	t.Parallel()
	m := New(Build{})
	now := time.UnixMilli(1_000_000)
	denied := scheduler.Reason("permission_denied")
	batch := &scheduler.Batch{
		Status: scheduler.BatchCompleted, Created: now.Add(-3 * time.Second),
		Calls: []scheduler.Call{
			{Result: &scheduler.Result{Status: scheduler.StatusSuccess}},
			{Result: &scheduler.Result{Status: scheduler.StatusError, Reason: &denied}},
		},
		Approvals: []scheduler.Approval{
			{Kind: scheduler.ApprovalTool, Status: scheduler.ApprovalApproved, Requested: now.Add(-2 * time.Second), Resolved: now},
			{Kind: scheduler.ApprovalPlanExit, Status: scheduler.ApprovalExpired, Requested: now.Add(-time.Hour), Resolved: now},
			{Kind: scheduler.ApprovalTool, Status: scheduler.ApprovalPending, Requested: now},
		},
	}
	m.Sessions().Committed(context.Background(), sessions.Transition{Runtime: scheduler.RuntimeACP, Created: true, Effects: &scheduler.Effects{}})
	m.Sessions().Committed(context.Background(), sessions.Transition{
		Runtime: scheduler.RuntimeACP, Batch: batch, Now: now, Effects: &scheduler.Effects{
			Submitted: true, Completed: true, Ended: []int{0, 1}, Raised: []int{2}, Resolved: []int{0, 1}, Lost: &scheduler.HostLoss{},
		},
	})
	m.Sessions().Swept(4*time.Second, 7)
	says(t, m,
		`gateway_sessions_created_total{runtime="acp"} 1`,
		`gateway_batches_submitted_total{runtime="acp"} 1`,
		`gateway_batches_completed_total{runtime="acp",status="completed"} 1`,
		`gateway_batch_duration_seconds_sum{runtime="acp"} 3`,
		`gateway_calls_ended_total{reason="none",runtime="acp",status="success"} 1`,
		`gateway_calls_ended_total{reason="permission_denied",runtime="acp",status="error"} 1`,
		`gateway_approvals_requested_total{kind="tool"} 1`,
		`gateway_approvals_resolved_total{kind="plan_exit",status="expired"} 1`,
		`gateway_approval_answer_seconds_sum{kind="tool"} 2`,
		`gateway_approval_answer_seconds_count{kind="plan_exit"} 0`,
		`gateway_hosts_lost_total{runtime="acp"} 1`,
		`gateway_sweeper_lag_seconds 4`,
		`gateway_sweeper_due_deadlines 7`,
	)
}

// fakeStreams and fakeStore are sources with something in them.
type fakeStreams struct{}

func (fakeStreams) Stats() stream.Stats { return stream.Stats{Readers: 3, RingBytes: 10} }
func (fakeStreams) MaxReaders() int     { return 50 }
func (fakeStreams) Totals() stream.Totals {
	return stream.Totals{Frames: 9, SlowReaders: 1, Resets: map[stream.Reason]uint64{stream.ReasonTrimmed: 2}}
}

type fakeStore struct{ refuse error }

func (fakeStore) Now() time.Time { return time.UnixMilli(100_000) }
func (fakeStore) Stats() store.Stats {
	return store.Stats{Up: true, Fill: .5, Evicted: 4, Offset: time.Second}
}

func (f fakeStore) Pending(context.Context) (store.Pending, error) {
	return store.Pending{Count: 2, Oldest: time.UnixMilli(40_000)}, f.refuse
}

func TestSourcesAreReadWhenAsked(t *testing.T) {
	t.Parallel()
	m := New(Build{})
	s := &Sources{Streams: fakeStreams{}, Store: fakeStore{refuse: errors.New("away")}, Log: slog.New(slog.DiscardHandler)}
	m.Watch(s)
	s.count(t.Context())
	require.NotContains(t, scrape(t, m), "gateway_approvals_open", "not known is not none")
	s.Store = fakeStore{}
	s.count(t.Context())
	says(t, m,
		"gateway_streams_open 3", "gateway_streams_limit 50", "gateway_stream_ring_bytes 10",
		"gateway_stream_frames_sent_total 9", "gateway_stream_slow_readers_total 1",
		`gateway_stream_resets_total{reason="trimmed"} 2`,
		"gateway_redis_up 1", "gateway_redis_memory_used_ratio 0.5", "gateway_redis_evicted_keys_total 4",
		"gateway_redis_clock_offset_seconds 1", "gateway_approvals_open 2", "gateway_approvals_oldest_open_seconds 60",
	)
}

func TestTheRestIsCountedToo(t *testing.T) {
	t.Parallel()
	m := New(Build{})
	m.Delivered(20 * time.Millisecond)
	m.Hook(tenants.HookPreToolUse, hooks.Failed)
	m.Store().Committed("conflict", time.Millisecond)
	m.Store().RedisFailed("timeout")
	says(t, m, `gateway_hooks_total{event="PreToolUse",result="failed"} 1`, "gateway_draining 0", "gateway_stream_delivery_seconds_sum 0.02",
		`gateway_commits_total{outcome="conflict"} 1`, `gateway_redis_errors_total{kind="timeout"} 1`,
		`gateway_commit_duration_seconds_bucket{le="0.001"} 1`)
	m.Draining()
	says(t, m, "gateway_draining 1")
}

func TestNamesAreWrittenAsPrometheusWants(t *testing.T) {
	t.Parallel()
	m := New(Build{})
	m.Watch(&Sources{Streams: fakeStreams{}, Store: fakeStore{}, Log: slog.New(slog.DiscardHandler)})
	problems, err := testutil.GatherAndLint(m.registry)
	require.NoError(t, err)
	for _, p := range problems {
		require.False(t, strings.HasPrefix(p.Metric, namespace), "%s: %s", p.Metric, p.Text)
	}
}

// TestNoLabelNamesATenantASessionOrAPerson: what has no bound is no label.
func TestNoLabelNamesATenantASessionOrAPerson(t *testing.T) {
	t.Parallel()
	m := New(Build{})
	m.Request(api.Exchange{Route: "/x", Method: "GET", Status: 200})
	label := regexp.MustCompile(`[{,]([a-z_]+)="`)
	for _, match := range label.FindAllStringSubmatch(scrape(t, m), -1) {
		require.Contains(t, []string{
			"route", "method", "code", "le", "runtime", "status", "reason", "kind", "outcome",
			"version", "commit", "go_version", "quantile", "event", "result",
		}, match[1])
	}
}
