package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

func TestAnExitIsTheFirstCaseThatHolds(t *testing.T) {
	t.Parallel()
	written := option(func(w *world) { w.state.Session.Plan.Text = "written" })
	deny := ruled(permissions.Rules{Deny: []string{"exit_plan_mode"}})
	for _, c := range []struct {
		name    string
		options []option
		plan    string
		want    string
	}{
		{"denied beats all", []option{deny, nobodyToAsk}, "", "permission_denied"},
		{"not in plan mode", []option{nobodyToAsk}, "", "plan_not_active"},
		{"not in plan mode, but an ancestor is", []option{underPlan}, "p", "plan_not_active"},
		{"no plan", []option{inPlan, nobodyToAsk}, " ", "invalid_tool_params"},
		{"nobody to ask", []option{inPlan, nobodyToAsk}, "p", "approval_unavailable"},
		{"asked about", []option{inPlan}, "p", "awaiting_approval"},
		{"asked about what was written", []option{inPlan, written}, "", "awaiting_approval"},
		{"an allow rule does not approve it", []option{inPlan, allowAll}, "p", "awaiting_approval"},
		{"own and inherited", []option{inPlan, underPlan}, "p", "awaiting_approval"},
	} {
		for _, r := range everyRuntime {
			t.Run(c.name+" in "+string(r), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, append([]option{in(r)}, c.options...)...)
				w.submit(leave("x", c.plan))
				require.Equal(t, []string{c.want}, w.outcomes())
				require.Equal(t, c.want == "awaiting_approval", len(w.raised) == 1)
			})
		}
	}
}

func TestAnExitsArgumentsAreReadByExactName(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	require.Equal(t, []string{"invalid_tool_params"}, w.batch(call("x", "exit_plan_mode", `{"Plan":"p"}`)))
	w.submit(call("y", "exit_plan_mode", `{"plan":"shown","PLAN":"other"}`))
	require.Equal(t, "shown", w.state.Batch.Approvals[0].Plan.Text)
}

func TestAnExitPresentsASnapshot(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mode(permissions.ModeAutoEdit))
	w.batch(call("e", "enter_plan_mode", `{"note":"written"}`))
	w.submit(leave("x", "the plan"))
	a := w.state.Batch.Approvals[0]
	require.Equal(t, scheduler.ApprovalPlanExit, a.Kind)
	require.Equal(t, planmode.TakeSnapshot(w.state.Session.Plan, "the plan", 2, permissions.ModeAutoEdit), *a.Plan)
	require.Equal(t, int64(2), a.ModeRevision)
}

func TestAnApprovedExitEndsPlanModeInOneStep(t *testing.T) {
	t.Parallel()
	for option, want := range map[string]permissions.Mode{
		"restore_previous": permissions.ModeYolo, "auto_edit": permissions.ModeAutoEdit, "default": permissions.ModeDefault,
	} {
		w := newWorld(t, mode(permissions.ModeYolo))
		w.batch(call("e", "enter_plan_mode", `{"userRequested":true,"note":"n"}`))
		w.submit(leave("x", "the plan"))
		w.answer(0, option)
		s := w.state.Session
		require.Equal(t, want, s.Mode)
		require.Equal(t, permissions.Mode(""), s.Previous)
		require.Equal(t, planmode.State{Revision: 2}, s.Plan, "the text is cleared")
		require.Equal(t, scheduler.ApprovedPlan{Text: "the plan", By: "ada", At: w.env.Now}, *s.LastApproved)
		require.Equal(t, &scheduler.ModeChange{From: permissions.ModePlan, To: want, By: "ada"}, w.fx.ModeChange)
		require.Equal(t, []string{"ok"}, w.outcomes())
		require.Contains(t, w.result(0).Output, "ada")
		require.Empty(t, s.Notices, "the result says it")
	}
}

func TestASessionCreatedInPlanModeGoesToDefault(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.submit(leave("x", "p"))
	w.answer(0, "restore_previous")
	require.Equal(t, permissions.ModeDefault, w.state.Session.Mode)
}

