package sessions_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
)

// confirming is an actor at a gateway that waits for one replica, which the
// test may pause. The maker's gateway does not wait: a busy machine may keep a
// replica from answering in time also when the test doesn't.
func confirming(t *testing.T) (a, maker *actor, follower *redistest.Server) {
	t.Helper()
	primary, follower := redistest.Start(t), redistest.Start(t)
	host, port, _ := strings.Cut(primary.Addr(), ":")
	c := follower.Client(t)
	require.NoError(t, c.ReplicaOf(t.Context(), host, port).Err())
	require.Eventually(t, func() bool {
		return strings.Contains(c.Info(t.Context(), "replication").Val(), "master_link_status:up")
	}, patience, 10*time.Millisecond)

	gateway := func(replicas int) *replica {
		st, err := store.Open(t.Context(), store.Config{URL: primary.URL(), Replicas: replicas})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, st.Close()) })
		service, err := sessions.New(sessions.Config{Store: st, Feed: st})
		require.NoError(t, err)
		return &replica{Service: service, store: st}
	}
	a = &actor{replica: gateway(1), t: t, caller: caller()}
	return a, a.at(gateway(0)), follower
}

func TestAnAnswerIsGivenOnlyWhenReplicasHaveWhatItSays(t *testing.T) {
	t.Parallel()
	a, maker, follower := confirming(t)
	posts := posts(a, maker)
	follower.Pause()
	for name, post := range posts {
		for range 2 {
			_, _, err := post(once("k", name, "body"))
			refused(t, err, sessions.CodeNotReplicated)
			require.ErrorIs(t, err, store.ErrNotReplicated, name)
		}
	}
	follower.Resume()
	for name, post := range posts {
		require.Eventually(t, func() bool {
			_, replayed, err := post(once("k", name, "body"))
			return err == nil && replayed
		}, patience, 10*time.Millisecond, "%s: done before, answered now", name)
	}
}

func TestAnAnswerThatChangesNothingWaitsForWhatItWasMadeFrom(t *testing.T) {
	t.Parallel()
	a, maker, follower := confirming(t)
	sid := maker.create(nil).ID
	ask := func(ctx context.Context) error {
		_, err := a.SetMode(ctx, a.caller, sid, permissions.ModeYolo)
		return err
	}
	follower.Pause()
	refused(t, ask(t.Context()), sessions.CodeNotReplicated)
	refused(t, ask(t.Context()), sessions.CodeNotReplicated)
	require.Len(t, a.events(sid), 2, "the first stood, the second changed nothing")
	follower.Resume()
	require.Eventually(t, func() bool { return ask(t.Context()) == nil }, patience, 10*time.Millisecond)
	require.Len(t, a.events(sid), 2)
}

func TestReadsDoNotWaitForReplicas(t *testing.T) {
	t.Parallel()
	a, maker, follower := confirming(t)
	brief := maker.create(func(s *sessions.Spec) { s.IdleTTLS = new(1) })
	follower.Pause()
	require.Eventually(t, func() bool { return a.session(brief.ID).Status == "closed" }, patience, 20*time.Millisecond,
		"time passes in a read, and the read does not wait")
}
