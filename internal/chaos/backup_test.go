package chaos

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

// backup is every key of a Redis at one time.
type backup map[string]string

func backUp(t *testing.T, r *redistest.Server) backup {
	t.Helper()
	c := r.Client(t)
	keys, err := c.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	saved := backup{}
	for _, key := range keys {
		saved[key], err = c.Dump(t.Context(), key).Result()
		require.NoError(t, err)
	}
	return saved
}

// restore puts everything back while the gateways are connected. What has a
// TTL loses it, which no test waits for.
func (b backup) restore(t *testing.T, r *redistest.Server) {
	t.Helper()
	c := r.Client(t)
	pipe := c.TxPipeline()
	pipe.FlushAll(t.Context())
	for key, value := range b {
		pipe.Restore(t.Context(), key, 0, value)
	}
	_, err := pipe.Exec(t.Context())
	require.NoError(t, err)
}
