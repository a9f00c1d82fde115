package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestWhatIsSaidInATurnIsAppendedOnce(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := commit(t, s, creation(s, topic))
		for _, patch := range []TurnPatch{
			{Number: 1, Set: Fields{"turn": "one"}},
			{Number: 1, Text: "höre "},
			{Number: 1, Text: "zu"},
			{Number: 1, Set: Fields{"end": "done"}},
			{Number: 2, Set: Fields{"turn": "two"}},
		} {
			c := change(s, topic, head, 1)
			c.Turn = &patch
			head = commit(t, s, c)
			require.NoError(t, s.Commit(t.Context(), c), "the library retries")
		}
		fields, text, err := s.Turn(t.Context(), topic, 1)
		require.NoError(t, err)
		require.Equal(t, Fields{"turn": "one", "end": "done"}, fields)
		require.Equal(t, "höre zu", text)
		all, err := s.Turns(t.Context(), topic, []uint64{2, 1, 3})
		require.NoError(t, err)
		require.Equal(t, []Fields{{"turn": "two"}, {"turn": "one", "end": "done"}, {}}, all)

		c := change(s, topic, head, 1)
		c.Turn = &TurnPatch{Number: 3, Set: Fields{"turn": "three"}, Drop: 1}
		commit(t, s, c)
		_, _, err = s.Turn(t.Context(), topic, 1)
		require.ErrorIs(t, err, ErrNotFound)
	})
}

// commit sends a commit and answers the head behind it.
func commit(t testing.TB, s *Store, c Commit) stream.ID {
	t.Helper()
	require.NoError(t, s.Commit(t.Context(), c))
	return c.head()
}
