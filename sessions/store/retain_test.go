package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

func TestWhichEventsStay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from, to uint64 // the heads before and after the commit
		keep     Retention
		first    uint64 // 0: nothing goes
	}{
		"a short log":                            {9_000, 10_005, Retention{}, 0},
		"a log that crosses a step":              {10_999, 11_001, Retention{}, 1_001},
		"between steps":                          {11_001, 11_999, Retention{}, 0},
		"old events of a short log":              {20, 21, Retention{Stale: 5}, 6},
		"old events, more than a step takes":     {10_999, 11_000, Retention{Stale: 5_000}, 5_001},
		"old events, fewer than a step takes":    {10_999, 11_000, Retention{Stale: 500}, 1_001},
		"an open batch":                          {20, 21, Retention{Stale: 15, Needed: 10}, 10},
		"an open batch behind what goes":         {20, 21, Retention{Stale: 5, Needed: 10}, 6},
		"an open batch in a log over a step":     {11_999, 12_000, Retention{Needed: 7}, 7},
		"an open batch with all there is":        {11_999, 12_000, Retention{Needed: 1}, 1},
		"an open batch that holds back too much": {120_999, 121_000, Retention{Needed: 20_000}, 111_001},
	} {
		commit := Commit{Expect: stream.ID{Seq: c.from}, Events: []stream.Event{{Seq: c.to}}, Retention: c.keep}
		require.Equal(t, c.first, commit.firstKept(), name)
	}
}

func TestOldEventsGoAndTheirLastHashStays(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		c := change(s, topic, head, 10)
		require.NoError(t, s.Commit(t.Context(), c))
		all, err := s.Read(t.Context(), topic, 0, 1<<20)
		require.NoError(t, err)

		for _, stale := range []uint64{4, 4, 2} { // also when they have gone already
			c = change(s, topic, c.head(), 1)
			c.Retention.Stale = stale
			require.NoError(t, s.Commit(t.Context(), c))
			b, err := s.Bounds(t.Context(), topic)
			require.NoError(t, err)
			require.Equal(t, uint64(5), b.First)
			require.Equal(t, all[3].Hash, b.BasePrev)
		}
		c = change(s, topic, c.head(), 1)
		c.Retention.Stale = c.head().Seq
		require.ErrorIs(t, s.Commit(t.Context(), c), ErrInvalid)
	})
}

func TestOutputsMakeRoomForOthers(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		c := change(s, topic, create(t, s, topic), 1)
		c.Outputs = map[string][]byte{"out_1_0": []byte("a"), "out_1_1": []byte("b")}
		require.NoError(t, s.Commit(t.Context(), c))
		c = change(s, topic, c.head(), 1)
		c.Outputs, c.DropOutputs = map[string][]byte{"out_2_0": []byte("c")}, []string{"out_1_0"}
		require.NoError(t, s.Commit(t.Context(), c))
		_, err := s.Output(t.Context(), topic, "out_1_0")
		require.ErrorIs(t, err, ErrNotFound)
		for _, ref := range []string{"out_1_1", "out_2_0"} {
			_, err := s.Output(t.Context(), topic, ref)
			require.NoError(t, err)
		}
		require.NoError(t, s.Delete(t.Context(), Removal{Topic: topic}))
		require.Empty(t, leftovers(t, s, topic))
	})
}
