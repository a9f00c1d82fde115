package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Idempotent is the answer stored under a scope, ErrNotFound without one. An
// answer that replicas don't have yet is ErrNotReplicated.
func (s *Store) Idempotent(ctx context.Context, t stream.Topic, scope string) (*Idempotency, error) {
	text, err := s.answer(ctx, t, scope)
	switch {
	case absent(err):
		return nil, fmt.Errorf("read idempotency record: %w", ErrNotFound)
	case errors.Is(err, ErrNotReplicated):
		return nil, fmt.Errorf("read idempotency record: %w", err)
	case err != nil:
		return nil, outage("read idempotency record", err)
	}
	i, err := decodeIdempotency(scope, text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return i, nil
}

// answer reads a record. One that is there is read again together with the
// wait for replicas; most requests have none, and wait for nothing.
func (s *Store) answer(ctx context.Context, t stream.Topic, scope string) (string, error) {
	key := sessionKeys(t).idempotency(scope)
	text, err := s.client.Get(ctx, key).Result()
	if err != nil || s.confirmer == nil {
		return text, err
	}
	var record *redis.StringCmd
	err = s.confirmer.run(ctx, t.Bucket, func(pipe redis.Pipeliner) redis.Cmder {
		record = pipe.Get(ctx, key)
		return record
	})
	return record.Val(), err
}
