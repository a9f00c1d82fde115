package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/stream"
)

// submission is what the commit of a new batch of four calls looks like.
func submission(s *Store, topic stream.Topic, head stream.ID) Commit {
	text := func(n int) string { return `{"text":"` + strings.Repeat("x", n) + `"}` }
	c := change(s, topic, head, 0)
	at := c.Now.Add(time.Minute)
	c.Doc.Set = Fields{"hot": text(900)}
	c.Open.Set = Fields{"batch": text(300)}
	drafts := []stream.Draft{{Type: "batch.started", BatchID: "bat_1", Data: []byte(text(1600))}}
	for i := range 4 {
		c.Open.Set[fmt.Sprintf("input:%d", i)] = text(300)
		c.Open.Set[fmt.Sprintf("state:%d", i)] = text(80)
		drafts = append(drafts, stream.Draft{Type: "call.dispatched", BatchID: "bat_1", Data: []byte(text(450))})
	}
	c.Events = stream.Seal(head, topic.Session, c.Now, drafts)
	c.Deadline = &at
	c.Idempotency = &Idempotency{Scope: c.ID, Answer: []byte(text(2000)), TTL: time.Hour}
	return c
}

// bare writes as many bytes as a commit does, and nothing else.
var bare = redis.NewScript(`redis.call('SET', KEYS[1], ARGV[1]) return 'OK'`)

// BenchmarkCommit alternates commits and bare scripts of the same bytes
// against one real Redis; ratio is the median of the one beside the other's,
// because the two share a machine with whatever else runs on it.
func BenchmarkCommit(b *testing.B) {
	s := opener(b, redistest.Shared(b).URL())()
	topic := newTopic()
	head := create(b, s, topic)
	sample := submission(s, topic, head)
	payload := strings.Repeat("x", bytesOf(&sample, s.publish))
	key := []string{sessionKeys(topic).key("bare")}
	var commits, bares []time.Duration
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		c := submission(s, topic, head)
		commits = append(commits, timed(func() error { return s.Commit(b.Context(), c) }))
		head = c.head()
		bares = append(bares, timed(func() error { return bare.Run(b.Context(), s.client, key, payload).Err() }))
	}
	b.ReportMetric(float64(median(commits).Microseconds()), "commit-µs")
	b.ReportMetric(float64(median(bares).Microseconds()), "bare-µs")
	b.ReportMetric(float64(median(commits))/float64(median(bares)), "ratio")
}

// timed is how long something takes that must succeed.
func timed(run func() error) time.Duration {
	start := time.Now()
	if err := run(); err != nil {
		panic(err)
	}
	return time.Since(start)
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// bytesOf is the size of all arguments that a commit sends.
func bytesOf(c *Commit, publish string) int {
	_, args := buildCommit(c, publish)
	n := 0
	for _, a := range args {
		if raw, ok := a.([]byte); ok {
			n += len(raw)
		} else {
			n += len(fmt.Sprint(a))
		}
	}
	return n
}

// What a transition writes depends on what changed, not on the batch.
func TestTheBytesOfATransitionDoNotGrowWithTheBatch(t *testing.T) {
	t.Parallel()
	s, err := Open(t.Context(), Config{URL: Embedded})
	closed(t, s, err)
	sizes := map[int]int{}
	for _, calls := range []int{4, 256} {
		topic := newTopic()
		c := creation(s, topic)
		c.Open.Set = Fields{}
		for i := range calls {
			c.Open.Set[fmt.Sprintf("input:%d", i)] = strings.Repeat("x", 500)
		}
		require.NoError(t, s.Commit(t.Context(), c))
		result := change(s, topic, c.head(), 1)
		result.Open.Set = Fields{"result:0": "done"}
		sizes[calls] = bytesOf(&result, s.publish)
	}
	require.InDelta(t, sizes[4], sizes[256], 16, "ids differ in length")
}
