package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

func TestAPersonChangesTheMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setMode(permissions.ModeDefault)
	require.False(t, w.fx.Changed(), "it is on already")
	w.setMode(permissions.ModeAutoEdit)
	w.setMode(permissions.ModePlan)
	s := w.state.Session
	require.Equal(t, permissions.ModeAutoEdit, s.Previous)
	require.Equal(t, int64(3), s.ModeRevision)
	require.Equal(t, planmode.State{Active: true, EnteredBy: "ada", EnteredAt: start}, s.Plan)
	w.setMode(permissions.ModePlan)
	require.False(t, w.fx.Changed())
	w.setMode(permissions.ModeYolo)
	require.Equal(t, planmode.State{}, w.state.Session.Plan)
	require.Equal(t, permissions.Mode(""), w.state.Session.Previous)
}

func TestTheTextStaysOnAManualExit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.setPlan("written")
	w.setMode(permissions.ModeDefault)
	require.Equal(t, planmode.State{Text: "written", Revision: 1}, w.state.Session.Plan)
	require.Nil(t, w.state.Session.LastApproved)
}

func TestPlanModeEndsWhatWouldWrite(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), allowAll)
		w.submit(write("a"), read("b"), shell("c", "make"))
		w.setMode(permissions.ModePlan)
		require.Equal(t, []string{"plan_mode_denied", "dispatched", "plan_mode_denied"}, w.outcomes())
		require.Equal(t, []scheduler.Cancellation{{Position: 0, Reason: "plan_mode_denied"}}, w.fx.Cancelled)
		require.Equal(t, int64(2), w.result(0).Decision.ModeRevision)
	}
}

func TestAWiderModeLeavesQuestionsAsTheyWerePut(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("a"))
	w.setMode(permissions.ModeYolo)
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
}

func TestANarrowerModeAsksAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mode(permissions.ModeYolo))
	w.submit(write("a"), write("b"))
	w.setMode(permissions.ModeDefault)
	require.Equal(t, []string{"awaiting_approval", "awaiting_approval"}, w.outcomes())
	require.Equal(t, []scheduler.Cancellation{{Position: 0, Reason: "approval_required"}}, w.fx.Cancelled)
}

func TestUnderAnAncestorsPlanModeNothingThatWritesStarts(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), mode(permissions.ModeYolo), allowAll)
		w.submit(write("a"), write("b"), read("c"))
		w.ancestorPlans(true)
		require.False(t, w.claim("h", 0)[0].Granted)
		require.Equal(t, []string{"plan_mode_denied", "plan_mode_denied", "dispatched"}, w.outcomes(), "and the next at its dispatch")
	}
}

func TestTheModelIsToldOnceThatAPersonLeftPlanMode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.submit(read("a"))
	w.setMode(permissions.ModeDefault)
	require.Empty(t, w.state.Batch.Notices, "not before the batch ends")
	w.report(0, "")
	require.Equal(t, []string{planmode.TextManualExit}, w.state.Batch.Notices)
	require.Empty(t, w.state.Session.Notices)
	w.batch(read("b"))
	require.Empty(t, w.state.Batch.Notices)
}

func TestANoticeWithoutABatchWaitsForTheNext(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*world){
		"completed": func(w *world) { w.finishAll() },
		"aborted":   func(w *world) { w.abort() },
		"closed":    func(w *world) { w.closeSession() },
	} {
		w := newWorld(t, inPlan)
		w.setMode(permissions.ModeDefault)
		require.Len(t, w.state.Session.Notices, 1)
		w.submit(read("a"))
		end(w)
		require.Equal(t, []string{planmode.TextManualExit}, w.state.Batch.Notices, name)
	}
}

func TestANoticeIsNotToldOncePlanModeIsOnAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inPlan)
	w.setMode(permissions.ModeDefault)
	w.batch(enter("e"))
	require.Empty(t, w.state.Batch.Notices, "it would contradict the reminder")

	w.setMode(permissions.ModeDefault)
	w.setMode(permissions.ModePlan)
	w.setMode(permissions.ModeAutoEdit)
	w.batch(read("a"))
	require.Equal(t, []string{planmode.TextManualExit}, w.state.Batch.Notices, "one notice, not two")
}
