package store

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/tenants"
)

const (
	// pollEvery is how often a replica asks whether anything changed: a change
	// that nobody told of is known within a second.
	pollEvery = 500 * time.Millisecond
	// readChunk is how many tenants are read at a time: 13 MB at most.
	readChunk = 50
)

// Load makes the copy what Redis has now, after what is missing of the seeds
// was created.
func (s *Store) Load(ctx context.Context) error {
	if err := s.seed(ctx); err != nil {
		return err
	}
	return s.refresh(ctx)
}

// Run keeps the copy as Redis has it, until ctx ends.
func (s *Store) Run(ctx context.Context) error {
	subscription := s.client.Subscribe(ctx, channel)
	defer func() {
		if err := subscription.Close(); err != nil {
			s.log.Debug("closing the subscription to tenants failed", slog.Any("error", err))
		}
	}()
	told := subscription.Channel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	failing := false
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-told:
		case <-poll.C:
		}
		err := s.keep(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !failing {
			s.log.Warn("tenants can't be read; keys and settings stay as they were", slog.Any("error", err))
		}
		failing = err != nil
	}
}

// keep refreshes the copy. A Redis that lost everything is given the seeds
// again, as at a start.
func (s *Store) keep(ctx context.Context) error {
	if err := s.refresh(ctx); err != nil {
		return err
	}
	if !s.blank() {
		return nil
	}
	return s.seed(ctx)
}

// blank says that Redis never had a tenant, or lost them all.
func (s *Store) blank() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.seen == ""
}

// refresh applies what changed since the copy was made. The version is read
// before everything else: what changes meanwhile is found the next time.
func (s *Store) refresh(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	version, err := s.client.Get(ctx, versionKey).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return outage("read version of tenants", err)
	}
	if version == s.seen {
		return nil
	}
	index, err := s.client.HGetAll(ctx, indexKey).Result()
	if err != nil {
		return outage("read list of tenants", err)
	}
	if err := s.follow(ctx, index); err != nil {
		return err
	}
	s.seen = version
	return nil
}

// follow brings the copy to what the index lists.
func (s *Store) follow(ctx context.Context, index map[string]string) error {
	for id := range s.tokens {
		if _, listed := index[id]; !listed {
			s.apply(change{tenant: tenants.Tenant{ID: id}, gone: true})
		}
	}
	var stale []string
	for id, token := range index {
		if s.tokens[id] != token {
			stale = append(stale, id)
		}
	}
	for chunk := range slices.Chunk(stale, readChunk) {
		if err := s.reread(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// reread reads some tenants anew. One that can't be understood is forgotten,
// not kept as it was: what a newer build revoked must not stay good here.
func (s *Store) reread(ctx context.Context, ids []string) error {
	replies, err := s.fetch(ctx, ids)
	if err != nil {
		return err
	}
	for i, id := range ids {
		t, token, err := decodeFields(replies[i].Val())
		if err != nil && !errors.Is(err, ErrNotFound) {
			s.log.Warn("tenant can't be read; its keys are refused", slog.String("tenant", id), slog.Any("error", err))
		}
		t.ID = id
		s.apply(change{tenant: t, token: token, gone: err != nil})
	}
	return nil
}

// change is what became of a tenant.
type change struct {
	tenant tenants.Tenant
	token  string
	gone   bool
}

// apply brings a change into the copy; s.mu is held.
func (s *Store) apply(c change) {
	if c.gone {
		delete(s.tokens, c.tenant.ID)
		s.dir.Remove(c.tenant.ID)
		return
	}
	s.tokens[c.tenant.ID] = c.token
	s.dir.Put(c.tenant)
}
