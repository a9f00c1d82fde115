package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/stream"
)

// followed is a primary with a replica that has caught up.
func followed(t *testing.T) (primary, replica *redistest.Server) {
	t.Helper()
	primary, replica = redistest.Start(t), redistest.Start(t)
	attach(t, replica, primary)
	return primary, replica
}

// attach makes a server a replica of another, which counts it from then on.
func attach(t *testing.T, replica, primary *redistest.Server) {
	t.Helper()
	host, port, _ := strings.Cut(primary.Addr(), ":")
	online := func() int {
		return strings.Count(primary.Client(t).Info(t.Context(), "replication").Val(), "state=online")
	}
	before := online()
	require.NoError(t, replica.Client(t).ReplicaOf(t.Context(), host, port).Err())
	eventually(t, func() bool { return online() > before }, "the replica has its primary's data")
}

// durable is a store that waits for so many replicas.
func durable(t *testing.T, url string, replicas int) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{URL: url, Replicas: replicas})
	return closed(t, s, err)
}

func TestAWriteIsAcknowledgedWhenTheReplicaHasIt(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	s, topic := durable(t, primary.URL(), 1), newTopic()
	head := create(t, s, topic)
	c := change(s, topic, head, 2)
	acknowledged(t, s, c)
	primary.Kill()
	onReplica := opener(t, replica.URL())()
	require.Equal(t, c.head(), load(t, onReplica, topic).Head)
}

func TestACommitThatReplicasLackStandsAndIsAcknowledgedOnceTheyHaveIt(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	s, topic := durable(t, primary.URL(), 1), newTopic()
	head := create(t, s, topic)
	replica.Pause()
	c := change(s, topic, head, 1)
	c.Idempotency = &Idempotency{Scope: "s", BodyHash: "h", Status: 202, Answer: []byte("{}"), TTL: time.Hour}
	require.ErrorIs(t, s.Commit(t.Context(), c), ErrNotReplicated)
	require.Equal(t, c.head(), load(t, s, topic).Head, "it stands, and reads don't wait")

	require.ErrorIs(t, s.Commit(t.Context(), c), ErrNotReplicated, "a repetition waits too, though it writes nothing")
	_, err := s.Idempotent(t.Context(), topic, "s")
	require.ErrorIs(t, err, ErrNotReplicated)
	require.ErrorIs(t, s.Confirm(t.Context(), topic, c.head()), ErrNotReplicated)
	_, err = s.Idempotent(t.Context(), topic, "another")
	require.ErrorIs(t, err, ErrNotFound, "what is not there waits for nothing")

	replica.Resume()
	eventually(t, func() bool { return s.Confirm(t.Context(), topic, c.head()) == nil }, "the replica catches up")
	acknowledged(t, s, c)
	eventually(t, func() bool {
		got, err := s.Idempotent(t.Context(), topic, "s")
		return err == nil && got.Status == 202
	}, "the answer is told too")
}

func TestRefusalsComeBeforeTheWait(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	s, topic := durable(t, primary.URL(), 1), newTopic()
	head := create(t, s, topic)
	stale := change(s, topic, head, 1)
	acknowledged(t, s, change(s, topic, head, 1))
	replica.Pause()
	require.ErrorIs(t, s.Commit(t.Context(), stale), ErrConflict)
	require.ErrorIs(t, s.Confirm(t.Context(), topic, head), ErrConflict, "the answer's basis has changed")
	require.ErrorIs(t, s.Confirm(t.Context(), newTopic(), head), ErrConflict, "or is gone")
}

func TestWhatNobodyIsToldOfDoesNotWait(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	s, topic := durable(t, primary.URL(), 1), newTopic()
	head := create(t, s, topic)
	replica.Pause()
	c := change(s, topic, head, 1)
	c.Unconfirmed = true
	require.NoError(t, s.Commit(t.Context(), c))
	require.ErrorIs(t, s.Confirm(t.Context(), topic, c.head()), ErrNotReplicated, "what is told waits for everything before it")
}

func TestReadsGoOnWhileManyWritesWaitForALostReplica(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	// A read that found the connections taken would not get one.
	s := durable(t, primary.URL()+"?pool_size=2&pool_timeout=1ms", 1)
	topics := make([]stream.Topic, 2)
	heads := make([]stream.ID, len(topics))
	for i := range topics {
		topics[i] = newTopic()
		heads[i] = create(t, s, topics[i])
	}
	replica.Pause()
	errs := make(chan error, len(topics))
	for i := range topics {
		go func() { errs <- s.Commit(t.Context(), change(s, topics[i], heads[i], 1)) }()
	}
	for range 20 {
		_, err := s.Load(t.Context(), Ref{Topic: topics[0]})
		require.NoError(t, err, "writes that wait have connections of their own")
	}
	for range topics {
		require.ErrorIs(t, <-errs, ErrNotReplicated)
	}
}

