package scheduler_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func TestExactlySoManyCallsStart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		max   int
		calls []scheduler.Input
		want  []string
	}{
		{"none", 0, []scheduler.Input{write("a"), write("b")}, []string{"max_tool_calls", "turn_stopped"}},
		{"one of three", 1, []scheduler.Input{write("a"), write("b"), write("c")}, []string{"ok", "max_tool_calls", "turn_stopped"}},
		{"all", 2, []scheduler.Input{write("a"), read("b")}, []string{"ok", "ok"}},
		{"a parallel group", 2, []scheduler.Input{read("a"), read("b"), read("c"), read("d")}, []string{"ok", "ok", "max_tool_calls", "turn_stopped"}},
		{"unlimited", scheduler.Unlimited, []scheduler.Input{write("a"), write("b")}, []string{"ok", "ok"}},
		{
			"denied calls are free", 1,
			[]scheduler.Input{call("d", "edit", file("x")), call("n", "nope", "{}"), write("a")},
			[]string{"permission_denied", "tool_not_registered", "ok"},
		},
		{"a denied one after the last", 1, []scheduler.Input{write("a"), call("d", "edit", file("x"))}, []string{"ok", "permission_denied"}},
		{"duplicates are free", 1, []scheduler.Input{write("a"), write("a")}, []string{"ok", "duplicate_call"}},
		{"the gateway's tools count", 1, []scheduler.Input{call("o", "read_output", `{"ref":"x"}`), write("a")}, []string{"ok", "max_tool_calls"}},
		{"one that fails before it starts does not", 1, []scheduler.Input{call("o", "read_output", `{"ref":"y"}`), write("a")}, []string{"invalid_tool_params", "ok"}},
		{"an entry counts", 1, []scheduler.Input{enter("e")}, []string{"ok"}},
		{"an entry is refused too", 0, []scheduler.Input{enter("e"), write("a")}, []string{"max_tool_calls", "plan_boundary"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, budget(c.max), ruled(permissions.Rules{Deny: []string{"edit"}, Allow: []string{"*"}}))
			w.outputs["x"] = "text"
			require.Equal(t, c.want, w.batch(c.calls...))
			refused := w.stop() == scheduler.StopMaxToolCalls
			require.Equal(t, slices.Contains(c.want, "max_tool_calls"), refused)
			if refused {
				require.Equal(t, 55, *w.state.Batch.Stop.ExitCode)
			}
		})
	}
}

func TestTheBudgetIsTheSessionsNotTheBatchs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, budget(2), allowAll)
	w.batch(write("a"))
	w.batch(write("b"))
	require.Equal(t, []string{"max_tool_calls"}, w.batch(write("c")))
	require.Equal(t, 2, w.state.Session.Used)
	require.Equal(t, []string{"max_tool_calls"}, w.batch(read("d")), "later batches are accepted, and refused in turn")
}

func TestTheBudgetIsGivenBackForWhatNeverStarted(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world){
		"host_unavailable":  func(w *world) { w.pass(w.state.Session.ClaimTimeout) },
		"aborted":           func(w *world) { w.abort() },
		"permission_denied": func(w *world) { w.setRules(permissions.Rules{Deny: []string{"write_file"}}) },
		"plan_mode_denied":  func(w *world) { w.setMode(permissions.ModePlan); w.setMode(permissions.ModeDefault) },
		"approval_rejected": func(w *world) { w.setRules(permissions.Rules{}); w.answer(0, scheduler.OptionReject) },
	} {
		w := newWorld(t, budget(1), allowAll)
		w.state.Session.Approver = true
		w.submit(write("a"))
		require.Equal(t, 1, w.state.Session.Used, "reserved at dispatch")
		end(w)
		require.Equal(t, []string{name}, w.outcomes())
		require.Zero(t, w.state.Session.Used)
		w.setRules(permissions.Rules{Allow: []string{"*"}})
		require.Equal(t, []string{"ok"}, w.batch(write("b")))
	}
}

func TestTheBudgetIsKeptByWhatMayHaveRun(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world){
		"host_timeout": func(w *world) { w.pass(w.tool("write_file").Timeout) },
		"aborted":      func(w *world) { w.abort() },
		"host_error":   func(w *world) { require.NoError(w, w.tryReport("h", failed(0, "no"))) },
	} {
		w := newWorld(t, budget(1), allowAll)
		w.submit(write("a"))
		w.claim("h", 0)
		end(w)
		require.Equal(t, []string{name}, w.outcomes())
		require.Equal(t, []string{"max_tool_calls"}, w.batch(write("b")))
	}
}

func TestAnApprovedExitIsNeverRefusedAndCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, budget(0), inPlan)
	w.submit(leave("x", "p"), read("r"))
	require.Equal(t, []string{"awaiting_approval", "queued"}, w.outcomes())
	w.answer(0, "default")
	require.Equal(t, []string{"ok", "max_tool_calls"}, w.outcomes())
	require.Equal(t, 1, w.state.Session.Used)
}

func TestOutsideHeadlessCallsAreCountedButNotLimited(t *testing.T) {
	t.Parallel()
	for _, r := range []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeACP} {
		w := newWorld(t, budget(1), in(r), allowAll)
		require.Equal(t, []string{"ok", "ok", "ok"}, w.batch(write("a"), write("b"), read("c")))
		require.Equal(t, 3, w.state.Session.Used)
	}
}
