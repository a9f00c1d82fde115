package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/stream"
)

// Idempotent is the answer stored under a scope, ErrNotFound without one. An
// answer that replicas don't have yet is ErrNotReplicated.
func (s *Store) Idempotent(ctx context.Context, t stream.Topic, scope string) (*Idempotency, error) {
	text, err := s.GetConfirmed(ctx, confirmKey(t.Bucket), sessionKeys(t).idempotency(scope))
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
