package store

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// walk reads a list to its end in pages.
func walk(t testing.TB, l List, read func(List) (Page, error)) []string {
	t.Helper()
	var ids []string
	for {
		page, err := read(l)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Items), l.Limit)
		for _, item := range page.Items {
			ids = append(ids, item.ID)
		}
		if page.Next == "" {
			return ids
		}
		l.After = page.Next
	}
}

func TestSessionsAreListedNewestFirstOverTheirBuckets(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		buckets := BucketsOf(topic.Tenant)
		var ids []string
		for i := range 12 {
			topic.Bucket, topic.Session = buckets[i%3], fmt.Sprintf("ses_%02d", i)
			create(t, s, topic)
			ids = append(ids, topic.Session)
		}
		slices.Reverse(ids)
		l := List{Tenant: topic.Tenant, Buckets: buckets[:], Limit: 5}
		require.ElementsMatch(t, ids, walk(t, l, func(l List) (Page, error) { return s.Sessions(t.Context(), l) }))
		page, err := s.Sessions(t.Context(), l)
		require.NoError(t, err)
		require.True(t, slices.IsSortedFunc(page.Items, order{newest: true}.compare))
	})
}

func TestApprovalsAreListedOldestFirst(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		buckets := BucketsOf(topic.Tenant)
		c := creation(s, topic)
		for i := range 40 { // all of one millisecond
			c.OpenApprovals = append(c.OpenApprovals, fmt.Sprintf("apr_%02d", i))
		}
		require.NoError(t, s.Commit(t.Context(), c))
		answer := change(s, topic, c.head(), 1)
		answer.ClosedApprovals = c.OpenApprovals[:10]
		require.NoError(t, s.Commit(t.Context(), answer))

		l := List{Tenant: topic.Tenant, Buckets: buckets[:], Limit: 7}
		pages := func(pending bool) []string {
			return walk(t, l, func(l List) (Page, error) { return s.Approvals(t.Context(), l, pending) })
		}
		require.Equal(t, c.OpenApprovals[10:], pages(true))
		require.Equal(t, c.OpenApprovals, pages(false))
	})
}

func TestAListRefusesWhatItDidNotGive(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s := open()
		for _, position := range []string{"!", "eA", "eCB5"} {
			_, err := s.Sessions(t.Context(), List{Limit: 1, After: position})
			require.ErrorIs(t, err, ErrPosition, position)
		}
		for _, limit := range []int{0, -1, MaxPage + 1} {
			_, err := s.Sessions(t.Context(), List{Limit: limit})
			require.ErrorIs(t, err, ErrInvalid)
		}
	})
}

func TestDocsAreReadForAList(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head := create(t, s, topic)
		refs := []Ref{{Topic: newTopic()}}
		for range docsPage {
			refs = append(refs, Ref{Topic: topic, Ancestors: []string{"ses_gone"}})
		}
		records, err := s.Docs(t.Context(), refs, "hot", "none")
		require.NoError(t, err)
		require.Len(t, records, len(refs))
		require.Nil(t, records[0])
		require.Equal(t, head, records[docsPage].Head)
		require.Equal(t, Fields{"hot": `{"status":"active"}`, "schema": "1"}, records[docsPage].Doc)
		require.True(t, records[docsPage].Ancestors[0].Missing)
	})
}
