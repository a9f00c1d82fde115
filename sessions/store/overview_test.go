package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// wideOf is the tenant's log that a session's commits write to.
func wideOf(t stream.Topic) stream.Topic { return stream.TenantTopic(t.Bucket, t.Tenant) }

// commitTypes commits an event of each type.
func commitTypes(t testing.TB, s *Store, topic stream.Topic, head stream.ID, types ...string) Commit {
	t.Helper()
	c := change(s, topic, head, 0)
	drafts := make([]stream.Draft, len(types))
	for i, kind := range types {
		drafts[i] = stream.Draft{Type: kind, Data: fmt.Appendf(nil, `{"n":%d,"tags":[]}`, i)}
	}
	c.Events = stream.Seal(head, topic.Session, c.Now, drafts)
	require.NoError(t, s.Commit(t.Context(), c))
	return c
}

// verifyWide fails unless events continue a tenant's log behind head.
func verifyWide(t testing.TB, head stream.ID, events []stream.Event) stream.ID {
	t.Helper()
	for _, e := range events {
		require.Equal(t, head.Seq+1, e.Seq, "no gap")
		require.Equal(t, head.Hash, e.Prev)
		require.NotEqual(t, head.Hash, e.Hash)
		head = e.ID()
	}
	return head
}

func TestATenantsLogHasWhatAnOverviewNeeds(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, a := open(), newTopic()
		b := sibling(a, "ses_2")
		headA, headB := create(t, s, a), create(t, s, b)
		first := commitTypes(t, s, a, headA, "batch.started", "call.result", "approval.requested", "batch.completed")
		second := commitTypes(t, s, b, headB, "call.result", "session.closed")
		commitTypes(t, s, a, first.head(), "call.result", "plan.entered", "mode.changed", "call.late", "batch.started")

		all, err := s.Read(t.Context(), wideOf(a), 0, 1<<20)
		require.NoError(t, err)
		require.Len(t, all, 5)
		for i, want := range []stream.Event{first.Events[2], first.Events[3], second.Events[1]} {
			got := all[2+i] // behind the sessions' creation
			require.Equal(t, want.Type, got.Type)
			require.Equal(t, string(want.JSON), string(got.JSON), "byte for byte as in the session's log")
		}
		head := verifyWide(t, stream.ID{}, all)
		heads, err := s.Heads(t.Context(), []stream.Topic{a, wideOf(a)})
		require.NoError(t, err)
		require.Equal(t, head, heads[1])
		bounds, err := s.Bounds(t.Context(), wideOf(a))
		require.NoError(t, err)
		require.Equal(t, stream.Bounds{First: 1, Head: head, Closed: true}, bounds)
	})
}

func TestACommitThatIsSentAgainIsInTheTenantsLogOnce(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := commitTypes(t, s, topic, create(t, s, topic), "session.updated")
		require.NoError(t, s.Commit(t.Context(), c))
		all, err := s.Read(t.Context(), wideOf(topic), 0, 1<<20)
		require.NoError(t, err)
		require.Len(t, all, 2)
	})
}

func TestATenantsLogThatNobodyWroteToIsEmpty(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, wide := open(), wideOf(newTopic())
		bounds, err := s.Bounds(t.Context(), wide)
		require.NoError(t, err)
		require.Equal(t, stream.Bounds{First: 1}, bounds)
		page, err := s.Read(t.Context(), wide, 0, 1000)
		require.NoError(t, err)
		require.Empty(t, page)
		heads, err := s.Heads(t.Context(), []stream.Topic{wide})
		require.NoError(t, err)
		require.Equal(t, []stream.ID{{}}, heads)
	})
}

func TestACommitIsAnnouncedToTheTenantsReadersToo(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic, got := open(), newTopic(), newSink()
		running(t, s, got)
		s.Watch(topic.Bucket)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
		c := commitTypes(t, s, topic, create(t, s, topic), "approval.requested", "call.result", "session.updated")
		c = commitTypes(t, s, topic, c.head(), "call.result")
		commitTypes(t, s, topic, c.head(), "session.updated", "call.result")
		eventually(t, func() bool { return len(got.of(topic)) == 4 }, "the session's")
		eventually(t, func() bool { return len(got.of(wideOf(topic))) == 3 }, "the tenant's")

		all, err := s.Read(t.Context(), wideOf(topic), 0, 1<<20)
		require.NoError(t, err)
		var told []stream.Event
		for _, n := range got.of(wideOf(topic)) {
			require.Equal(t, n.Events[len(n.Events)-1].ID(), n.Head)
			told = append(told, n.Events...)
		}
		require.Equal(t, all, told, "what is announced is what is stored")
	})
}

