package sessions_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
)

// posted is a POST under a key.
type posted func(idem sessions.Idempotency) (answer any, replayed bool, err error)

func answered[T any](r sessions.Reply[T], err error) (any, bool, error) {
	return r.Value, r.Replayed, err
}

// posts are all use cases that take a key, each ready to change something that
// another, or the same, has made.
func posts(a, maker *actor) map[string]posted {
	ctx := a.t.Context()
	write := func(n string) scheduler.Input { return call(n, "write_file", `{"file_path": "`+n+`"}`) }
	yolo := func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) }
	submitted, claimed := maker.create(yolo).ID, maker.send(maker.create(yolo).ID, write("a"))
	reported, aborted := maker.send(maker.create(yolo).ID, write("b")), maker.send(maker.create(yolo).ID, write("c"))
	asked := maker.question(maker.send(maker.create(nil).ID, write("d")), 0)
	return map[string]posted{
		"create": func(i sessions.Idempotency) (any, bool, error) {
			return answered(a.Create(ctx, a.caller, i, sessions.Spec{Tools: standardTools()}))
		},
		"submit": func(i sessions.Idempotency) (any, bool, error) {
			return answered(a.Submit(ctx, a.caller, i, submitted, batch(write("x"), call("", "read_file", `{ "b": 1.0,  "a":[] }`))))
		},
		"claims": func(i sessions.Idempotency) (any, bool, error) {
			return answered(a.Claim(ctx, a.caller, i, claimed.SessionID, claimed.ID, sessions.ClaimRequest{HostID: "h", Positions: []int{0}}))
		},
		"results": func(i sessions.Idempotency) (any, bool, error) {
			return answered(a.Report(ctx, a.caller, i, reported.SessionID, reported.ID, succeed(0, "<ok>\u2028")))
		},
		"abort": func(i sessions.Idempotency) (any, bool, error) {
			return answered(a.Abort(ctx, a.caller, i, aborted.SessionID, aborted.ID))
		},
		"respond": func(i sessions.Idempotency) (any, bool, error) {
			return answered(a.Respond(ctx, a.caller, i, asked, sessions.Response{OptionID: "allow_session"}))
		},
	}
}

func TestTheSameRequestUnderItsKeyIsAnsweredAsTheFirstTime(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	for name, post := range posts(a, a) {
		first, replayed, err := post(once("k", name, "body"))
		require.NoError(t, err, name)
		require.False(t, replayed, name)
		for range 2 {
			again, replayed, err := post(once("k", name, "body"))
			require.NoError(t, err, name)
			require.True(t, replayed, name)
			require.Equal(t, encoded(t, first), encoded(t, again), name)
		}
		_, _, err = post(once("k", name, "another body"))
		refused(t, err, sessions.CodeIdempotencyReused)
	}
	page, err := a.List(t.Context(), a.caller, sessions.SessionFilter{})
	require.NoError(t, err)
	require.Len(t, page.Data, 6, "a replay makes nothing")
}

func TestAKeyIsBoundToItsRouteAndPrincipal(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	create := func(who *actor, key string) (string, bool) {
		reply, err := who.Create(t.Context(), who.caller, once(key, "POST /v1/sessions", "b"), sessions.Spec{})
		require.NoError(t, err)
		return reply.Value.ID, reply.Replayed
	}
	mine, _ := create(a, "k")
	other, replayed := create(a.as("bob"), "k")
	require.False(t, replayed)
	require.NotEqual(t, mine, other)
	again, replayed := create(a, "k")
	require.True(t, replayed)
	require.Equal(t, mine, again)

	first, err := a.Submit(t.Context(), a.caller, once("k", "submit", "b"), mine, batch(call("1", "x", `{}`)))
	require.NoError(t, err)
	require.False(t, first.Replayed, "another route")
	elsewhere, err := a.Submit(t.Context(), a.caller, once("k", "submit to another", "b"), other, batch(call("1", "x", `{}`)))
	require.NoError(t, err)
	require.False(t, elsewhere.Replayed, "another session")
}

func TestOneKeyMakesOneSessionUnderWhateverParent(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	var roots []sessions.Session
	for range 24 { // of 16 buckets
		roots = append(roots, a.create(nil))
	}
	child := func(parent, body string) (sessions.Reply[sessions.Session], error) {
		return a.Create(t.Context(), a.caller, once("k", "POST /v1/sessions", body), sessions.Spec{ParentSessionID: &parent})
	}
	first, err := child(roots[0].ID, "0")
	require.NoError(t, err)
	for _, root := range roots[1:] {
		_, err := child(root.ID, "1")
		refused(t, err, sessions.CodeIdempotencyReused)
	}
	require.NoError(t, a.Close(t.Context(), a.caller, roots[0].ID))
	again, err := child(roots[0].ID, "0")
	require.NoError(t, err, "the stored answer is given though the parent is closed")
	require.True(t, again.Replayed)
	require.Equal(t, first.Value.ID, again.Value.ID)
}

