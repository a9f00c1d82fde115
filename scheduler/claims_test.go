package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func TestACallIsHeldByWhoClaimedItFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(read("a"), read("b"), write("c"))
	require.Equal(t, []scheduler.Claim{{Position: 0, Granted: true}, {Position: 2}}, w.claim("h1", 0, 2), "the third is not offered yet")
	require.Equal(t, []int{0}, w.fx.Claimed)
	require.Equal(t, []scheduler.Claim{{Position: 0, Granted: true}}, w.claim("h1", 0), "the same host again: the same answer")
	require.False(t, w.fx.Changed())
	require.Equal(t, []scheduler.Claim{{Position: 0, HeldBy: "h1"}, {Position: 1, Granted: true}}, w.claim("h2", 0, 1))
	require.NoError(t, w.tryReport("h1", done(0, "")))
	require.Equal(t, []scheduler.Claim{{Position: 0, HeldBy: "h1"}}, w.claim("h1", 0), "an ended call is not given out again")
}

func TestAClaimStartsTheCallAndItsTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(write("a"))
	require.Equal(t, start.Add(w.state.Session.ClaimTimeout), w.call(0).Deadline)
	w.env.Now = start.Add(time.Minute)
	w.claim("h", 0)
	require.Equal(t, w.env.Now, w.call(0).Started)
	require.Equal(t, w.env.Now.Add(w.tool("write_file").Timeout), w.call(0).Deadline)
	require.Contains(t, w.memory, "a")
	require.NoError(t, w.tryReport("h", done(0, "")))
	require.Equal(t, start.Add(time.Minute), w.result(0).StartedAt.Time)
}

func TestAClaimIsDecidedAgain(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(*world)
		want   string
		cancel string
	}{
		{"nothing changed", func(*world) {}, "claimed", ""},
		{"a deny rule", func(w *world) { w.rules.Deny = []string{"write_file"} }, "permission_denied", "permission_denied"},
		{"an ask rule", func(w *world) { w.rules.Ask = []string{"write_file"} }, "awaiting_approval", "approval_required"},
		{"an ancestor's plan mode", func(w *world) { w.ancestorPlans(true) }, "plan_mode_denied", "plan_mode_denied"},
		{
			"an ask rule and nobody to ask", func(w *world) { w.rules.Ask, w.state.Session.Approver = []string{"*"}, false },
			"approval_unavailable", "approval_unavailable",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for name, attempt := range map[string]func(*world) bool{
				"claim":  func(w *world) bool { return w.claim("h", 0)[0].Granted },
				"result": func(w *world) bool { return w.tryReport("h", done(0, "")) == nil },
			} {
				w := newWorld(t, allowAll)
				w.submit(write("a"))
				c.change(w)
				w.compile()
				require.Equal(t, c.cancel == "", attempt(w))
				if c.cancel == "" {
					continue
				}
				require.Equal(t, []string{c.want}, w.outcomes(), name)
				require.Equal(t, []scheduler.Cancellation{{Position: 0, Reason: c.cancel}}, w.fx.Cancelled)
				require.NotContains(t, w.memory, "a", "it never started")
			}
		})
	}
}

func TestAWithdrawnCallMayBeDispatchedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(write("a"), write("b"))
	w.setRules(permissions.Rules{Ask: []string{"*"}})
	require.Equal(t, []string{"awaiting_approval", "awaiting_approval"}, w.outcomes())
	require.ErrorIs(t, w.tryReport("h", done(0, "")), scheduler.ErrNotDispatched)
	w.answer(0, scheduler.OptionAllowOnce)
	require.Empty(t, w.fx.Dispatched, "the other question is open")
	w.answer(1, scheduler.OptionAllowOnce)
	require.Equal(t, []string{"a", "a"}, w.dispatched)
	require.True(t, w.claim("h", 0)[0].Granted, "the approval answers the later ask")
	require.NoError(t, w.tryReport("h", done(0, "")))
	w.finishAll()
	require.Equal(t, []string{"ok", "ok"}, w.outcomes())
}

func TestCallsInFlightGoOnWhileAnotherIsAskedAboutAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(fetch("a"), fetch("b"), read("c"), write("d"))
	w.claim("h", 1)
	w.setRules(permissions.Rules{Ask: []string{"web_fetch"}, Allow: []string{"*"}})
	require.Equal(t, []string{"awaiting_approval", "claimed", "dispatched", "queued"}, w.outcomes())
	require.True(t, w.claim("h", 2)[0].Granted, "what was offered may be taken")
	require.NoError(t, w.tryReport("h", done(1, ""), done(2, "")))
	require.Equal(t, []string{"awaiting_approval", "ok", "ok", "queued"}, w.outcomes())
	w.answer(0, scheduler.OptionReject)
	w.finishAll()
	require.Equal(t, []string{"approval_rejected", "ok", "ok", "ok"}, w.outcomes())
}

