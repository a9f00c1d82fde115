package store

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/stream"
)

// sink remembers what a feed reported.
type sink struct {
	mu      sync.Mutex
	notices map[stream.Topic][]stream.Notice
	resyncs map[uint16]int
}

func newSink() *sink {
	return &sink{notices: map[stream.Topic][]stream.Notice{}, resyncs: map[uint16]int{}}
}

func (s *sink) Notify(n stream.Notice) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notices[n.Topic] = append(s.notices[n.Topic], n)
}

func (s *sink) Resync(buckets []uint16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, b := range buckets {
		s.resyncs[b]++
	}
}

func (s *sink) of(t stream.Topic) []stream.Notice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.notices[t])
}

func (s *sink) synced(bucket uint16) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.resyncs[bucket]
}

func eventually(t testing.TB, ready func() bool, what string) {
	t.Helper()
	require.Eventually(t, ready, patience, 10*time.Millisecond, what)
}

func TestAWatchedBucketReportsItsCommits(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		writer, reader, got := open(), open(), newSink()
		running(t, reader, got)
		topics := []stream.Topic{newTopic(), newTopic(), newTopic(), newTopic()}
		for _, topic := range topics {
			reader.Watch(topic.Bucket)
			eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "it says when it began")
		}
		for _, topic := range topics {
			head := create(t, writer, topic)
			c := change(writer, topic, head, 3)
			require.NoError(t, writer.Commit(t.Context(), c))
			eventually(t, func() bool { return len(got.of(topic)) == 2 }, "a message a commit")
			require.Equal(t, stream.Notice{Topic: topic, Head: c.head(), Events: c.Events}, got.of(topic)[1])
		}
	})
}

func TestALargeCommitIsAnnouncedWithoutItsEvents(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic, got := open(), newTopic(), newSink()
		running(t, s, got)
		s.Watch(topic.Bucket)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
		head := create(t, s, topic)
		c := change(s, topic, head, 0)
		c.Events = stream.Seal(head, topic.Session, c.Now,
			[]stream.Draft{{Type: "x", Data: []byte(`"` + strings.Repeat("x", maxFrames) + `"`)}})
		require.NoError(t, s.Commit(t.Context(), c))
		eventually(t, func() bool { return len(got.of(topic)) == 2 }, "announced")
		require.Equal(t, stream.Notice{Topic: topic, Head: c.head()}, got.of(topic)[1])
	})
}

func TestABucketIsWatchedUntilTheLastUnwatch(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic, got := open(), newTopic(), newSink()
		s.Watch(topic.Bucket) // before it runs
		s.Watch(topic.Bucket)
		running(t, s, got)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
		s.Unwatch(topic.Bucket)
		head := create(t, s, topic)
		eventually(t, func() bool { return len(got.of(topic)) == 1 }, "still watched")

		s.Unwatch(topic.Bucket)
		eventually(t, func() bool { return subscribers(t, s, topic) == 0 }, "unsubscribed")
		c := change(s, topic, head, 1)
		require.NoError(t, s.Commit(t.Context(), c))
		s.Watch(topic.Bucket)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 1 }, "subscribed again")
		require.NoError(t, s.Commit(t.Context(), change(s, topic, c.head(), 1)))
		eventually(t, func() bool { return len(got.of(topic)) == 2 }, "heard again, but not what came between")
	})
}

// subscribers is how many connections listen to a topic's bucket.
func subscribers(t testing.TB, s *Store, topic stream.Topic) int64 {
	t.Helper()
	channel := eventsChannel(topic.Bucket)
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		node, err := cluster.MasterForKey(t.Context(), channel)
		require.NoError(t, err)
		return node.PubSubShardNumSub(t.Context(), channel).Val()[channel]
	}
	return s.client.PubSubNumSub(t.Context(), channel).Val()[channel]
}

