package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func TestAllQuestionsOfABatchAreOpenAtOnceAndNothingRuns(t *testing.T) {
	t.Parallel()
	for _, r := range []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeHeadless} {
		w := newWorld(t, in(r))
		w.submit(read("r"), write("a"), write("b"), read("s"))
		require.Equal(t, []string{"queued", "awaiting_approval", "awaiting_approval", "queued"}, w.outcomes())
		require.Equal(t, []string{"a", "b"}, w.raised)
		w.answer(2, scheduler.OptionAllowOnce)
		require.Empty(t, w.dispatched, "one question is open")
		w.answer(1, scheduler.OptionReject)
		require.Equal(t, []string{"r"}, w.dispatched)
		w.finishAll()
		require.Equal(t, []string{"ok", "approval_rejected", "ok", "ok"}, w.outcomes())
		require.Empty(t, w.stop(), "a no stops no turn in core and headless")
	}
}

func TestARejectionCarriesWhoAndWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("a"))
	require.NoError(t, w.tryAnswer(scheduler.Answer{Option: scheduler.OptionReject, By: "ada", Feedback: "use b.go"}))
	require.Contains(t, w.result(0).Output, "ada")
	require.Contains(t, w.result(0).Output, "use b.go")
	require.Equal(t, w.result(0).Output, w.result(0).Error.Message)
	a := w.state.Batch.Approvals[0]
	require.Equal(t, []any{scheduler.ApprovalRejected, "ada", "reject", "use b.go", w.env.Now}, []any{a.Status, a.By, a.Option, a.Feedback, a.Resolved})
}

func TestTheFirstAnswerWins(t *testing.T) {
	t.Parallel()
	for _, first := range []string{scheduler.OptionAllowOnce, scheduler.OptionReject} {
		w := newWorld(t)
		w.submit(write("a"), write("b"))
		w.answer(0, first)
		for _, second := range []string{scheduler.OptionAllowOnce, scheduler.OptionReject, "nonsense"} {
			require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: second, By: "eve"}), scheduler.ErrResolved)
		}
		require.Equal(t, "ada", w.state.Batch.Approvals[0].By)
	}
}

func TestAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("a"))
	for _, option := range []string{"", "allow", "restore_previous", "auto_edit", "default"} {
		require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: option}), scheduler.ErrUnknownOption, option)
	}
	w.env.Now = w.state.Batch.Approvals[0].Expires
	require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: scheduler.OptionAllowOnce}), scheduler.ErrExpired, "though nobody swept")
	w.pass(0)
	require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: scheduler.OptionAllowOnce}), scheduler.ErrExpired)
	require.Equal(t, []string{"approval_expired"}, w.outcomes())

	w = newWorld(t)
	w.submit(write("a"))
	w.abort()
	require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: scheduler.OptionAllowOnce}), scheduler.ErrResolved)
}

func TestOptionsAreOfferedInOrder(t *testing.T) {
	t.Parallel()
	var got [][2]string
	for _, o := range (&scheduler.Approval{Kind: scheduler.ApprovalTool}).Options() {
		got = append(got, [2]string{o.ID, o.Kind})
	}
	require.Equal(t, [][2]string{{"allow_once", "allow_once"}, {"allow_session", "allow_always"}, {"reject", "reject_once"}}, got)
	require.Len(t, (&scheduler.Approval{Kind: scheduler.ApprovalPlanExit}).Options(), 4)
}

func TestAGrantIsForExactlyWhatWasAsked(t *testing.T) {
	t.Parallel()
	grant := func(t *testing.T) *world {
		w := newWorld(t)
		w.submit(call("a", "write_file", file("a.go")))
		require.Equal(t, "a.go", w.state.Batch.Approvals[0].Subject)
		w.answer(0, scheduler.OptionAllowSession)
		w.finishAll()
		return w
	}
	for _, c := range []struct {
		name   string
		change func(*world)
		call   scheduler.Input
		want   string
	}{
		{"the same", nil, call("b", "write_file", file("a.go")), "dispatched"},
		{"another spelling", nil, call("b", "WriteFile", file("./x/../a.go")), "dispatched"},
		{"another file", nil, call("b", "write_file", file("b.go")), "awaiting_approval"},
		{"another tool", nil, call("b", "edit", file("a.go")), "awaiting_approval"},
		{
			"another declaration", func(w *world) { w.tool("write_file").Fingerprint = "write_file/2" },
			call("b", "write_file", file("a.go")), "awaiting_approval",
		},
		{
			"denied since", func(w *world) { w.rules.Deny = []string{"write_file"} },
			call("b", "write_file", file("a.go")), "permission_denied",
		},
		{
			"plan mode", func(w *world) { w.setMode(permissions.ModePlan) },
			call("b", "write_file", file("a.go")), "plan_mode_denied",
		},
		{"revoked", func(w *world) { clear(w.grants) }, call("b", "write_file", file("a.go")), "awaiting_approval"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := grant(t)
			if c.change != nil {
				c.change(w)
				w.redecide()
			}
			w.submit(c.call)
			require.Equal(t, []string{c.want}, w.outcomes())
			if c.want == "dispatched" {
				require.Equal(t, permissions.SourceGrant, w.call(0).Decision.Source)
			}
		})
	}
}

func TestAllowOnceIsForOneCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("a"))
	w.answer(0, scheduler.OptionAllowOnce)
	w.finishAll()
	require.Empty(t, w.grants)
	w.submit(call("b", "write_file", file("a")))
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
}
