package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func TestAnIdTwiceInABatchIsAnsweredInPlace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	require.Equal(t, []string{"ok", "duplicate_call", "duplicate_call", "ok"},
		w.batch(read("a"), write("a"), read("a"), read("b")), "whatever the second one calls")
	require.Equal(t, []string{"a", "b"}, w.dispatched)
	for _, i := range []int{1, 2} {
		require.Equal(t, 0, *w.result(i).DuplicateOf)
		require.Nil(t, w.result(i).DuplicateOfBatch)
	}
}

func TestAReplayOfAStartedCallIsNotRunAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.batch(write("toolu_a"))
	require.Equal(t, []string{"duplicate_call", "ok"}, w.batch(write("toolu_a"), read("b")))
	require.Nil(t, w.result(0).DuplicateOf)
	require.Equal(t, "b1", *w.result(0).DuplicateOfBatch)
	require.Equal(t, scheduler.ExecutionNotStarted, w.result(0).ExecutionStatus)
	turn := w.state.Session.Turn
	require.Equal(t, []string{"loop_detected", "loop_detected"}, w.batch(write("toolu_a"), read("c")), "a second replay")
	require.Equal(t, turn, w.state.Session.Turn, "a rejected batch is not counted")
	require.Equal(t, []string{"loop_detected"}, w.batch(write("toolu_a")), "and every further one")
	require.Equal(t, []string{"toolu_a", "b"}, w.dispatched)
}

func TestWhatIsNoReplay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		first  scheduler.Input
		second scheduler.Input
	}{
		{"other arguments", write("id"), call("id", "write_file", file("b"))},
		{"another tool", write("id"), call("id", "edit", file("id"))},
		{"an id that the gateway made", write("id"), scheduler.Input{ID: "id", IDAssigned: true, Name: "write_file", Arguments: file("id")}},
		{"executed by the gateway", call("id", "read_output", `{"ref":"x"}`), call("id", "read_output", `{"ref":"x"}`)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, allowAll)
			w.outputs["x"] = "text"
			w.batch(c.first)
			require.Equal(t, []string{"ok"}, w.batch(c.second))
		})
	}
}

func TestTheLastStartedCallWithAnIdCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.batch(call("id", "write_file", file("a")))
	w.batch(call("id", "write_file", file("b")))
	require.Equal(t, []string{"ok"}, w.batch(call("id", "write_file", file("a"))), "the last one was another")
	require.Equal(t, []string{"duplicate_call"}, w.batch(call("id", "write_file", file("a"))))
	require.Equal(t, []string{"ok"}, w.batch(call("id", "write_file", file("b"))))
	require.Equal(t, []string{"duplicate_call"}, w.batch(call("id", "write_file", file("b"))), "replays are counted anew")
}

func TestCountersAreNumberedAnewWhereResponsesAreKnownToDiffer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id            string
		first, second string // response ids
		replay        bool
	}{
		{"call_0", "r1", "r2", false},
		{"1", "r1", "r2", false},
		{"1234", "r1", "r2", false},
		{"call_0", "r1", "r1", true},
		{"call_0", "", "r2", true},
		{"call_0", "r1", "", true},
		{"call_0", "", "", true},
		{"12345", "r1", "r2", true},
		{"call_0a", "r1", "r2", true},
		{"toolu_01A09q90qw90lq917835lq9", "r1", "r2", true},
	} {
		w := newWorld(t, allowAll)
		w.responseID = c.first
		w.batch(write(c.id))
		w.responseID = c.second
		require.Equal(t, c.replay, w.batch(write(c.id))[0] == "duplicate_call", "%+v", c)
	}
}

func TestWhatNeverStartedMayComeAgain(t *testing.T) {
	t.Parallel()
	deny := permissions.Rules{Deny: []string{"write_file"}}
	w := newWorld(t, ruled(deny))
	require.Equal(t, []string{"permission_denied"}, w.batch(write("id")))
	require.Equal(t, []string{"permission_denied"}, w.batch(write("id")))

	w = newWorld(t, allowAll)
	require.Equal(t, []string{"plan_boundary", "ok"}, w.batch(read("id"), enter("e")))
	require.Equal(t, []string{"ok"}, w.batch(read("id")))

	w = newWorld(t, allowAll)
	w.submit(write("id"))
	w.pass(w.state.Session.ClaimTimeout)
	require.Equal(t, []string{"host_unavailable"}, w.outcomes())
	require.Equal(t, []string{"ok"}, w.batch(write("id")))
}

func TestACallThatStartedAndWasAbortedIsRemembered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(write("id"))
	w.claim("h", 0)
	w.abort()
	require.Equal(t, []string{"duplicate_call"}, w.batch(write("id")))
}

func TestDuplicatesAreNoSiblingsOfAnEntry(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.batch(write("id"))
	require.Equal(t, []string{"duplicate_call", "ok", "duplicate_call"}, w.batch(write("id"), enter("e"), enter("e")))
	require.True(t, w.planOn())

	w = newWorld(t, allowAll)
	w.batch(write("id"))
	require.Equal(t, []string{"duplicate_call", "ok", "plan_boundary"}, w.batch(write("id"), enter("e"), read("r")))

	w = newWorld(t, allowAll)
	require.Equal(t, []string{"plan_boundary", "duplicate_call", "ok"}, w.batch(read("r"), read("r"), enter("e")),
		"a duplicate of a skipped call stays a duplicate")
}
