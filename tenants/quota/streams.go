package quota

import (
	"context"
	"log/slog"
	"maps"
	"sync"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

const (
	// wordLasts is how long a replica's count is believed: one that died held
	// its streams' places so long.
	wordLasts = 90 * time.Second
	// sayEvery is how often a replica repeats its counts.
	sayEvery = 30 * time.Second
)

// streams are the streams that this replica has open, by whose they are.
type streams struct {
	mu   sync.Mutex // guards what follows
	open map[owner]int
}

func newStreams() *streams { return &streams{open: make(map[owner]int)} }

func (s *streams) add(o owner, n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[o] += n
	now := s.open[o]
	if now <= 0 {
		delete(s.open, o)
	}
	return now
}

func (s *streams) all() map[owner]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.open)
}

// OpenStream takes a place for a stream, and answers how to give it back. Where
// there is none, nobody else's is taken: the standing says so. Without Redis
// each replica counts its own.
func (m *Meter) OpenStream(ctx context.Context, c tenants.Caller) (release func(), refused *Standing) {
	limits := m.limits(c.Tenant, func(l tenants.Limits) int64 { return int64(l.OpenStreams) })
	var taken []owner
	release = func() {
		for _, o := range taken {
			m.say(context.WithoutCancel(ctx), o, m.streams.add(o, -1))
		}
	}
	for i, o := range owners(c) {
		if limits[i] == 0 {
			continue
		}
		taken = append(taken, o)
		if all := m.say(ctx, o, m.streams.add(o, 1)); int64(all) > limits[i] {
			release()
			return nil, &Standing{Name: [2]string{"tenant-", "key-"}[i] + "streams", Limit: limits[i], Refused: true}
		}
	}
	if len(taken) == 0 {
		return func() {}, nil // a stream without a limit keeps nothing of its request
	}
	return release, nil
}

// say tells how many this replica has, and answers how many all have; without
// Redis, this one's.
func (m *Meter) say(ctx context.Context, o owner, count int) int {
	ctx, cancel := context.WithTimeout(ctx, m.wait)
	defer cancel()
	now := m.Now()
	all, err := openScript.Run(ctx, m.Client, []string{o.name("streams")},
		m.Replica, max(count, 0), now.UnixMilli(), now.Add(wordLasts).UnixMilli()).Int()
	if err != nil {
		m.Logger.LogAttrs(ctx, slog.LevelDebug, "streams are counted by this replica alone", slog.Any("error", err))
		return count
	}
	return all
}

// Run repeats this replica's counts until ctx ends: unsaid they would be taken
// for those of a replica that died.
func (m *Meter) Run(ctx context.Context) error {
	tick := time.NewTicker(sayEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		for o, n := range m.streams.all() {
			m.say(ctx, o, n)
		}
	}
}
