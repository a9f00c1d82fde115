package scheduler_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func identical(n int) option {
	return settings(func(s *scheduler.Settings) { s.IdenticalCalls = n })
}

func perTurn(n int) option {
	return settings(func(s *scheduler.Settings) { s.CallsPerTurn = n })
}

// same is one call under a new id.
func same(id string) scheduler.Input { return call(id, "read_file", `{"file_path":"a","n":1}`) }

func TestTheFifthIdenticalCallInARowRejectsItsWholeBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for n := range 4 {
		require.Equal(t, []string{"ok"}, w.batch(same(fmt.Sprintf("a-%d", n))))
	}
	require.Equal(t, []string{"loop_detected", "loop_detected"}, w.batch(same("a-5"), write("w")))
	require.Equal(t, scheduler.StopLoopDetected, w.stop())
	require.Equal(t, scheduler.BatchCompleted, w.state.Batch.Status)
	require.Nil(t, w.result(1).Decision, "nobody looked at it")
	require.Nil(t, w.state.Batch.Stop.ExitCode, "an exit code is for headless")
}

func TestARejectedBatchLeavesTheRowAsItStands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, identical(3))
	w.batch(same("a-1"), same("a-2"))
	row := w.state.Session.Turn
	for n := range 3 {
		require.Equal(t, []string{"loop_detected"}, w.batch(same(fmt.Sprintf("x-%d", n))))
		require.Equal(t, row, w.state.Session.Turn)
	}
	require.Equal(t, []string{"ok"}, w.batch(read("other")), "another call ends the row")
	require.Equal(t, []string{"ok"}, w.batch(same("y")))
}

func TestWhatIsIdentical(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		first  scheduler.Input
		second scheduler.Input
		loops  bool
	}{
		{"other order of keys and white space", same("a"), call("b", "read_file", ` { "n" : 1, "file_path" : "a" } `), true},
		{"an alias", same("a"), call("b", "ReadFile", `{"file_path":"a","n":1}`), true},
		{"another number text", same("a"), call("b", "read_file", `{"file_path":"a","n":1.0}`), false},
		{"other arguments", same("a"), call("b", "read_file", `{"file_path":"b","n":1}`), false},
		{"another tool", same("a"), call("b", "edit", `{"file_path":"a","n":1}`), false},
		{"texts that don't parse", call("a", "read_file", `{"a`), call("b", "read_file", `{"a`), true},
		{"different texts that don't parse", call("a", "read_file", `{"a`), call("b", "read_file", `{"b`), false},
		{"unknown tools", call("a", "nope", `{}`), call("b", "nope", `{}`), true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, identical(2), allowAll)
			w.submit(c.first, c.second)
			require.Equal(t, c.loops, w.stop() == scheduler.StopLoopDetected)
		})
	}
}

func TestLimitsOfOneAndZero(t *testing.T) {
	t.Parallel()
	w := newWorld(t, identical(1))
	require.Equal(t, []string{"loop_detected"}, w.batch(read("a")), "the first identical call is one too many")

	w = newWorld(t, identical(0), perTurn(0))
	for n := range 20 {
		require.Equal(t, []string{"ok"}, w.batch(same(fmt.Sprintf("a-%d", n))))
	}
}

func TestARowEndsWithItsTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, identical(3))
	w.batch(same("a-1"), same("a-2"))
	w.turnID = "" // the last turn goes on
	require.Equal(t, []string{"loop_detected"}, w.batch(same("a-3")))
	w.turnID = "t2"
	require.Equal(t, []string{"ok"}, w.batch(same("a-4")))
	w.turnID = ""
	require.Equal(t, []string{"ok"}, w.batch(same("a-5")))
	require.Equal(t, "t2", w.state.Batch.TurnID)
	require.Equal(t, []string{"loop_detected"}, w.batch(same("a-6")))
}

func TestCallsOfATurnAreCountedOnceItIsKnown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, perTurn(3))
	w.turnID = ""
	w.batch(read("a"), read("b"), read("c"), read("d"))
	require.Empty(t, w.stop(), "no turn is known")
	w.turnID = "t1"
	w.batch(read("e"), read("f"), read("g"))
	require.Empty(t, w.stop())
	w.turnID = ""
	require.Equal(t, []string{"loop_detected"}, w.batch(read("h")))
	w.turnID = "t2"
	require.Equal(t, []string{"loop_detected", "loop_detected", "loop_detected", "loop_detected"},
		w.batch(read("i"), read("j"), read("k"), read("l")))
	require.Equal(t, []string{"ok"}, w.batch(read("m")), "a rejected batch is not counted")
}

func TestPollingIsNoLoop(t *testing.T) {
	t.Parallel()
	w := newWorld(t, identical(3))
	for n := range 12 {
		w.submit(same(fmt.Sprintf("a-%d", n)))
		require.Equal(t, []string{"dispatched"}, w.outcomes())
		w.report(0, fmt.Sprintf("%d percent", n))
	}
	w.batch(same("b-1"))
	w.submit(same("b-2"))
	w.report(0, "done")
	require.Equal(t, []string{"loop_detected"}, w.batch(same("b-3")), "the same result twice")
}

func TestErrorsAreResultsToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, identical(3))
	for n := range 3 {
		w.submit(same(fmt.Sprintf("a-%d", n)))
		if n < 2 {
			require.NoError(t, w.tryReport("", failed(0, "no such file")))
		}
	}
	require.Equal(t, scheduler.StopLoopDetected, w.stop())

	w = newWorld(t, identical(3), ruled(permissions.Rules{Deny: []string{"read_file"}}))
	w.batch(same("a-1"))
	w.batch(same("a-2"))
	require.Equal(t, []string{"loop_detected"}, w.batch(same("a-3")), "a denied call again and again is a loop")
}

func TestALoopEndsAHeadlessRunWithItsCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inHeadless, identical(2))
	w.batch(same("a-1"), same("a-2"))
	require.Equal(t, 1, *w.state.Batch.Stop.ExitCode)
}