func TestAKeyUsedBeforeARefusalIsNotBurnt(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	key := once("k", "submit", "b")
	open := a.send(sid, call("1", "read_file", `{}`))
	_, err := a.Submit(t.Context(), a.caller, key, sid, batch(call("2", "read_file", `{}`)))
	refused(t, err, sessions.CodeBatchInProgress)
	abort(a, open)
	reply, err := a.Submit(t.Context(), a.caller, key, sid, batch(call("2", "read_file", `{}`)))
	require.NoError(t, err)
	require.False(t, reply.Replayed)

	create := once("c", "create", "b")
	_, err = a.Create(t.Context(), a.caller, create, sessions.Spec{Cwd: new("x")})
	refused(t, err, sessions.CodeInvalid)
	made, err := a.Create(t.Context(), a.caller, once("c", "create", "mended"), sessions.Spec{})
	require.NoError(t, err)
	require.False(t, made.Replayed)
}

// TestAnAnswerThatChangedNothingIsStoredToo: the second host is told again that
// the first has the call, also when it is free by then.
func TestAnAnswerThatChangedNothingIsStoredToo(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := a.send(a.create(nil).ID, call("1", "read_file", `{}`))
	a.claim(b, "h1", 0)
	ask := func() sessions.Reply[[]sessions.Claim] {
		reply, err := a.Claim(t.Context(), a.caller, once("k", "claims", "b"), b.SessionID, b.ID,
			sessions.ClaimRequest{HostID: "h2", Positions: []int{0}})
		require.NoError(t, err)
		return reply
	}
	first := ask()
	require.False(t, first.Value[0].Granted)
	require.Equal(t, "h1", *first.Value[0].HeldBy)
	abort(a, b)
	second := ask()
	require.True(t, second.Replayed)
	require.Equal(t, encoded(t, first.Value), encoded(t, second.Value))
}

func TestConcurrentCreatesUnderOneKeyMakeOneSession(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	here := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	there := here.at(start(t, server.URL(), nil))
	parent := here.create(nil).ID
	var g sync.WaitGroup
	replies := make([]sessions.Reply[sessions.Session], 8)
	for i := range replies {
		who := []*actor{here, there}[i%2]
		g.Go(func() {
			var err error
			replies[i], err = who.Create(t.Context(), who.caller, once("k", "create", "b"), sessions.Spec{ParentSessionID: &parent})
			if err != nil {
				t.Error(err)
			}
		})
	}
	for _, m := range []permissions.Mode{permissions.ModeYolo, permissions.ModePlan, permissions.ModeDefault} {
		here.mode(parent, m) // a child's commit that meets this has to be decided again, under its id
	}
	g.Wait()
	fresh := 0
	for _, r := range replies {
		require.Equal(t, encoded(t, replies[0].Value), encoded(t, r.Value))
		if !r.Replayed {
			fresh++
		}
	}
	require.Equal(t, 1, fresh)
	page, err := here.List(t.Context(), here.caller, sessions.SessionFilter{Parent: parent})
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
}

// TestTheAnswerIsRecordedInTheCommitItself loses the reply of a commit for
// good: whoever asks again is given the answer and nothing is done twice.
func TestTheAnswerIsRecordedInTheCommitItself(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	built, err := sessions.BuiltSubmission(a.Service, a.topic(sid), a.caller, once("k", "submit", "b"), batch(call("1", "read_file", `{}`)))
	require.NoError(t, err)
	require.NotNil(t, built.Idempotency)
	require.NotEmpty(t, built.Events)
	require.NoError(t, a.commits(built)) // and the process dies before it answers
	reply, err := a.Submit(t.Context(), a.caller, once("k", "submit", "b"), sid, batch(call("1", "read_file", `{}`)))
	require.NoError(t, err)
	require.True(t, reply.Replayed)
	require.Equal(t, "running", reply.Value.Status)
	page, err := a.Batches(t.Context(), a.caller, sid, 10, "")
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
	built.ID = "another"
	require.ErrorIs(t, a.commits(built), store.ErrIdempotent)
}

func TestTheSameRequestsAtOnceGetOneAnswer(t *testing.T) {
	t.Parallel()
	a := &actor{replica: start(t, redistest.Shared(t).URL(), nil), t: t, caller: caller()}
	for range 20 {
		sid := a.create(nil).ID
		const at = 6
		ids := make(chan string, at)
		for range at {
			go func() {
				reply, err := a.Submit(context.Background(), a.caller, sessions.Idempotency{Key: "k", Route: "submit"}, sid, batch(call("c_x", "write_file", "{}")))
				if err != nil {
					ids <- err.Error()
					return
				}
				ids <- reply.Value.ID
			}()
		}
		first := <-ids
		for range at - 1 {
			require.Equal(t, first, <-ids)
		}
	}
}
