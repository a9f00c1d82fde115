package sessions_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// forgetful is an actor at a gateway that keeps events for so long.
func forgetful(t *testing.T, keep time.Duration) *actor {
	t.Helper()
	st, err := store.Open(t.Context(), store.Config{URL: store.Embedded})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, st.Close()) })
	service, err := sessions.New(sessions.Config{Store: st, Feed: st, EventRetention: keep})
	require.NoError(t, err)
	return &actor{replica: &replica{Service: service, store: st}, t: t, caller: caller()}
}

// untilTrimmed changes labels until the log's beginning has gone as far as asked.
func (a *actor) untilTrimmed(topic stream.Topic, far func(stream.Bounds) bool) stream.Bounds {
	a.t.Helper()
	var b stream.Bounds
	n := 0
	require.Eventually(a.t, func() bool {
		n++
		_, err := a.SetLabels(context.Background(), a.caller, topic.Session, map[string]string{"n": fmt.Sprint(n)})
		if err != nil {
			return false
		}
		b, err = a.store.Bounds(context.Background(), topic)
		return err == nil && far(b)
	}, patience, 20*time.Millisecond)
	return b
}

func TestEventsGoWhenTheyAreTooOld(t *testing.T) {
	t.Parallel()
	a := forgetful(t, 400*time.Millisecond)
	sid := a.create(nil).ID
	topic := a.topic(sid)
	whole := a.events(sid)
	require.Len(t, whole, 1)
	b := a.untilTrimmed(topic, func(b stream.Bounds) bool { return b.First > 3 })
	rest, err := a.store.Read(t.Context(), topic, 0, 1<<20)
	require.NoError(t, err)
	require.Equal(t, b.First, rest[0].Seq)
	require.Equal(t, b.BasePrev, rest[0].Prev, "the hash before the first that stays is kept")
	require.Equal(t, stream.Next(b.BasePrev, rest[0].JSON), rest[0].Hash, "so the chain goes on from it")
}

func TestWhatAnOpenBatchHasToldStays(t *testing.T) {
	t.Parallel()
	a := forgetful(t, 300*time.Millisecond)
	sid := a.create(nil).ID
	topic := a.topic(sid)
	a.untilTrimmed(topic, func(b stream.Bounds) bool { return b.First > 1 })
	before := a.session(sid)
	open := a.send(sid, writes(1)...)
	require.Len(t, a.session(sid).OpenApprovals, 1)
	started := headOf(t, *before.LastEventID) + 1

	deadline := time.Now().Add(900 * time.Millisecond) // three times the age
	b := a.untilTrimmed(topic, func(stream.Bounds) bool { return time.Now().After(deadline) })
	require.Equal(t, started, b.First, "all before it is gone, and it stays with its question")

	_, err := a.Abort(t.Context(), a.caller, sessions.Idempotency{}, sid, open.ID)
	require.NoError(t, err)
	a.untilTrimmed(topic, func(b stream.Bounds) bool { return b.First > started })
}

// headOf is the number in an event's id.
func headOf(t *testing.T, id string) (seq uint64) {
	t.Helper()
	_, err := fmt.Sscanf(id, "%d-", &seq)
	require.NoError(t, err)
	return seq
}

func TestAnOutputThatIsNoLongerKeptIsSaidToBe(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) {
		require.NoError(t, unmarshal(`{"limits": {"tool_output_chars": 100}, "loop": {"identical_calls": 0}}`, s))
	}).ID
	large := make([]byte, 4<<20)
	for i := range large {
		large[i] = 'x'
	}
	var refs []string
	for n := range 17 { // of 4 MiB each, one more than a session keeps
		b := a.send(sid, call(fmt.Sprint("c", n), "read_file", fmt.Sprintf(`{"path": "%d"}`, n)))
		require.Nil(t, b.Calls[0].Result, "%v", b.Calls[0].Result)
		refs = append(refs, *a.succeed(b, 0, string(large)).Calls[0].Result.OutputRef)
	}
	_, err := a.Output(t.Context(), a.caller, sid, refs[0], 0, 10)
	refused(t, err, sessions.CodeNotFound)
	require.ErrorContains(t, err, "64 MiB")
	for _, ref := range refs[1:] {
		page, err := a.Output(t.Context(), a.caller, sid, ref, 0, 10)
		require.NoError(t, err)
		require.Equal(t, len(large), page.Total)
	}
	b := a.send(sid, call("gone", "read_output", fmt.Sprintf(`{"ref": %q}`, refs[0])))
	require.Equal(t, scheduler.ReasonInvalidToolParams, *b.Calls[0].Result.Reason)
	require.Contains(t, b.Calls[0].Result.Output, "The oldest go")
}