func TestASubscriptionComesBackAfterAnOutage(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, topic, got := opener(t, server.URL())(), newTopic(), newSink()
	running(t, s, got)
	s.Watch(topic.Bucket)
	eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
	head := create(t, s, topic)
	server.Restart()
	eventually(t, func() bool { return got.synced(topic.Bucket) > 1 }, "it says that something may be missing")
	c := change(s, topic, head, 1)
	require.NoError(t, s.Commit(t.Context(), c), "nothing acknowledged was lost")
	eventually(t, func() bool {
		heard := got.of(topic)
		return len(heard) > 0 && heard[len(heard)-1].Head == c.head()
	}, "and it reports again")
}

func TestASubscriptionFollowsItsNodeThroughARestart(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	s, got := opener(t, cluster.URL())(), newSink()
	running(t, s, got)
	topics := []stream.Topic{newTopic(), newTopic(), newTopic(), newTopic()}
	for _, topic := range topics {
		s.Watch(topic.Bucket)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
	}
	for _, node := range cluster.Nodes {
		node.Restart()
	}
	for _, topic := range topics {
		eventually(t, func() bool { return got.synced(topic.Bucket) > 1 }, "subscribed again")
	}
}

func TestAFrozenSubscriptionIsMadeAnew(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, topic, got := impatient(t, server), newTopic(), newSink()
	s.feed.check = 20 * time.Millisecond
	running(t, s, got)
	s.Watch(topic.Bucket)
	eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
	server.Pause()
	eventually(t, func() bool { return s.Ping(t.Context()) != nil }, "frozen")
	time.AfterFunc(time.Second, server.Resume)
	eventually(t, func() bool { return got.synced(topic.Bucket) > 1 }, "no connection was closed, but it was silent")
}

func TestBucketsOfASilentNodeDoNotHoldUpThoseOfOthers(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	s, got := opener(t, cluster.URL())(), newSink()
	silent, byNode := cluster.Nodes[1], map[string][]uint16{}
	for _, b := range AllBuckets() {
		node := nodeOf(t, s, b)
		byNode[node] = append(byNode[node], b)
	}
	running(t, s, got)
	silent.Pause()
	for _, b := range byNode[silent.Addr()][:100] {
		s.Watch(b) // to find one of them silent takes a while; all, minutes
	}
	for _, node := range []*redistest.Server{cluster.Nodes[0], cluster.Nodes[2]} {
		b := byNode[node.Addr()][0]
		s.Watch(b)
		eventually(t, func() bool { return got.synced(b) > 0 }, "subscribed")
	}
}

func TestAMessageThatCannotBeReadIsOneThatWasLost(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic, got := open(), newTopic(), newSink()
		running(t, s, got)
		s.Watch(topic.Bucket)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
		channel := eventsChannel(topic.Bucket)
		require.NoError(t, s.client.Do(t.Context(), s.publish, channel, "of a newer build").Err())
		eventually(t, func() bool { return got.synced(topic.Bucket) > 1 }, "read the log then")
	})
}

func TestASubscriptionFollowsItsSlotToAnotherNode(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	s, topic, got := opener(t, cluster.URL())(), newTopic(), newSink()
	s.feed.check = 100 * time.Millisecond
	running(t, s, got)
	s.Watch(topic.Bucket)
	eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
	channel := eventsChannel(topic.Bucket)
	home, err := sharded{client: s.client.(*redis.ClusterClient)}.node(t.Context(), channel)
	require.NoError(t, err)
	other := cluster.Nodes[slices.IndexFunc(cluster.Nodes, func(n *redistest.Server) bool { return n.Addr() != home })]
	cluster.MoveSlot(t, s.client.ClusterKeySlot(t.Context(), channel).Val(), other)
	eventually(t, func() bool { return got.synced(topic.Bucket) > 1 }, "subscribed at its new node")
	create(t, s, topic)
	eventually(t, func() bool { return len(got.of(topic)) == 1 }, "heard from there")
}

func TestAStoreStopsAndStartsAgain(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		s.Watch(topic.Bucket)
		for range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			got, done := newSink(), make(chan error, 1)
			go func() { done <- s.Run(ctx, got) }()
			eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
			cancel()
			require.NoError(t, <-done)
		}
	})
}
