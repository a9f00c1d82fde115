package scheduler_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

var twoParallel = []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeHeadless}

func TestNeighbouringSafeCallsRunTogetherAndGroupsInOrder(t *testing.T) {
	t.Parallel()
	for _, r := range twoParallel {
		w := newWorld(t, in(r), allowAll)
		w.submit(
			read("a"), agent("b"), fetch("c"), call("d", "todo_write", `{}`), call("e", "mcp__docs__lookup", `{}`),
			write("f"), shell("g", "ls"), call("h", "grep_search", `{}`), read("i"), call("j", "mystery", `{}`),
		)
		for _, group := range [][]int{{0, 1, 2, 3, 4}, {5}, {6}, {7, 8}, {9}} {
			for i := range w.state.Batch.Calls {
				want := scheduler.StateQueued
				switch {
				case i < group[0]:
					want = scheduler.StateDone
				case i <= group[len(group)-1]:
					want = scheduler.StateDispatched
				}
				require.Equal(t, want, w.call(i).State, "call %d while %v runs", i, group)
			}
			for _, i := range slices.Backward(group) { // in any order
				w.report(i, "")
			}
		}
		require.Equal(t, scheduler.BatchCompleted, w.state.Batch.Status)
	}
}

func TestEndedCallsDontPartTheirNeighbours(t *testing.T) {
	t.Parallel()
	w := newWorld(t, ruled(permissions.Rules{Deny: []string{"write_file"}}))
	w.submit(read("a"), write("w"), read("b"), call("n", "nope", "{}"), read("c"))
	require.Equal(t, []string{"a", "b", "c"}, w.dispatched)
}

func TestAtMostTenAreInFlight(t *testing.T) {
	t.Parallel()
	for _, r := range twoParallel {
		w := newWorld(t, in(r), allowAll)
		var calls []scheduler.Input
		for n := range 25 {
			calls = append(calls, read(fmt.Sprintf("r-%d", n)))
		}
		w.submit(calls...)
		require.Len(t, w.dispatched, scheduler.MaxInFlight)
		w.report(7, "")
		require.Len(t, w.dispatched, scheduler.MaxInFlight+1)
		require.NoError(t, w.tryReport("", done(0, ""), done(1, ""), done(2, "")))
		require.Len(t, w.dispatched, scheduler.MaxInFlight+4)
		w.finishAll()
		require.Equal(t, scheduler.BatchCompleted, w.state.Batch.Status)
	}
}

func TestAMemberThatHasToBeAskedAboutNowKeepsItsGroupBack(t *testing.T) {
	t.Parallel()
	for _, r := range twoParallel {
		w := newWorld(t, in(r), mode(permissions.ModeAutoEdit))
		w.submit(write("w"), read("r"), fetch("f"))
		w.claim("h", 0)
		w.env.AncestorMode = permissions.ModeDefault // from above, without a word
		require.NoError(t, w.tryReport("h", done(0, "")))
		require.Equal(t, []string{"ok", "queued", "awaiting_approval"}, w.outcomes())
		w.answer(2, scheduler.OptionAllowOnce)
		require.Equal(t, []string{"w", "r", "f"}, w.dispatched)
	}
}

func TestTheGatewaysToolsWaitForTheirGroup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.outputs["x"] = "text"
	w.submit(write("w"), call("o", "read_output", `{"ref":"x"}`), read("r"))
	require.Equal(t, []string{"dispatched", "queued", "queued"}, w.outcomes())
	w.report(0, "")
	require.Equal(t, []string{"ok", "ok", "dispatched"}, w.outcomes())
}

func TestABatchOfItsSenderIsDispatchedClaimed(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), allowAll)
		w.hostID = "me"
		w.submit(write("a"), write("b"))
		require.Equal(t, []string{"claimed", "queued"}, w.outcomes())
		require.Equal(t, "me", w.call(0).Host)
		require.Equal(t, []int{0}, w.fx.Dispatched)
		require.Empty(t, w.fx.Claimed)
		require.Equal(t, w.env.Now, w.call(0).Started)
		require.Equal(t, start.Add(w.tool("write_file").Timeout), w.call(0).Deadline)
		require.ErrorIs(t, w.tryReport("other", done(0, "")), scheduler.ErrCallHeld)
		require.ErrorIs(t, w.tryReport("", done(0, "")), scheduler.ErrCallHeld)
		require.NoError(t, w.tryReport("me", done(0, "")))
		require.Equal(t, []string{"ok", "claimed"}, w.outcomes())
	}
}

func TestOneBatchAtATime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(read("a"))
	_, fx, err := scheduler.Submit(w.env, w.state, w.submission([]scheduler.Input{read("b")}))
	require.ErrorIs(t, err, scheduler.ErrBatchOpen)
	require.False(t, fx.Changed())
	w.report(0, "")
	w.batch(read("b"))
}