func TestAPrimaryThatForgotTheScriptIsSentItAgain(t *testing.T) {
	t.Parallel()
	primary, _ := followed(t)
	s, topic := durable(t, primary.URL(), 1), newTopic()
	require.NoError(t, primary.Client(t).ScriptFlush(t.Context()).Err())
	create(t, s, topic)
}

func TestWithoutReplicasToWaitForNothingIsConfirmed(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		require.NoError(t, open().Confirm(t.Context(), newTopic(), stream.ID{}))
	})
}

func TestAClusterConfirmsWherePartsOfItMoved(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartReplicatedCluster(t)
	s := durable(t, cluster.URL(), 1)
	for range 5 {
		topic := newTopic()
		head := create(t, s, topic)
		eventually(t, func() bool { return s.Confirm(t.Context(), topic, head) == nil }, "its replica has it")
	}
	// The slot of a bucket that has not been used yet changes its master.
	topic, slot, owner := freshTopic(t, s.confirmer.client.(*redis.ClusterClient))
	masters := redistest.Cluster{Nodes: cluster.Nodes[:3]}
	for _, n := range masters.Nodes {
		if n.Addr() != owner {
			masters.MoveSlot(t, slot, n)
			break
		}
	}
	create(t, s, topic)
}

// freshTopic is a session whose bucket's slot holds no key, with that slot and
// the address of its master. Only the master knows what a slot holds.
func freshTopic(t *testing.T, c *redis.ClusterClient) (topic stream.Topic, slot int64, owner string) {
	t.Helper()
	for {
		topic = newTopic()
		master, err := c.MasterForKey(t.Context(), confirmKey(topic.Bucket))
		require.NoError(t, err)
		slot = master.ClusterKeySlot(t.Context(), confirmKey(topic.Bucket)).Val()
		n, err := master.ClusterCountKeysInSlot(t.Context(), int(slot)).Result()
		require.NoError(t, err)
		if n == 0 {
			return topic, slot, master.Options().Addr
		}
	}
}

// counted counts a client's round trips.
func counted(n *int) redis.Hook {
	return hook{around: func(_ context.Context, run func() error) error { *n++; return run() }}
}

func TestAConfirmedCommitIsOneRoundTrip(t *testing.T) {
	t.Parallel()
	primary, _ := followed(t)
	s, topic := durable(t, primary.URL(), 1), newTopic()
	head := create(t, s, topic) // the server knows the script now
	var trips int
	s.confirmer.client.AddHook(counted(&trips))
	s.client.AddHook(counted(&trips))
	if err := s.Commit(t.Context(), change(s, topic, head, 1)); !errors.Is(err, ErrNotReplicated) {
		require.NoError(t, err)
	}
	require.Equal(t, 1, trips, "however long the replica takes")
}

func TestTheStartChecksTheReplicas(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	warned := func(n int) string { return startLog(t, primary.URL(), n) }
	require.Empty(t, warned(0))
	require.Empty(t, warned(1))
	require.Contains(t, warned(2), "fewer replicas")

	require.NoError(t, replica.Client(t).ConfigSet(t.Context(), "replica-priority", "0").Err())
	require.Contains(t, warned(1), "no replica of redis can be promoted")
	require.Contains(t, warned(0), "no replica of redis can be promoted")
	require.NoError(t, replica.Client(t).ConfigSet(t.Context(), "replica-priority", "100").Err())

	attach(t, redistest.Start(t), primary)
	eventually(t, func() bool { return strings.Contains(warned(1), "more replicas") }, "the second is online")
	require.Empty(t, warned(2))
}

func TestTheStartChecksWhatMayBePromoted(t *testing.T) {
	t.Parallel()
	primary, replica := followed(t)
	admin := replica.Client(t)
	require.NoError(t, admin.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru").Err())
	require.Contains(t, startLog(t, primary.URL(), 0), "maxmemory_policy=allkeys-lru")
	require.NoError(t, admin.ConfigSet(t.Context(), "maxmemory-policy", noEviction).Err())
	require.NoError(t, admin.ConfigSet(t.Context(), "appendonly", "no").Err())
	warned := startLog(t, primary.URL(), 1)
	require.Contains(t, warned, "a replica of redis has no append-only file")
	require.Contains(t, warned, "addr="+replica.Addr())
}

func TestTheStartSaysThatItFoundAReplica(t *testing.T) {
	t.Parallel()
	_, replica := followed(t)
	require.Contains(t, startLog(t, replica.URL(), 0), "takes no writes")
}

func TestAServerWithoutConfigIsUsedAsItIs(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	admin := server.Client(t)
	require.NoError(t, admin.ConfigSet(t.Context(), "appendonly", "no").Err())
	require.NoError(t, admin.Do(t.Context(), "ACL", "SETUSER", "managed", "on", ">secret", "~*", "&*", "+@all", "-config").Err())
	url := fmt.Sprintf("redis://managed:secret@%s", server.Addr())
	require.Contains(t, startLog(t, url, 0), "no append-only file")
}