func TestALargeCommitTellsHowFarTheTenantsLogIs(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic, got := open(), newTopic(), newSink()
		running(t, s, got)
		s.Watch(topic.Bucket)
		eventually(t, func() bool { return got.synced(topic.Bucket) > 0 }, "subscribed")
		head := create(t, s, topic)
		c := change(s, topic, head, 0)
		c.Events = stream.Seal(head, topic.Session, c.Now,
			[]stream.Draft{{Type: "session.updated", Data: []byte(`"` + strings.Repeat("x", maxFrames) + `"`)}})
		require.NoError(t, s.Commit(t.Context(), c))
		eventually(t, func() bool { return len(got.of(wideOf(topic))) == 2 }, "announced")
		heads, err := s.Heads(t.Context(), []stream.Topic{wideOf(topic)})
		require.NoError(t, err)
		require.Equal(t, stream.Notice{Topic: wideOf(topic), Head: heads[0]}, got.of(wideOf(topic))[1])
	})
}

func TestATenantsLogIsShortAndKeepsTheHashBeforeIt(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		var before []stream.Event
		for head.Seq < overviewKept+3*overviewStep/2 {
			c := change(s, topic, head, 70)
			require.NoError(t, s.Commit(t.Context(), c))
			head = c.head()
			if before == nil {
				var err error
				before, err = s.Read(t.Context(), wideOf(topic), 0, 1<<20)
				require.NoError(t, err)
			}
		}
		bounds, err := s.Bounds(t.Context(), wideOf(topic))
		require.NoError(t, err)
		require.Equal(t, head.Seq, bounds.Head.Seq)
		require.GreaterOrEqual(t, bounds.Head.Seq-bounds.First+1, uint64(overviewKept))
		require.Less(t, bounds.Head.Seq-bounds.First+1, uint64(overviewKept+overviewStep))

		rest, err := s.Read(t.Context(), wideOf(topic), 0, 1<<30)
		require.NoError(t, err)
		require.Equal(t, bounds.First, rest[0].Seq)
		last := verifyWide(t, stream.ID{Seq: bounds.First - 1, Hash: bounds.BasePrev}, rest)
		require.Equal(t, bounds.Head, last)
		verifyWide(t, stream.ID{}, before)
	})
}

func TestATenantsLogThatExpiredSaysThatEventsAreMissing(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := commitTypes(t, s, topic, create(t, s, topic), "session.updated", "session.updated")
		k := logKeys(wideOf(topic))
		ttl, err := s.client.PTTL(t.Context(), k.events()).Result()
		require.NoError(t, err)
		require.InDelta(t, overviewTTL, ttl, float64(patience))
		old, err := s.Bounds(t.Context(), wideOf(topic))
		require.NoError(t, err)

		require.NoError(t, s.client.Del(t.Context(), k.events()).Err()) // as its time does
		bounds, err := s.Bounds(t.Context(), wideOf(topic))
		require.NoError(t, err)
		require.Equal(t, stream.Bounds{First: 4, BasePrev: old.Head.Hash, Head: old.Head}, bounds)

		commitTypes(t, s, topic, c.head(), "session.updated")
		page, err := s.Read(t.Context(), wideOf(topic), 0, 1000)
		require.NoError(t, err)
		require.Len(t, page, 1)
		verifyWide(t, old.Head, page)
		bounds, err = s.Bounds(t.Context(), wideOf(topic))
		require.NoError(t, err)
		require.Equal(t, stream.Bounds{First: 4, BasePrev: old.Head.Hash, Head: page[0].ID()}, bounds)
	})
}

func TestAnotherTenantsLogIsItsOwn(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, a := open(), newTopic()
		b := stream.Topic{Bucket: a.Bucket, Tenant: newTopic().Tenant, Session: "ses_1"}
		create(t, s, a)
		create(t, s, b)
		for _, topic := range []stream.Topic{a, b} {
			page, err := s.Read(t.Context(), wideOf(topic), 0, 1000)
			require.NoError(t, err)
			require.Len(t, page, 1)
		}
	})
}

func FuzzDecodeMessage(f *testing.F) {
	c := &Commit{Topic: stream.Topic{Tenant: "t", Session: "s"}}
	c.Events = stream.Seal(stream.ID{}, "s", c.Now,
		[]stream.Draft{{Type: "session.updated", Data: []byte("{}")}, {Type: "call.result", Data: []byte(`" "`)}})
	prev := stream.Hash{1}
	head := overviewHash(prev, c.Events[0].Hash)
	told := "7 " + string(prev[:]) + string(head[:])
	f.Add("\n" + string(encodeNotice(c)))
	f.Add(told + "\n" + string(encodeNotice(c)))
	f.Add(told + string(encodeNotice(c)))
	f.Add(told)
	f.Add("")
	f.Fuzz(func(t *testing.T, message string) {
		notices, err := decodeMessage(3, message)
		if err != nil {
			return
		}
		require.NotEmpty(t, notices)
		for _, n := range notices[1:] {
			require.Equal(t, stream.TenantTopic(3, notices[0].Topic.Tenant), n.Topic)
			if len(n.Events) > 0 {
				require.Equal(t, n.Head, n.Events[len(n.Events)-1].ID())
			}
		}
	})
}
