package store

import (
	"context"
	"net"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

// ttlTick is how often the embedded server's TTLs move.
const ttlTick = time.Second

// embedded is the in-process server. It has no port: clients reach it through
// pipes in memory.
type embedded struct {
	server *miniredis.Miniredis
	limit  int64
	close  func()
}

func newEmbedded(limit int64) *embedded {
	if limit == 0 {
		limit = DefaultEmbeddedMemory
	}
	server := miniredis.NewMiniRedis()
	return &embedded{server: server, limit: limit, close: sync.OnceFunc(server.Close)}
}

// client connects to the server; several clients share its data.
func (e *embedded) client() redis.UniversalClient {
	return redis.NewClient(&redis.Options{
		Dialer:                   func(context.Context, string, string) (net.Conn, error) { return e.server.Dial() },
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
