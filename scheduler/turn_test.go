package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

// begin opens the world's next turn.
func (w *world) begin(id string) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		after, fx, err := scheduler.StartTurn(env, s, scheduler.OpenTurn{ID: id, Number: 1, By: "ann"})
		require.NoError(w, err)
		return after, fx
	})
	w.turnID = id
}

// randomTurn opens a turn, or ends the one that is open; neither is possible
// within a batch.
func (w *world) randomTurn() {
	w.Helper()
	switch {
	case w.open():
	case w.state.Session.Open == nil:
		w.begin("turn " + w.env.Now.String())
	default:
		w.endTurn(scheduler.TurnEndTurn)
	}
}

// verifyTurn: a turn ends exactly when it is not open any more, and what is
// said is counted.
func verifyTurn(t tester, before, after *scheduler.Session, fx *scheduler.Effects) {
	t.Helper()
	was, is := before.Open, after.Open
	require.Equal(t, is != nil && (was == nil || was.ID != is.ID), fx.TurnStarted)
	require.Equal(t, was != nil && is == nil, fx.TurnEnded != nil)
	if fx.TurnEnded != nil {
		require.Equal(t, *was, fx.TurnEnded.OpenTurn)
	}
	if was != nil && is != nil {
		require.Len(t, fx.Said, is.TextBytes-was.TextBytes)
	}
}

func (w *world) say(text string) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		return scheduler.Say(env, s, text)
	})
}

func (w *world) endTurn(reason scheduler.TurnReason) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		after, fx, err := scheduler.EndTurn(env, s, reason)
		require.NoError(w, err)
		return after, fx
	})
}

func TestATurnTakesOverWhatIsToBeTold(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mode(permissions.ModePlan))
	w.setMode(permissions.ModeDefault)
	w.begin("one")
	require.True(t, w.fx.TurnStarted)
	require.Equal(t, []string{planmode.TextManualExit}, w.fx.TurnNotices)
	require.Empty(t, w.state.Session.Notices)
	require.Equal(t, w.env.Now, w.state.Session.Open.Started)
	_, _, err := scheduler.StartTurn(w.env, w.state, scheduler.OpenTurn{ID: "two"})
	require.ErrorIs(t, err, scheduler.ErrTurnOpen)
}

func TestWhatIsSaidIsCountedAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.say("to nobody")
	require.False(t, w.fx.Changed())
	w.begin("one")
	before := w.state.Session.Open
	w.say("höre")
	require.Equal(t, "höre", w.fx.Said)
	require.Equal(t, 5, w.state.Session.Open.TextBytes)
	require.Zero(t, before.TextBytes, "the state that was passed in is as it was")
}

func TestATurnEndsOnce(t *testing.T) {
	t.Parallel()
	for name, end := range map[scheduler.TurnReason]func(*world){
		scheduler.TurnRefusal:       func(w *world) { w.endTurn(scheduler.TurnRefusal) },
		scheduler.TurnCancelled:     func(w *world) { w.do(scheduler.CancelTurn) },
		scheduler.TurnTimedOut:      func(w *world) { w.do(scheduler.ExpireTurn) },
		scheduler.TurnSessionClosed: func(w *world) { w.closeSession() },
	} {
		w := newWorld(t)
		w.begin("one")
		end(w)
		require.Equal(t, name, w.fx.TurnEnded.Reason)
		require.Equal(t, "one", w.fx.TurnEnded.ID)
		require.Nil(t, w.state.Session.Open)
		end(w)
		require.False(t, w.fx.Changed(), name)
	}
}

func TestATurnEndsBehindItsBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.begin("one")
	w.submit(read("a"), write("b"))
	require.Equal(t, "one", w.state.Batch.TurnID)
	_, _, err := scheduler.EndTurn(w.env, w.state, scheduler.TurnEndTurn)
	require.ErrorIs(t, err, scheduler.ErrBatchOpen)
	w.do(scheduler.CancelTurn)
	require.Equal(t, []string{"aborted", "aborted"}, w.outcomes())
	require.True(t, w.fx.Completed)
	require.Equal(t, scheduler.TurnCancelled, w.fx.TurnEnded.Reason)
}

func TestATurnDoesNotBeginWithinABatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(read("a"))
	_, _, err := scheduler.StartTurn(w.env, w.state, scheduler.OpenTurn{ID: "one"})
	require.ErrorIs(t, err, scheduler.ErrBatchOpen)
}

func TestHostsGiveReasonsOfTheirOwnOnly(t *testing.T) {
	t.Parallel()
	for _, r := range []scheduler.TurnReason{scheduler.TurnEndTurn, scheduler.TurnMaxTokens, scheduler.TurnMaxTurnRequests, scheduler.TurnRefusal, scheduler.TurnCancelled, scheduler.TurnError} {
		require.True(t, r.ByHost(), r)
	}
	for _, r := range []scheduler.TurnReason{scheduler.TurnTimedOut, scheduler.TurnSessionClosed, "", "done"} {
		require.False(t, r.ByHost(), r)
	}
}
