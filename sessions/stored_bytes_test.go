package sessions_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// TestStoredBytesAreThoseOfAllKeysOfSessions: a kind of key that is forgotten
// in the measurement would be free.
func TestStoredBytesAreThoseOfAllKeysOfSessions(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"embedded": store.Embedded, "real": redistest.Start(t).URL()} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := &actor{replica: configured(t, url, 0, true), t: t, caller: caller()}
			none, err := a.StoredBytes(t.Context(), a.caller.Tenant)
			require.NoError(t, err)
			require.Zero(t, none)
			sid := a.create(nil).ID
			turn := a.prompt(sid)
			a.says(turn, strings.Repeat("word ", 1000))
			for _, id := range []string{"toolu_a", "toolu_b"} {
				b, err := a.sendIn(sid, turn.ID, call(id, "read_file", `{"file_path": "a"}`))
				require.NoError(t, err)
				a.succeed(b, 0, strings.Repeat("line\n", 20_000))
			}
			_, err = a.complete(turn, scheduler.TurnEndTurn)
			require.NoError(t, err)
			a.send(sid, call("1", "write_file", `{"file_path": "a"}`))

			stored, err := a.StoredBytes(t.Context(), a.caller.Tenant)
			require.NoError(t, err)
			require.Equal(t, a.usage(":"+sid+":"), stored)
			require.Greater(t, stored, int64(200_000), "both outputs at least")

			topic := a.topic(sid)
			require.NoError(t, a.store.Delete(t.Context(), store.Removal{Topic: topic, Batches: 3, Turns: 1}))
			require.Eventually(t, func() bool {
				left, err := a.StoredBytes(t.Context(), a.caller.Tenant)
				return err == nil && left == 0
			}, patience, time.Millisecond)
		})
	}
}

// usage is what all keys take whose names contain a text.
func (a *actor) usage(part string) int64 {
	a.t.Helper()
	keys, err := a.store.Client().Keys(a.t.Context(), "*"+part+"*").Result()
	require.NoError(a.t, err)
	var sum int64
	for _, key := range keys {
		n, err := a.store.Client().MemoryUsage(a.t.Context(), key).Result()
		require.NoError(a.t, err, key)
		sum += n
	}
	return sum
}
