package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

func TestEveryWaitEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		bring func(*world) time.Duration
		want  string
	}{
		{"a question", func(w *world) time.Duration { w.submit(write("a")); return w.state.Session.ApprovalTimeout }, "approval_expired"},
		{"an offer", func(w *world) time.Duration { w.submit(read("a")); return w.state.Session.ClaimTimeout }, "host_unavailable"},
		{"a run", func(w *world) time.Duration {
			w.submit(read("a"))
			w.claim("h", 0)
			return w.tool("read_file").Timeout
		}, "host_timeout"},
	} {
		for _, r := range everyRuntime {
			t.Run(c.name+" in "+string(r), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, in(r))
				wait := c.bring(w)
				require.Equal(t, w.env.Now.Add(wait), w.state.Batch.Deadline())
				before := w.outcomes()
				w.pass(wait - 1)
				require.Equal(t, before, w.outcomes())
				w.pass(1)
				require.Equal(t, []string{c.want}, w.outcomes())
				require.Zero(t, w.state.Batch.Deadline())
				require.Equal(t, w.env.Now, w.result(0).FinishedAt.Time)
			})
		}
	}
}

func TestATimeoutOfZeroIsNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings(func(s *scheduler.Settings) { s.ApprovalTimeout, s.ClaimTimeout = 0, 0 }),
		func(w *world) { w.tool("read_file").Timeout = 0 })
	w.submit(write("a"), read("b"))
	w.pass(10_000 * time.Hour)
	require.Equal(t, []string{"awaiting_approval", "queued"}, w.outcomes())
	w.answer(0, scheduler.OptionReject)
	w.pass(10_000 * time.Hour)
	require.Equal(t, []string{"approval_rejected", "dispatched"}, w.outcomes())
	w.claim("h", 1)
	w.pass(10_000 * time.Hour)
	require.Equal(t, []string{"approval_rejected", "claimed"}, w.outcomes())
}

func TestABatchGoesOnWithoutWhatExpired(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("a"), read("b"), write("c"))
	w.answer(2, scheduler.OptionAllowOnce)
	w.pass(w.state.Session.ApprovalTimeout)
	require.Equal(t, []string{"approval_expired", "dispatched", "queued"}, w.outcomes())
	require.Contains(t, w.result(0).Output, "2026-01-02T03:34:05.000Z", "the real deadline")
	w.pass(w.state.Session.ClaimTimeout)
	require.Equal(t, []string{"approval_expired", "host_unavailable", "dispatched"}, w.outcomes())
	require.Equal(t, start.Add(35*time.Minute+w.state.Session.ClaimTimeout), w.state.Batch.Deadline())
}

func TestTheDeadlineIsTheEarliest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(read("a"), read("b"))
	w.claim("h", 0)
	require.Equal(t, start.Add(w.state.Session.ClaimTimeout), w.state.Batch.Deadline())
	w.report(1, "")
	require.Equal(t, start.Add(w.tool("read_file").Timeout), w.state.Batch.Deadline())
}
