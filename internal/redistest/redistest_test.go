package redistest_test

import (
	"os"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

func TestMain(m *testing.M) { os.Exit(redistest.Main(m).Run()) }

func TestAKilledServerComesBackWithItsData(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := s.Client(t)
	require.NoError(t, c.Set(t.Context(), "k", "v", 0).Err())
	s.Restart()
	require.Equal(t, "v", c.Get(t.Context(), "k").Val())
}

func TestAPausedServerAnswersAfterItsResume(t *testing.T) {
	t.Parallel()
	s := redistest.Start(t)
	c := redis.NewClient(&redis.Options{Addr: s.Addr(), ReadTimeout: 50 * time.Millisecond, MaxRetries: -1})
	t.Cleanup(func() { _ = c.Close() })
	answers := func() bool { return c.Ping(t.Context()).Err() == nil }
	require.Eventually(t, answers, patience, 10*time.Millisecond)
	s.Pause()
	require.False(t, answers())
	s.Resume()
	require.Eventually(t, answers, patience, 10*time.Millisecond)
}

func TestAClusterServesEverySlot(t *testing.T) {
	t.Parallel()
	c := redistest.SharedCluster(t)
	opts, err := redis.ParseClusterURL(c.URL())
	require.NoError(t, err)
	client := redis.NewClusterClient(opts)
	t.Cleanup(func() { _ = client.Close() })
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		require.NoError(t, client.Set(t.Context(), key, "v", 0).Err())
	}
}

func TestSharedServersAreOneServer(t *testing.T) {
	t.Parallel()
	first := redistest.Shared(t).Addr()
	require.Equal(t, first, redistest.Shared(t).Addr())
}
