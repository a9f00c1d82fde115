package store

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/stream"
)

// failoverTime is for elections, which wait for timeouts of seconds.
const failoverTime = 3 * time.Minute

// follower is a session that is written through a failover, and a reader of it.
type follower struct {
	s     *Store
	topic stream.Topic
	head  stream.ID // of what was acknowledged
	got   *sink
}

// follow creates a session on a running store that watches its bucket.
func follow(t *testing.T, s *Store) *follower {
	t.Helper()
	f := &follower{s: s, topic: newTopic(), got: newSink()}
	running(t, s, f.got)
	s.Watch(f.topic.Bucket)
	eventually(t, func() bool { return f.got.synced(f.topic.Bucket) > 0 }, "it listens")
	f.head = create(t, s, f.topic)
	f.write(t)
	eventually(t, func() bool { return len(f.got.of(f.topic)) > 1 }, "and hears")
	return f
}

// write sends one commit until it is acknowledged, as a client with its key does.
func (f *follower) write(t *testing.T) {
	t.Helper()
	c := change(f.s, f.topic, f.head, 1)
	require.Eventually(t, func() bool {
		c.Now = f.s.Now()
		err := f.s.Commit(t.Context(), c)
		if err != nil && !errors.Is(err, ErrUnavailable) && !errors.Is(err, ErrNotReplicated) && !errors.Is(err, ErrClockSkew) {
			t.Errorf("what was acknowledged is gone: %v", err)
			return true
		}
		return err == nil
	}, failoverTime, 50*time.Millisecond)
	f.head = c.head()
}

// goesOn wants writes to succeed with all that was acknowledged, and the reader
// to have been told that it may have missed something, and to hear again.
func (f *follower) goesOn(t *testing.T, resyncs int) {
	t.Helper()
	f.write(t)
	require.Eventually(t, func() bool { return f.got.synced(f.topic.Bucket) > resyncs }, failoverTime, 10*time.Millisecond)
	heard := len(f.got.of(f.topic))
	f.write(t)
	eventually(t, func() bool { return len(f.got.of(f.topic)) > heard }, "it hears again")
	require.Equal(t, f.head, load(t, f.s, f.topic).Head)
	events, err := f.s.Read(t.Context(), f.topic, 0, 1<<20)
	require.NoError(t, err)
	require.Equal(t, f.head, events[len(events)-1].ID())
}

func TestAFailoverBySentinelIsFollowedAndLosesNothingThatReplicasHad(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), failoverTime)
	defer cancel()
	guarded := redistest.StartSentinel(t)
	f := follow(t, durable(t, guarded.URL(), 2))
	primary, err := guarded.Primary(ctx)
	require.NoError(t, err)
	resyncs := f.got.synced(f.topic.Bucket)
	primary.Kill()
	require.NoError(t, guarded.AwaitFailover(ctx, primary))

	c := change(f.s, f.topic, f.head, 1)
	require.Eventually(t, func() bool {
		c.Now = f.s.Now()
		return errors.Is(f.s.Commit(ctx, c), ErrNotReplicated)
	}, failoverTime, 50*time.Millisecond, "one of two replicas is missing, so it stands and is not acknowledged")
	f.head = c.head()
	primary.Restart()
	require.NoError(t, guarded.Rejoin(ctx, primary))
	f.goesOn(t, resyncs)
}

func TestAFailoverOfAClusterNodeIsFollowedAndLosesNothingThatItsReplicaHad(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), failoverTime)
	defer cancel()
	cluster := redistest.StartReplicatedCluster(t)
	f := follow(t, durable(t, cluster.URL(), 1))
	node, err := f.s.subscriber().node(ctx, eventsChannel(f.topic.Bucket))
	require.NoError(t, err)
	resyncs := f.got.synced(f.topic.Bucket)
	for _, n := range cluster.Nodes {
		if n.Addr() == node {
			n.Kill()
			require.NoError(t, cluster.AwaitFailover(ctx, n))
			n.Restart()
		}
	}
	require.NoError(t, cluster.AwaitHealthy(ctx))
	f.goesOn(t, resyncs)
}

func TestAnOutageIsToldWithinARequestsPatience(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	// Else a write may still wait in the process for its turn to be synced.
	require.NoError(t, server.Client(t).ConfigSet(t.Context(), "appendfsync", "always").Err())
	s, topic := opener(t, server.URL())(), newTopic() // as it comes: with the library's repetitions
	var told []time.Duration                          // how long each command may take with all of them
	s.client.AddHook(hook{around: func(ctx context.Context, run func() error) error {
		until, limited := ctx.Deadline()
		require.True(t, limited)
		told = append(told, time.Until(until))
		return run()
	}})
	head := create(t, s, topic)
	for name, o := range map[string]struct{ begin, end func() }{
		"frozen": {server.Pause, server.Resume},
		"down":   {server.Kill, server.Restart},
	} {
		o.begin()
		c := change(s, topic, head, 1)
		require.ErrorIs(t, s.Commit(t.Context(), c), ErrUnavailable, name)
		require.LessOrEqual(t, slices.Max(told), opTimeout, name)
		o.end()
		require.Eventually(t, func() bool {
			c.Now = s.Now()
			return s.Commit(t.Context(), c) == nil
		}, failoverTime, 50*time.Millisecond, name)
		head = c.head()
	}
	require.Equal(t, head, load(t, s, topic).Head)
}
