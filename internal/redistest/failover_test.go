package redistest_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

// patience is for whatever servers do: elections wait for timeouts, on a busy
// machine too.
const patience = 3 * time.Minute

func TestSentinelsReplaceAPrimaryThatDied(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s := redistest.StartSentinel(t)
	opts, err := redis.ParseFailoverURL(s.URL())
	require.NoError(t, err)
	c := redis.NewFailoverClient(opts)
	t.Cleanup(func() { _ = c.Close() })
	require.NoError(t, c.Set(ctx, "k", "v", 0).Err())
	require.Eventually(t, func() bool { return c.Wait(ctx, 2, time.Second).Val() == 2 }, patience, 50*time.Millisecond)

	first, err := s.Primary(ctx)
	require.NoError(t, err)
	first.Kill()
	require.NoError(t, s.AwaitFailover(ctx, first))
	first.Restart()
	require.NoError(t, s.Rejoin(ctx, first))
	require.Eventually(t, func() bool { return c.Get(ctx, "k").Val() == "v" }, patience, 50*time.Millisecond)
}

func TestAReplicaReplacesAClusterNodeThatDied(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c := redistest.StartReplicatedCluster(t)
	first := c.Masters(ctx)[0]
	first.Kill()
	require.NoError(t, c.AwaitFailover(ctx, first))
	first.Restart()
	require.NoError(t, c.Quicken(ctx, first, redistest.NodeTimeout))
	require.NoError(t, c.AwaitHealthy(ctx))
	require.NotContains(t, c.Masters(ctx), first)
}
