package store

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestWhatIsToBeToldOutsideIsKeptUntilItWas(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		c := change(s, topic, head, 1)
		at := s.Now().Add(-time.Minute).Truncate(time.Millisecond)
		c.Outbox = &Outbox{Entries: []string{"a", "b"}, At: at}
		require.NoError(t, s.Commit(t.Context(), c))
		require.NoError(t, s.Commit(t.Context(), c), "the same commit again")

		untold, err := s.Untold(t.Context(), topic)
		require.NoError(t, err)
		require.Len(t, untold, 2)
		require.WithinDuration(t, c.Now, untold[0].Since, time.Millisecond)
		require.NoError(t, s.Told(t.Context(), topic, "a"))
		untold, err = s.Untold(t.Context(), topic)
		require.NoError(t, err)
		require.Equal(t, "b", untold[0].Entry)
		require.Len(t, untold, 1)
		require.Equal(t, c.head(), load(t, s, topic).Head, "it is no change of the session")

		due := Due{Topic: topic, Webhooks: true, At: at.UTC()}
		found, err := s.Due(t.Context(), []uint16{topic.Bucket}, s.Now(), 1000)
		require.NoError(t, err)
		require.Contains(t, found, due)
		taken, err := s.Take(t.Context(), due, time.Time{})
		require.NoError(t, err)
		require.True(t, taken)
		taken, err = s.Take(t.Context(), due, time.Time{})
		require.NoError(t, err)
		require.False(t, taken)
	})
}

func TestAnOutboxKeepsTheNewest(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		for n := range 3 {
			c := change(s, topic, head, 1)
			c.Now = s.Now().Add(time.Duration(n) * time.Millisecond)
			c.Outbox = &Outbox{At: s.Now()}
			for i := range maxOutbox / 2 {
				c.Outbox.Entries = append(c.Outbox.Entries, strconv.Itoa(n*maxOutbox+i))
			}
			require.NoError(t, s.Commit(t.Context(), c))
			head = c.head()
		}
		untold, err := s.Untold(t.Context(), topic)
		require.NoError(t, err)
		require.Len(t, untold, maxOutbox)
		for _, u := range untold {
			n, err := strconv.Atoi(u.Entry)
			require.NoError(t, err)
			require.GreaterOrEqual(t, n, maxOutbox, "of the first commit")
		}
	})
}
