package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/stream"
)

// Store is a connection to where sessions are kept. It is safe for concurrent
// use and holds nothing that a restart would miss.
type Store struct {
	client    redis.UniversalClient
	confirmer *confirmer // nil: replicas are not waited for
	embedded  *embedded  // nil with a real Redis
	cluster   bool
	publish   string // PUBLISH or SPUBLISH
	log       *slog.Logger
	skew      time.Duration // that a commit may be off Redis TIME
	offset    atomic.Int64  // Redis's clock minus ours, in nanoseconds
	fill      gauge         // share of memory used, by the last sample
	evicted   gauge         // keys that Redis threw away, by the last sample
	up        atomic.Bool   // the last sample succeeded
	observer  Observer      // may be nil
	feed      *feed
}

var (
	_ stream.Log  = (*Store)(nil)
	_ stream.Feed = (*Store)(nil)
)

// Open connects, checks the server and takes the first samples of its clock
// and memory. It answers ErrInvalid for a configuration that can't work and
// ErrUnavailable when the server does not answer.
func Open(ctx context.Context, cfg Config) (*Store, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.URL == Embedded {
		e, err := newEmbedded(cfg.EmbeddedMemory)
		if err != nil {
			return nil, err
		}
		return openEmbedded(ctx, cfg, e)
	}
	client, cluster, err := dial(ctx, cfg.URL)
	if err != nil {
		return nil, err
	}
	s := newStore(client, cluster, cfg)
	if err := s.prepare(ctx, cfg); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// prepare checks the server and takes the first samples.
func (s *Store) prepare(ctx context.Context, cfg Config) error {
	if err := s.startCheck(ctx, cfg.Replicas); err != nil {
		return err
	}
	if cfg.Replicas > 0 {
		c, err := dialConfirmer(ctx, cfg)
		if err != nil {
			return err
		}
		s.watch(c.client)
		s.confirmer = c
	}
	return s.sample(ctx)
}

func openEmbedded(ctx context.Context, cfg Config, e *embedded) (*Store, error) {
	s := newStore(e.client(), false, cfg)
	s.embedded = e
	s.log.Warn("the embedded store is volatile: a restart forgets every session")
	if err := s.sample(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func newStore(client redis.UniversalClient, cluster bool, cfg Config) *Store {
	s := &Store{client: client, cluster: cluster, publish: "PUBLISH", skew: maxSkew, log: cfg.logger(), observer: cfg.Observer}
	s.watch(client)
	if cluster {
		s.publish = "SPUBLISH"
	}
	s.feed = newFeed(s.subscriber(), s.log)
	return s
}

// Client is the connection to Redis, for others who keep something of the
// deployment beside the sessions. It ends with Close.
func (s *Store) Client() redis.UniversalClient { return s.client }

// Volatile says that a restart forgets everything.
func (s *Store) Volatile() bool { return s.embedded != nil }

// Ping answers nil when Redis can be read. One that can't write to its disk
// refuses even PING, so that others fail over; reads and streams go on all the same.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.client.Ping(ctx).Err(); err != nil && !redis.HasErrorPrefix(err, "MISCONF") {
		return outage("ping", err)
	}
	return nil
}

// Close ends the connections. Run must have returned.
func (s *Store) Close() error {
	err := s.client.Close()
	if s.confirmer != nil {
		err = errors.Join(err, s.confirmer.client.Close())
	}
	if s.embedded != nil {
		s.embedded.close()
	}
	if err != nil {
		return fmt.Errorf("close store: %w", err)
	}
	return nil
}

// closing closes a client that will not be used, because of err.
func closing(client redis.UniversalClient, err error) error {
	return errors.Join(err, client.Close())
}

// Run does the store's background work until ctx ends: it samples the clock
// and memory, and reports the commits of watched buckets to sink. It returns
// nil after all its goroutines have.
func (s *Store) Run(ctx context.Context, sink stream.Sink) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.sampler(ctx) })
	g.Go(func() error { return s.feed.run(ctx, sink) })
	if s.embedded != nil {
		g.Go(func() error { return s.embedded.run(ctx) })
	}
	return g.Wait()
}

// sampleEvery is how old samples of clock and memory get. Clocks drift
// milliseconds a minute; memory may fill within seconds.
const sampleEvery = 2 * time.Second

func (s *Store) sampler(ctx context.Context) error {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			s.sampleAgain(ctx)
		}
	}
}

// sampleAgain tells of outages, and of their end.
func (s *Store) sampleAgain(ctx context.Context) {
	away := !s.up.Load()
	switch err := s.sample(ctx); {
	case err == nil && away:
		s.log.Info("redis answers again")
	case err != nil && ctx.Err() == nil:
		s.log.Warn("could not sample redis", slog.Any("error", err))
	}
}

func (s *Store) sample(ctx context.Context) error {
	err := s.sampleTime(ctx)
	if err == nil {
		err = s.sampleMemory(ctx)
	}
	s.up.Store(err == nil)
	return err
}
