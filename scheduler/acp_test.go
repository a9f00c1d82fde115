package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func TestInACPACallIsDecidedWhenItsTurnComes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, ruled(permissions.Rules{Deny: []string{"edit"}}))
	w.submit(read("r"), write("w"), call("d", "edit", file("x")), read("s"))
	require.Equal(t, []string{"dispatched", "queued", "permission_denied", "queued"}, w.outcomes(), "denies at once")
	require.Nil(t, w.call(1).Decision)
	require.Empty(t, w.raised)
	w.report(0, "")
	require.Equal(t, []string{"ok", "awaiting_approval", "permission_denied", "queued"}, w.outcomes())
	w.answer(1, scheduler.OptionAllowOnce)
	require.Equal(t, []string{"ok", "dispatched", "permission_denied", "queued"}, w.outcomes())
	w.finishAll()
	require.Equal(t, []string{"ok", "ok", "permission_denied", "ok"}, w.outcomes())
	require.Empty(t, w.stop())
}

func TestInACPANoStopsTheTurn(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world){
		"approval_rejected": func(w *world) { w.answer(1, scheduler.OptionReject) },
		"approval_expired":  func(w *world) { w.pass(w.state.Session.ApprovalTimeout) },
	} {
		w := newWorld(t, inACP)
		w.submit(read("r"), write("w"), read("s"), write("x"))
		w.report(0, "")
		end(w)
		require.Equal(t, []string{"ok", name, "turn_stopped", "turn_stopped"}, w.outcomes())
		require.Equal(t, scheduler.StopTurnStopped, w.stop())
		require.Equal(t, scheduler.BatchCompleted, w.state.Batch.Status)
	}
}

func TestInACPAgentsRunTogetherAndAskTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, ruled(permissions.Rules{Ask: []string{"agent"}}))
	w.submit(agent("a"), agent("b"), read("r"), agent("c"))
	require.Equal(t, []string{"awaiting_approval", "awaiting_approval", "queued", "queued"}, w.outcomes())
	w.answer(0, scheduler.OptionAllowOnce)
	require.Equal(t, []string{"dispatched", "awaiting_approval", "queued", "queued"}, w.outcomes(), "members don't wait for each other")
	w.answer(1, scheduler.OptionReject)
	require.Equal(t, []string{"dispatched", "approval_rejected", "turn_stopped", "turn_stopped"}, w.outcomes(), "members under way go on")
	require.Equal(t, scheduler.BatchRunning, w.state.Batch.Status)
	w.report(0, "")
	require.Equal(t, []string{"ok", "approval_rejected", "turn_stopped", "turn_stopped"}, w.outcomes())
}

func TestInACPARejectedMemberEndsTheLaterQuestionsOfItsGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, ruled(permissions.Rules{Ask: []string{"agent"}}))
	w.submit(agent("a"), agent("b"), agent("c"))
	w.answer(1, scheduler.OptionReject)
	require.Equal(t, []string{"awaiting_approval", "approval_rejected", "turn_stopped"}, w.outcomes())
	require.Equal(t, scheduler.ApprovalCancelled, w.state.Batch.Approvals[2].Status)
	w.answer(0, scheduler.OptionAllowOnce)
	w.finishAll()
	require.Equal(t, []string{"ok", "approval_rejected", "turn_stopped"}, w.outcomes())
}

func TestInACPAllElseRunsOneAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, allowAll)
	w.submit(read("a"), read("b"), agent("c"), agent("d"), read("e"))
	require.Equal(t, []string{"a"}, w.dispatched)
	w.report(0, "")
	w.report(1, "")
	require.Equal(t, []string{"a", "b", "c", "d"}, w.dispatched)
	w.report(3, "")
	require.Len(t, w.dispatched, 4)
	w.report(2, "")
	require.Equal(t, []string{"a", "b", "c", "d", "e"}, w.dispatched)
}

func TestInACPAnExitActsAtItsTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, inPlan, allowAll)
	w.submit(read("r"), leave("x", "the plan"), fetch("f"))
	require.Equal(t, []string{"dispatched", "queued", "queued"}, w.outcomes())
	require.Empty(t, w.raised)
	w.report(0, "")
	require.Equal(t, []string{"ok", "awaiting_approval", "queued"}, w.outcomes())
	w.answer(1, "default")
	require.Equal(t, permissions.ModeDefault, w.state.Session.Mode)
	w.finishAll()
	require.Equal(t, []string{"ok", "ok", "ok"}, w.outcomes())
}

func TestInACPARejectedExitStopsTheTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, inPlan)
	w.submit(leave("x", "p"), read("r"))
	w.answer(0, scheduler.OptionReject)
	require.Equal(t, []string{"approval_rejected", "turn_stopped"}, w.outcomes())
	require.True(t, w.planOn())
}

func TestInACPPlanModeFromAboveDeniesAtTheTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, allowAll)
	w.submit(read("r"), write("w"), read("s"))
	w.ancestorPlans(true)
	w.report(0, "")
	require.Equal(t, []string{"ok", "plan_mode_denied", "dispatched"}, w.outcomes())
	require.Equal(t, permissions.SourcePlanMode, w.result(1).Decision.Source)
}

func TestInACPARuleFromAboveDeniesTheGatewaysToolsAtTheirTurn(t *testing.T) {
	t.Parallel()
	for _, second := range []scheduler.Input{leave("x", "p"), call("o", "read_output", `{"ref":"x"}`)} {
		w := newWorld(t, inACP, inPlan)
		w.outputs["x"] = "text"
		w.submit(read("r"), second)
		w.rules = permissions.Rules{Deny: []string{"exit_plan_mode", "read_output"}}
		w.compile()
		w.report(0, "")
		require.Equal(t, []string{"ok", "permission_denied"}, w.outcomes())
		require.Empty(t, w.raised)
	}
}
