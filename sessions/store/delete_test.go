package store

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// fill makes a child session that has some of everything.
func fill(t testing.TB, s *Store, topic stream.Topic) Removal {
	t.Helper()
	c := creation(s, topic)
	now := s.Now()
	c.Deadline, c.Parent = &now, "ses_parent"
	c.Outbox = &Outbox{Entries: []string{"told"}, At: now}
	c.Memory.Calls = Fields{"m": "1"}
	c.Outputs = map[string][]byte{}
	for i := range deleteChunk + 5 {
		c.Outputs[fmt.Sprint(i)] = []byte("text")
		c.OpenApprovals = append(c.OpenApprovals, fmt.Sprintf("apr_%d", i))
	}
	require.NoError(t, s.Commit(t.Context(), c))
	head := c.head()
	const batches = deleteChunk + 5
	for n := range uint64(batches) {
		next := change(s, topic, head, 1)
		next.Open.Set, next.Archive, next.Deadline = Fields{"x": "1"}, n+1, &now
		next.Turn = &TurnPatch{Number: n + 1, Set: Fields{"x": "1"}, Text: "said"}
		require.NoError(t, s.Commit(t.Context(), next))
		head = next.head()
	}
	return Removal{Topic: topic, Batches: batches, Turns: batches, Parent: "ses_parent"}
}

// leftovers are the keys of a tenant, on whatever node, but those of its own
// log, which is bounded by itself.
func leftovers(t testing.TB, s *Store, topic stream.Topic) []string {
	t.Helper()
	wide := logKeys(stream.TenantTopic(topic.Bucket, topic.Tenant))
	scan := func(ctx context.Context, c redis.Cmdable) ([]string, error) {
		keys, err := c.Keys(ctx, bucketKey(topic.Bucket, topic.Tenant+":*")).Result()
		return slices.DeleteFunc(keys, func(key string) bool { return key == wide.doc() || key == wide.events() }), err
	}
	cluster, ok := s.client.(*redis.ClusterClient)
	if !ok {
		keys, err := scan(t.Context(), s.client)
		require.NoError(t, err)
		return keys
	}
	node, err := cluster.MasterForKey(t.Context(), deadlinesKey(topic.Bucket))
	require.NoError(t, err)
	keys, err := scan(t.Context(), node)
	require.NoError(t, err)
	return keys
}

func TestADeletedSessionLeavesNothing(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		r := fill(t, s, topic)
		require.NotEmpty(t, leftovers(t, s, topic))
		require.NoError(t, s.Delete(t.Context(), r))
		require.Empty(t, leftovers(t, s, topic))
		require.Empty(t, dueOf(t, s, topic, s.Now()))
		require.NoError(t, s.Delete(t.Context(), r), "again")
	})
}

func TestADeletionThatWasInterruptedIsBegunAgain(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		r := fill(t, s, topic)
		interrupted, cancel := context.WithCancel(t.Context())
		s.client.AddHook(cancelAfter(5, cancel))
		require.ErrorIs(t, s.Delete(interrupted, r), ErrUnavailable)
		require.Equal(t, "1:default", load(t, s, topic).Mode, "the document goes last")
		require.NoError(t, s.Delete(t.Context(), r))
		require.Empty(t, leftovers(t, s, topic))
	})
}

func TestAnAnswerOutlivesItsSession(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		require.NoError(t, s.Commit(t.Context(), answered(s, topic, head, Idempotency{Scope: "s", TTL: time.Hour})))
		require.NoError(t, s.Delete(t.Context(), Removal{Topic: topic}))
		_, err := s.Idempotent(t.Context(), topic, "s")
		require.NoError(t, err)
	})
}
