package store

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

// witness notes what it is told.
type witness struct {
	mu       sync.Mutex
	outcomes []string
	failed   []string
}

func (w *witness) Committed(outcome string, took time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if took <= 0 {
		outcome += " in no time"
	}
	w.outcomes = append(w.outcomes, outcome)
}

func (w *witness) RedisFailed(kind string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.failed = append(w.failed, kind)
}

func (w *witness) told() (outcomes, failed []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.outcomes), slices.Clone(w.failed)
}

func TestAnObserverIsToldOfCommitsAndFailures(t *testing.T) {
	t.Parallel()
	server, w := redistest.Start(t), &witness{}
	s, err := Open(t.Context(), Config{URL: server.URL() + "?max_retries=-1", Observer: w})
	s = closed(t, s, err)
	topic := newTopic()
	head := create(t, s, topic)
	require.NoError(t, s.Commit(t.Context(), change(s, topic, head, 1)))
	require.ErrorIs(t, s.Commit(t.Context(), change(s, topic, head, 1)), ErrConflict)
	require.True(t, s.Stats().Up)
	_, failed := w.told()
	require.Empty(t, failed)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, s.Ping(gone))
	_, failed = w.told()
	require.Empty(t, failed, "a caller that left is no failure of Redis")

	server.Kill()
	require.ErrorIs(t, s.Commit(t.Context(), change(s, topic, head, 1)), ErrUnavailable)
	require.Error(t, s.sample(t.Context()))
	require.False(t, s.Stats().Up)
	outcomes, failed := w.told()
	require.Equal(t, []string{"applied", "applied", "conflict", "unavailable"}, outcomes)
	require.Contains(t, failed, "connection")
}

func TestTheLogTellsOfAnOutageAndOfItsEnd(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := redistest.Start(t)
	s, err := Open(t.Context(), Config{URL: server.URL() + "?max_retries=-1", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	s = closed(t, s, err)
	log.Reset() // of what is said at the start
	s.sampleAgain(t.Context())
	require.Empty(t, log.String())
	server.Kill()
	s.sampleAgain(t.Context())
	require.Contains(t, log.String(), "could not sample redis")
	server.Restart()
	require.Eventually(t, func() bool {
		s.sampleAgain(t.Context())
		return s.Stats().Up
	}, 20*time.Second, 10*time.Millisecond)
	s.sampleAgain(t.Context())
	require.Equal(t, 1, strings.Count(log.String(), "redis answers again"))
}

func TestWhatRedisRefusesIsToldInFewWords(t *testing.T) {
	t.Parallel()
	server, w := redistest.Start(t), &witness{}
	s, err := Open(t.Context(), Config{URL: server.URL() + "?max_retries=-1", Observer: w})
	s = closed(t, s, err)
	require.NoError(t, server.Client(t).ConfigSet(t.Context(), "maxmemory", "1").Err())
	require.ErrorIs(t, s.Commit(t.Context(), creation(s, newTopic())), ErrUnavailable)
	_, failed := w.told()
	require.Equal(t, []string{"out_of_memory"}, slices.Compact(failed))
}

func TestOpenApprovalsOfAllTenantsAreCounted(t *testing.T) {
	t.Parallel()
	url := redistest.Start(t).URL()
	s := opener(t, url)()
	nobody, err := s.Pending(t.Context())
	require.NoError(t, err)
	require.Zero(t, nobody)

	var asked []time.Time
	for n := range 3 {
		topic := newTopic()
		c := creation(s, topic)
		c.OpenApprovals = []string{fmt.Sprintf("apr_%d_1", n), fmt.Sprintf("apr_%d_2", n)}
		require.NoError(t, s.Commit(t.Context(), c))
		answer := change(s, topic, c.head(), 1)
		answer.ClosedApprovals = c.OpenApprovals[:1]
		require.NoError(t, s.Commit(t.Context(), answer))
		asked = append(asked, c.Now.Truncate(time.Millisecond))
	}
	all, err := s.Pending(t.Context())
	require.NoError(t, err)
	require.Equal(t, Pending{Count: 3, Oldest: asked[0].UTC()}, all)
}