func TestResultsAreAcceptedOrRefusedTogether(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		host    string
		results []scheduler.HostResult
		want    error
		index   int
	}{
		{"both", "h", []scheduler.HostResult{done(0, "x"), failed(1, "y")}, nil, 0},
		{"one is queued", "h", []scheduler.HostResult{done(0, "x"), done(2, "y")}, scheduler.ErrNotDispatched, 1},
		{"one ended here", "h", []scheduler.HostResult{done(3, "x"), done(0, "y")}, scheduler.ErrNotDispatched, 0},
		{"one is held by another", "i", []scheduler.HostResult{done(1, "x"), done(0, "y")}, scheduler.ErrCallHeld, 1},
		{"a result without a host for a held call", "", []scheduler.HostResult{done(0, "y")}, scheduler.ErrCallHeld, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, allowAll)
			w.submit(read("a"), read("b"), write("c"), call("d", "nope", "{}"))
			w.claim("h", 0)
			before := freeze(t, w.state)
			err := w.tryReport(c.host, c.results...)
			if c.want == nil {
				require.NoError(t, err)
				require.Equal(t, []string{"ok", "host_error", "dispatched", "tool_not_registered"}, w.outcomes())
				return
			}
			var refused *scheduler.ReportError
			require.ErrorAs(t, err, &refused)
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.index, refused.Index)
			require.Equal(t, c.results[c.index].Position, refused.Position)
			require.Equal(t, before, freeze(t, w.state))
			require.False(t, w.fx.Changed())
		})
	}
}

func TestTheSameResultAgainIsAcceptedAndAnotherConflicts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(read("a"), read("b"), read("c"))
	require.NoError(t, w.tryReport("h", done(0, "x"), scheduler.HostResult{Position: 1, Output: "o", Message: "m"}))
	for _, host := range []string{"h", "other", ""} {
		require.NoError(t, w.tryReport(host, done(0, "x")))
		require.False(t, w.fx.Changed())
	}
	for _, r := range []scheduler.HostResult{
		done(0, "y"), failed(0, "x"), failed(1, "m"), done(1, "o"), {Position: 1, Output: "m", Message: "o"},
	} {
		require.ErrorIs(t, w.tryReport("h", r), scheduler.ErrResultConflict)
	}
	require.NoError(t, w.tryReport("h", done(0, "x"), done(2, "z")), "an old and a new one together")
	require.Equal(t, scheduler.BatchCompleted, w.state.Batch.Status)
	require.NoError(t, w.tryReport("h", done(0, "x")), "after the end too")
}

func TestAResultForAnUnclaimedCallClaimsItFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(write("a"), write("b"))
	require.NoError(t, w.tryReport("h", done(0, "x")))
	require.Empty(t, w.fx.Claimed)
	require.Equal(t, "h", w.call(0).Host)
	require.NotNil(t, w.result(0).StartedAt)
	require.Contains(t, w.memory, "a")
	require.NoError(t, w.tryReport("", done(1, "x")), "nobody in particular")
	require.Equal(t, []string{"ok", "ok"}, w.outcomes())
}

func TestALateResultIsNotedAndChangesNothingElse(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world){
		"aborted":          func(w *world) { w.abort() },
		"session_closed":   func(w *world) { w.closeSession() },
		"host_timeout":     func(w *world) { w.claim("h", 0); w.pass(w.tool("write_file").Timeout) },
		"host_unavailable": func(w *world) { w.pass(w.state.Session.ClaimTimeout) },
	} {
		w := newWorld(t, allowAll)
		w.submit(write("a"), write("b"))
		end(w)
		require.Equal(t, name, w.outcomes()[0])
		before := freeze(t, w.state)
		require.ErrorIs(t, w.tryReport("h", done(0, "x")), scheduler.ErrCallLate)
		require.Equal(t, []int{0}, w.fx.Late)
		require.Equal(t, before, freeze(t, w.state), name)
	}
}

func TestEveryLateResultOfAReportIsNoted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(read("a"), read("b"), read("c"))
	w.abort()
	var refused *scheduler.ReportError
	require.ErrorAs(t, w.tryReport("h", done(0, "x"), done(2, "y")), &refused)
	require.Equal(t, 0, refused.Index, "the first is named")
	require.Equal(t, []int{0, 2}, w.fx.Late)
}

func TestAHostsErrorIsReadByTheModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		result scheduler.HostResult
		want   string
	}{
		{scheduler.HostResult{Message: "no such file"}, "no such file"},
		{scheduler.HostResult{Output: "stderr"}, "stderr"},
		{scheduler.HostResult{Message: "exit 1", Output: "stderr"}, "exit 1\n\nstderr"},
		{scheduler.HostResult{Message: "same", Output: "same"}, "same"},
		{scheduler.HostResult{}, "The tool failed without a message."},
	} {
		w := newWorld(t)
		w.submit(read("a"))
		require.NoError(t, w.tryReport("h", c.result))
		require.Equal(t, c.want, w.result(0).Output)
		require.Equal(t, c.want, w.result(0).Error.Message)
	}
}
