package store

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Idempotent is the answer stored under a scope, ErrNotFound without one.
func (s *Store) Idempotent(ctx context.Context, t stream.Topic, scope string) (*Idempotency, error) {
	text, err := s.client.Get(ctx, sessionKeys(t).idempotency(scope)).Result()
	if absent(err) {
		return nil, fmt.Errorf("read idempotency record: %w", ErrNotFound)
	}
	if err != nil {
		return nil, outage("read idempotency record", err)
	}
	i, err := decodeIdempotency(scope, text)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return i, nil
}

// RecordIdempotent stores an answer that changed nothing else. The id plays
// the part of a commit's: a second run answers as the first did. A record of
// somebody else is ErrIdempotent.
func (s *Store) RecordIdempotent(ctx context.Context, t stream.Topic, id string, i Idempotency) error {
	record := encodeIdempotency(id, &i)
	earlier, err := s.client.SetArgs(ctx, sessionKeys(t).idempotency(i.Scope), record,
		redis.SetArgs{Mode: "NX", Get: true, TTL: i.TTL}).Result()
	if absent(err) {
		return nil
	}
	if err != nil {
		return outage("record answer", err)
	}
	if strings.HasPrefix(earlier, id+"\n") {
		return nil
	}
	return fmt.Errorf("record answer: %w", ErrIdempotent)
}
