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

// bare writes what a submission writes, into the same structures, and checks
// nothing: what any script with these writes costs.
var bare = redis.NewScript(`
redis.call('HSET', KEYS[1], unpack(ARGV, 1, 8))
redis.call('HSET', KEYS[2], unpack(ARGV, 9, 26))
for i = 27, 46, 4 do
  redis.call('XADD', KEYS[3], ARGV[i], 't', ARGV[i + 1], 'h', ARGV[i + 2], 'j', ARGV[i + 3])
end
redis.call('ZADD', KEYS[4], ARGV[47], ARGV[48])
redis.call('SET', KEYS[5], ARGV[49], 'PX', 3600000)
redis.call('PUBLISH', KEYS[6], ARGV[50])
return 'OK'`)

// runBare runs bare with the bytes of a commit, on the keys of another session.
func runBare(b *testing.B, s *Store, c *Commit, topic stream.Topic) error {
	k := sessionKeys(topic)
	keys := []string{
		k.doc(), k.open(), k.events(), deadlinesKey(k.Bucket),
		k.idempotency(c.Idempotency.Scope), eventsChannel(k.Bucket),
	}
	args := []any{fieldHead, encodeID(c.head()), fieldCommits, 1, "@c1", c.ID, "hot", c.Doc.Set["hot"]}
	args = append(args, flatten(c.Open.Set)...)
	for _, e := range c.Events {
		args = append(args, entryID(e.Seq), e.Type, e.Hash[:], e.JSON)
	}
	args = append(args, millis(c.Now), k.member(), encodeIdempotency(c.ID, c.Idempotency), encodeNotice(c))
	return bare.Run(b.Context(), s.client, keys, args...).Err()
}

// one writes as many bytes as one value, the least that a script can do.
var one = redis.NewScript(`redis.call('SET', KEYS[1], ARGV[1]) return 'OK'`)

// BenchmarkCommit alternates commits with bare scripts of the same bytes
// against one real Redis. ratio is a commit's median beside that of a script
// with the same writes; one-ratio beside a script with one SET of all bytes.
// Medians, because they share a machine with whatever else runs on it.
func BenchmarkCommit(b *testing.B) {
	s := opener(b, redistest.Shared(b).URL())()
	topic, other := newTopic(), newTopic()
	head := create(b, s, topic)
	sample := submission(s, topic, head)
	payload := strings.Repeat("x", bytesOf(s, &sample))
	key := []string{sessionKeys(other).key("one")}
	var commits, bares, ones []time.Duration
	b.SetBytes(int64(len(payload)))
	for b.Loop() {
		c := submission(s, topic, head)
		head = c.head()
		commits = append(commits, timed(func() error { return s.Commit(b.Context(), c) }))
		bares = append(bares, timed(func() error { return runBare(b, s, &c, other) }))
		ones = append(ones, timed(func() error { return one.Run(b.Context(), s.client, key, payload).Err() }))
	}
	commit := float64(median(commits))
	b.ReportMetric(commit/1000, "commit-µs")
	b.ReportMetric(commit/float64(median(bares)), "ratio")
	b.ReportMetric(commit/float64(median(ones)), "one-ratio")
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
func bytesOf(s *Store, c *Commit) int {
	_, args := s.build(c)
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
		sizes[calls] = bytesOf(s, &result)
	}
	require.InDelta(t, sizes[4], sizes[256], 16, "ids differ in length")
}
