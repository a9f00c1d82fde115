package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

func TestAnAbortCancelsWhatHasNotEnded(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), allowAll)
		w.submit(agent("a"), agent("b"), agent("c"), call("n", "nope", "{}"), write("w"))
		w.claim("h", 1)
		w.report(2, "")
		w.abort()
		require.Equal(t, []string{"aborted", "aborted", "ok", "tool_not_registered", "aborted"}, w.outcomes())
		require.Equal(t, scheduler.BatchAborted, w.state.Batch.Status)
		require.Equal(t, scheduler.StopAborted, w.stop())
		require.Equal(t, w.env.Now, w.state.Batch.Completed)
		require.Equal(t, scheduler.StatusCancelled, w.result(0).Status)
		require.Equal(t, scheduler.ExecutionNotStarted, w.result(0).ExecutionStatus)
		require.Equal(t, scheduler.ExecutionUnknown, w.result(1).ExecutionStatus, "it was claimed")
		require.Nil(t, w.result(1).Error)
		require.ElementsMatch(t, []scheduler.Cancellation{{Position: 0, Reason: "aborted"}, {Position: 1, Reason: "aborted"}}, w.fx.Cancelled)
		require.Equal(t, r == scheduler.RuntimeHeadless, w.state.Batch.Stop.ExitCode != nil)
		if r == scheduler.RuntimeHeadless {
			require.Equal(t, 130, *w.state.Batch.Stop.ExitCode)
		}
		w.abort()
		require.False(t, w.fx.Changed(), "it is over already")
	}
}

func TestAnAbortCancelsOpenQuestions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("a"), write("b"), write("c"))
	w.answer(1, scheduler.OptionAllowOnce)
	w.abort()
	var got []scheduler.ApprovalStatus
	for _, a := range w.state.Batch.Approvals {
		got = append(got, a.Status)
	}
	require.Equal(t, []scheduler.ApprovalStatus{scheduler.ApprovalCancelled, scheduler.ApprovalApproved, scheduler.ApprovalCancelled}, got)
}

func TestACompletedBatchStaysCompleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.batch(read("a"))
	before := freeze(t, w.state)
	w.abort()
	w.closeSession()
	require.False(t, w.fx.Changed())
	require.Equal(t, before, freeze(t, w.state))
}

func TestClosingASessionEndsItsCalls(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(write("a"), write("b"))
	w.claim("h", 0)
	w.closeSession()
	require.Equal(t, []string{"session_closed", "session_closed"}, w.outcomes())
	require.Equal(t, scheduler.ExecutionUnknown, w.result(0).ExecutionStatus)
	require.Equal(t, scheduler.ExecutionNotStarted, w.result(1).ExecutionStatus)
	require.Equal(t, scheduler.BatchAborted, w.state.Batch.Status)

	w = newWorld(t)
	w.closeSession()
	w.abort()
	require.False(t, w.fx.Changed(), "there is no batch")
}
