package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Turn is a turn of the session with what was said in it, as of one moment.
func (s *Store) Turn(ctx context.Context, t stream.Topic, n uint64) (Fields, string, error) {
	k := sessionKeys(t)
	pipe := s.client.TxPipeline()
	fields, text := pipe.HGetAll(ctx, k.turn(n)), pipe.Get(ctx, k.turnText(n))
	if err := exec(ctx, pipe, "read turn"); err != nil {
		return nil, "", err
	}
	if len(fields.Val()) == 0 {
		return nil, "", fmt.Errorf("read turn %d: %w", n, ErrNotFound)
	}
	return fields.Val(), text.Val(), nil
}

// Turns are several turns of the session, without what was said. One that does
// not exist has no fields.
func (s *Store) Turns(ctx context.Context, t stream.Topic, numbers []uint64) ([]Fields, error) {
	k := sessionKeys(t)
	pipe := s.client.Pipeline()
	cmds := make([]*redis.MapStringStringCmd, len(numbers))
	for i, n := range numbers {
		cmds[i] = pipe.HGetAll(ctx, k.turn(n))
	}
	if err := exec(ctx, pipe, "read turns"); err != nil {
		return nil, err
	}
	out := make([]Fields, len(numbers))
	for i, c := range cmds {
		out[i] = c.Val()
	}
	return out, nil
}
