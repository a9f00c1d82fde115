package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// verify fails unless events continue the chain behind head.
func verify(t testing.TB, head stream.ID, events []stream.Event) stream.ID {
	t.Helper()
	for _, e := range events {
		require.Equal(t, head.Seq+1, e.Seq, "no gap")
		require.Equal(t, head.Hash, e.Prev)
		require.Equal(t, stream.Next(head.Hash, e.JSON), e.Hash)
		head = e.ID()
	}
	return head
}

func TestTheLogIsReadInPages(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		c := change(s, topic, head, 2*readChunk)
		require.NoError(t, s.Commit(t.Context(), c))

		all, err := s.Read(t.Context(), topic, 0, 1<<30)
		require.NoError(t, err)
		require.Equal(t, c.head(), verify(t, stream.ID{}, all))
		require.Equal(t, c.Events, all[1:], "byte for byte")

		one, err := s.Read(t.Context(), topic, 5, 1)
		require.NoError(t, err)
		require.Equal(t, all[5:6], one, "one event even when it is too long")
		some, err := s.Read(t.Context(), topic, 5, 3*len(all[5].JSON))
		require.NoError(t, err)
		require.Equal(t, all[5:8], some)
		none, err := s.Read(t.Context(), topic, c.head().Seq, 1<<30)
		require.NoError(t, err)
		require.Empty(t, none)
	})
}

func TestALogThatDoesNotExist(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		_, err := s.Bounds(t.Context(), topic)
		require.ErrorIs(t, err, stream.ErrNoLog)
		_, err = s.Read(t.Context(), topic, 0, 1000)
		require.ErrorIs(t, err, stream.ErrNoLog)
		heads, err := s.Heads(t.Context(), []stream.Topic{topic})
		require.NoError(t, err)
		require.Equal(t, []stream.ID{{}}, heads)
	})
}

func TestHeadsOfManyLogs(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, a, b := open(), newTopic(), newTopic()
		headA, headB := create(t, s, a), create(t, s, b)
		heads, err := s.Heads(t.Context(), []stream.Topic{a, newTopic(), b})
		require.NoError(t, err)
		require.Equal(t, []stream.ID{headA, {}, headB}, heads)
	})
}

func TestBoundsSayThatASessionIsClosed(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		bounds, err := s.Bounds(t.Context(), topic)
		require.NoError(t, err)
		require.Equal(t, stream.Bounds{First: 1, Head: head}, bounds)

		end := change(s, topic, head, 0)
		end.Events = stream.Seal(head, topic.Session, end.Now, []stream.Draft{{Type: closedType, Data: []byte("{}")}})
		require.NoError(t, s.Commit(t.Context(), end))
		bounds, err = s.Bounds(t.Context(), topic)
		require.NoError(t, err)
		require.True(t, bounds.Closed)
	})
}

func TestALongLogIsTrimmedInStepsAndKeepsTheHashBeforeIt(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		const width = 250
		var last stream.Hash // of the event before the one that will be first
		for head.Seq < retained+2*trimStep {
			c := change(s, topic, head, width)
			require.NoError(t, s.Commit(t.Context(), c))
			for _, e := range c.Events {
				if e.Seq == 2*trimStep {
					last = e.Hash
				}
			}
			head = c.head()
		}
		bounds, err := s.Bounds(t.Context(), topic)
		require.NoError(t, err)
		require.Equal(t, stream.Bounds{First: 2*trimStep + 1, BasePrev: last, Head: head}, bounds)
		require.GreaterOrEqual(t, head.Seq-bounds.First+1, uint64(retained))

		page, err := s.Read(t.Context(), topic, 0, 1000)
		require.NoError(t, err)
		require.Equal(t, bounds.First, page[0].Seq, "what was trimmed is skipped")
		verify(t, stream.ID{Seq: bounds.First - 1, Hash: last}, page)
	})
}
