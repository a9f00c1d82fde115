package store

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/stream"
)

// leased makes a session whose host is attached until then.
func leased(t testing.TB, s *Store, topic stream.Topic, ttl time.Duration, until time.Time) (stream.ID, *Lease) {
	t.Helper()
	head := create(t, s, topic)
	l := &Lease{Host: "host-1", Fence: 7, TTL: ttl, Expires: until.UTC().Truncate(time.Millisecond)}
	c := change(s, topic, head, 1)
	c.Lease = &LeaseChange{To: l}
	require.NoError(t, s.Commit(t.Context(), c))
	require.Equal(t, l, load(t, s, topic).Lease)
	return c.head(), l
}

func TestALeaseIsRenewedByItsHostAlone(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head, l := leased(t, s, topic, time.Hour, s.Now().Add(2*patience))
		for _, wrong := range []struct {
			host  string
			fence int64
		}{{"host-1", 6}, {"host-1", 8}, {"host-2", 7}, {"", 7}, {"host-1", 0}} {
			_, err := s.Renew(t.Context(), topic, wrong.host, wrong.fence)
			require.ErrorIs(t, err, ErrLeaseOver, "%+v", wrong)
		}
		require.Equal(t, l, load(t, s, topic).Lease)

		renewed, err := s.Renew(t.Context(), topic, "host-1", 7)
		require.NoError(t, err)
		require.WithinDuration(t, s.Now().Add(time.Hour), renewed.Expires, patience)
		after := load(t, s, topic)
		require.Equal(t, renewed, after.Lease)
		require.Equal(t, head, after.Head, "a renewal is no event")

		_, err = s.Renew(t.Context(), sibling(topic, "ses_other"), "host-1", 7)
		require.ErrorIs(t, err, ErrLeaseOver)
	})
}

func TestALeaseThatRanOutIsNotRenewed(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		leased(t, s, topic, time.Hour, s.Now().Add(-patience))
		_, err := s.Renew(t.Context(), topic, "host-1", 7)
		require.ErrorIs(t, err, ErrLeaseOver)
	})
}

// TestAHostThatWasHeardOfIsNotLost: a commit that takes the lease as run out
// is refused when it was renewed after it was read.
func TestAHostThatWasHeardOfIsNotLost(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		head, read := leased(t, s, topic, time.Hour, s.Now().Add(2*patience))
		_, err := s.Renew(t.Context(), topic, "host-1", 7)
		require.NoError(t, err)

		c := change(s, topic, head, 1)
		c.Lease = &LeaseChange{Checked: true, From: read}
		require.ErrorIs(t, s.Commit(t.Context(), c), ErrConflict)
		c.Lease.From = nil
		require.ErrorIs(t, s.Commit(t.Context(), c), ErrConflict)
		c.Lease.From = load(t, s, topic).Lease
		require.NoError(t, s.Commit(t.Context(), c))
		require.Nil(t, load(t, s, topic).Lease)
		_, err = s.Renew(t.Context(), topic, "host-1", 7)
		require.ErrorIs(t, err, ErrLeaseOver)
	})
}

func TestALeaseGoesWithItsSession(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() *Store) {
		s, topic := open(), newTopic()
		leased(t, s, topic, time.Hour, s.Now().Add(time.Hour))
		require.NoError(t, s.Delete(t.Context(), Removal{Topic: topic}))
		n, err := s.client.Exists(t.Context(), sessionKeys(topic).lease()).Result()
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

func TestALeaseIsReadAsItWasWrittenOrNotAtAll(t *testing.T) {
	t.Parallel()
	for _, l := range []*Lease{nil, {Host: "a b", Fence: 1, TTL: time.Second, Expires: time.UnixMilli(5).UTC()}} {
		got, err := decodeLease(encodeLease(l))
		require.NoError(t, err)
		require.Equal(t, l, got)
	}
	for _, broken := range []string{"x", "1 2 3", "1 2 x host", strconv.Itoa(1)} {
		_, err := decodeLease(broken)
		require.Error(t, err, broken)
	}
}
