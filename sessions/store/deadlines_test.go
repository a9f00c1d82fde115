package store

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// dueOf are the due entries of one tenant: others share the bucket.
func dueOf(t testing.TB, s *Store, topic stream.Topic, now time.Time) []Due {
	t.Helper()
	all, err := s.Due(t.Context(), []uint16{topic.Bucket}, now, 1000)
	require.NoError(t, err)
	var out []Due
	for _, d := range all {
		if d.Topic.Tenant == topic.Tenant {
			out = append(out, d)
		}
	}
	return out
}

func TestADeadlineIsSetMovedAndRemovedByCommits(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := creation(s, topic)
		at := s.Now().Add(time.Hour).Truncate(time.Millisecond)
		c.Deadline = &at
		require.NoError(t, s.Commit(t.Context(), c))
		require.Empty(t, dueOf(t, s, topic, at.Add(-time.Millisecond)))
		require.Equal(t, []Due{{Topic: topic, At: at}}, dueOf(t, s, topic, at))

		next := change(s, topic, c.head(), 1)
		require.NoError(t, s.Commit(t.Context(), next))
		require.Empty(t, dueOf(t, s, topic, at))
	})
}

func TestDescendantsBecomeDueWithTheirAncestorsEnd(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		c := change(s, topic, head, 1)
		c.DueNow = []string{"ses_child"}
		require.NoError(t, s.Commit(t.Context(), c))
		require.Equal(t, sibling(topic, "ses_child"), dueOf(t, s, topic, s.Now().Add(patience))[0].Topic)
	})
}

func TestOneOfManySweepersTakesADeadline(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		stores, topic := []*Store{open(), open()}, newTopic()
		c := creation(stores[0], topic)
		at := stores[0].Now()
		c.Deadline = &at
		require.NoError(t, stores[0].Commit(t.Context(), c))
		due := dueOf(t, stores[1], topic, at)
		require.Len(t, due, 1)

		var taken atomic.Int32
		var wg sync.WaitGroup
		lease := at.Add(time.Minute)
		for i := range 8 {
			wg.Go(func() {
				ok, err := stores[i%2].Take(t.Context(), due[0], lease)
				if err == nil && ok {
					taken.Add(1)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, taken.Load())

		back := dueOf(t, stores[0], topic, lease)
		require.Len(t, back, 1, "it comes back when the taker dies")
		ok, err := stores[0].Take(t.Context(), back[0], time.Time{})
		require.NoError(t, err)
		require.True(t, ok)
		require.Empty(t, dueOf(t, stores[0], topic, lease))
	})
}

func TestDueReadsEveryBucket(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s := open()
		_, err := s.Due(t.Context(), AllBuckets(), time.Unix(0, 0), 10)
		require.NoError(t, err)
	})
}
