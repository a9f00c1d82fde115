package quota

import (
	"context"
	"log/slog"
	"math"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

const (
	// chunkShare is the part of a limit that is taken at once: so much may a
	// replica hold that others then lack.
	chunkShare = 20
	// maxChunk bounds it where limits are large.
	maxChunk = 500
)

// chunkOf is how many are taken at once.
func chunkOf(limit int64) int { return int(min(max(limit/chunkShare, 1), maxChunk)) }

// Standing is how a caller stands with one limit.
type Standing struct {
	Name    string // tenant or key, and of what
	Limit   int64
	Left    int
	Reset   time.Duration // until there is one more; 0 while there is one
	Refused bool
}

// Spend takes one of a resource from the tenant and from the key, and says how
// they stand with limits that there are. Where one is used up the other keeps
// what it has. Without Redis each replica gives the limit by itself: an outage
// of the counters must not become one of the gateway.
func (m *Meter) Spend(ctx context.Context, c tenants.Caller, r Resource) []Standing {
	var out []Standing
	limits := m.limits(c.Tenant, r.of)
	for i, o := range owners(c) {
		if limits[i] == 0 {
			continue
		}
		s := m.spend(ctx, o, r, limits[i])
		s.Name = [2]string{"tenant-", "key-"}[i] + string(r)
		out = append(out, s)
		if s.Refused {
			break
		}
	}
	return out
}

func (m *Meter) spend(ctx context.Context, o owner, r Resource, limit int64) Standing {
	name := o.name(string(r))
	b := m.bucket(name)
	b.mu.Lock()
	defer b.mu.Unlock()
	now := m.Now()
	if b.have == 0 && !now.Before(b.empty) {
		m.refill(ctx, b, name, limit)
	}
	s := Standing{Limit: limit}
	if b.have == 0 {
		s.Refused, s.Reset = true, max(b.empty.Sub(now), time.Millisecond)
		return s
	}
	b.have--
	s.Left = b.have + b.left
	return s
}

func (m *Meter) bucket(name string) *bucket {
	if b, ok := m.buckets.Get(name); ok {
		return b
	}
	b := &bucket{}
	if before, ok, _ := m.buckets.PeekOrAdd(name, b); ok {
		return before
	}
	return b
}

// refill takes a chunk from Redis, or gives one by itself while that is away.
func (m *Meter) refill(ctx context.Context, b *bucket, name string, limit int64) {
	now := m.Now()
	if now.Before(b.alone) {
		b.refillAlone(now, limit)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), m.wait)
	defer cancel()
	got, err := takeScript.Run(ctx, m.Client, []string{name}, limit, chunkOf(limit), now.UnixMilli()).Int64Slice()
	if err != nil || len(got) != 3 {
		m.Logger.LogAttrs(ctx, slog.LevelWarn, "limits are counted by this replica alone", slog.Any("error", err))
		b.alone = now.Add(retryAfterOutage)
		b.refillAlone(now, limit)
		return
	}
	b.filled = time.Time{}
	b.have, b.left = int(got[0]), int(got[1])
	b.empty = now
	if b.have == 0 {
		b.empty = now.Add(time.Duration(got[2]) * time.Millisecond)
	}
}

// refillAlone is the same bucket, of this replica's own.
func (b *bucket) refillAlone(now time.Time, limit int64) {
	perSecond := float64(limit) / Window.Seconds()
	if b.filled.IsZero() {
		b.own = float64(limit)
	} else {
		b.own = math.Min(float64(limit), b.own+now.Sub(b.filled).Seconds()*perSecond)
	}
	b.filled = now
	b.have = min(chunkOf(limit), int(b.own))
	b.own -= float64(b.have)
	b.left = int(b.own)
	b.empty = now
	if b.have == 0 {
		b.empty = now.Add(time.Duration((1 - b.own) / perSecond * float64(time.Second)))
	}
}