func TestOnlyAnApprovalEndsPlanMode(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world){
		"approval_rejected": func(w *world) { w.answer(0, scheduler.OptionReject) },
		"approval_expired":  func(w *world) { w.pass(w.state.Session.ApprovalTimeout) },
		"aborted":           func(w *world) { w.abort() },
		"session_closed":    func(w *world) { w.closeSession() },
		"permission_denied": func(w *world) { w.setRules(permissions.Rules{Deny: []string{"exit_plan_mode"}}) },
		"approval_stale":    func(w *world) { w.setPlan("another") },
	} {
		w := newWorld(t, inPlan)
		w.setPlan("written")
		w.submit(leave("x", "p"))
		end(w)
		require.Equal(t, []string{name}, w.outcomes())
		require.Equal(t, permissions.ModePlan, w.state.Session.Mode)
		require.NotEmpty(t, w.state.Session.Plan.Text)
		require.Nil(t, w.state.Session.LastApproved)
	}
}

func TestAQuestionAboutAPlanGoesStaleAtOnce(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*world){
		"another text":   func(w *world) { w.setPlan("another") },
		"another mode":   func(w *world) { w.setMode(permissions.ModeYolo) },
		"a cleared text": func(w *world) { w.setPlan("") },
	} {
		for _, r := range everyRuntime {
			w := newWorld(t, in(r), inPlan)
			w.setPlan("written")
			w.submit(leave("x", "p"), read("r"))
			change(w)
			require.Equal(t, []string{"approval_stale", "dispatched"}, w.outcomes(), "%s in %s", name, r)
			require.Equal(t, scheduler.ApprovalStale, w.state.Batch.Approvals[0].Status)
			for _, o := range planmode.ExitOptions() {
				require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: o.ID, By: "ada"}), scheduler.ErrStale)
			}
			require.Nil(t, w.state.Session.LastApproved)
		}
	}
}

func TestOneApprovedExitMakesTheOthersStale(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.submit(leave("x", "one"), leave("y", "two"), read("r"))
	require.Equal(t, []string{"x", "y"}, w.raised)
	w.answer(1, "default")
	require.Equal(t, []string{"approval_stale", "ok", "dispatched"}, w.outcomes())
}

func TestARejectedExitLeavesTheOthersOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.submit(leave("x", "one"), leave("y", "two"))
	w.answer(0, scheduler.OptionReject)
	w.answer(1, "default")
	require.Equal(t, []string{"approval_rejected", "ok"}, w.outcomes())
}

func TestAnAnswerForAnotherPlanIsRefusedAndTheQuestionStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.submit(leave("x", "p"))
	sum := w.state.Batch.Approvals[0].Plan.SHA256
	require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: "default", PlanSHA256: "another"}), scheduler.ErrStale)
	require.False(t, w.fx.Changed())
	require.NoError(t, w.tryAnswer(scheduler.Answer{Option: "default", PlanSHA256: sum, By: "ada"}))
}

func TestToolOptionsDontApproveAPlan(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.submit(leave("x", "p"))
	for _, option := range []string{"allow_once", "allow_session", "yolo", ""} {
		require.ErrorIs(t, w.tryAnswer(scheduler.Answer{Option: option}), scheduler.ErrUnknownOption)
	}
	require.True(t, w.planOn())
}

func TestAnExitIsNoBoundary(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan, allowAll)
	w.submit(leave("x", "p"), write("w"), fetch("f"))
	require.Equal(t, []string{"awaiting_approval", "plan_mode_denied", "queued"}, w.outcomes(), "judged under the mode at planning")
	w.answer(0, "restore_previous")
	w.finishAll()
	require.Equal(t, []string{"ok", "plan_mode_denied", "ok"}, w.outcomes())
}

func TestSiblingsAreDecidedAgainByAnApprovedExit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan, ruled(permissions.Rules{Ask: []string{"read_file"}}))
	w.submit(leave("x", "p"), read("r"))
	w.answer(0, "auto_edit")
	require.Equal(t, []string{"ok", "awaiting_approval"}, w.outcomes(), "its question was put and stays")
}
