package store

import (
	"context"
	"crypto/rand"
	"fmt"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// ttlTick is how often the embedded server's TTLs move.
const ttlTick = time.Second

// embedded is the in-process server. It listens on loopback only, on a port of
// the system's choice, and wants a password that only this process knows:
// other users of the machine can reach the port too. (Pipes in memory would
// need no port, but block when a long pipeline meets its own answers.)
type embedded struct {
	server   *miniredis.Miniredis
	password string
	limit    int64
	close    func()
}

func newEmbedded(limit int64) (*embedded, error) {
	if limit == 0 {
		limit = DefaultEmbeddedMemory
	}
	server := miniredis.NewMiniRedis()
	password := rand.Text()
	server.RequireAuth(password)
	if err := server.Start(); err != nil {
		return nil, fmt.Errorf("start embedded store: %w: %w", ErrUnavailable, err)
	}
	return &embedded{server: server, password: password, limit: limit, close: sync.OnceFunc(server.Close)}, nil
}

// client connects to the server; several clients share its data.
func (e *embedded) client() redis.UniversalClient {
	return redis.NewClient(&redis.Options{
		Addr:                     e.server.Addr(),
		Password:                 e.password,
		ContextTimeoutEnabled:    true,
		MaintNotificationsConfig: noMaintenance(),
	})
}

// run lets TTLs pass; by itself the server has no clock for them.
func (e *embedded) run(ctx context.Context) error {
	tick := time.NewTicker(ttlTick)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case now := <-tick.C:
			e.server.FastForward(now.Sub(last))
			last = now
		}
	}
}

// fill is the process's live heap as a share of the cap. The server does not
// count its own memory, and the process is what the cap protects. It moves
// with each garbage collection.
func (e *embedded) fill() float64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return float64(sample[0].Value.Uint64()) / float64(e.limit)
}
