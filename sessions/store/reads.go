package store

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Batch is an archived batch, by the number that Commit.Archive gave it.
func (s *Store) Batch(ctx context.Context, t stream.Topic, n uint64) (Fields, error) {
	f, err := s.client.HGetAll(ctx, sessionKeys(t).batch(n)).Result()
	if err != nil {
		return nil, outage("read batch", err)
	}
	if len(f) == 0 {
		return nil, fmt.Errorf("read batch %d: %w", n, ErrNotFound)
	}
	return f, nil
}

// Output is an output object of the session.
func (s *Store) Output(ctx context.Context, t stream.Topic, ref string) ([]byte, error) {
	text, err := s.client.Get(ctx, sessionKeys(t).output(ref)).Bytes()
	if absent(err) {
		return nil, fmt.Errorf("read output: %w", ErrNotFound)
	}
	if err != nil {
		return nil, outage("read output", err)
	}
	return text, nil
}

// Children are the session's direct children, oldest first.
func (s *Store) Children(ctx context.Context, t stream.Topic) ([]string, error) {
	sids, err := s.client.ZRange(ctx, sessionKeys(t).children(), 0, -1).Result()
	if err != nil {
		return nil, outage("read children", err)
	}
	return sids, nil
}

// Pick names fields of one of a session's hashes: those of its open batch, or
// of the archived batch with this number. No names are all fields.
type Pick struct {
	Topic stream.Topic
	Batch uint64 // 0: the open batch
	Names []string
}

// Gather reads many picks for a list. A hash that does not exist has no fields.
func (s *Store) Gather(ctx context.Context, picks []Pick) ([]Fields, error) {
	out := make([]Fields, 0, len(picks))
	for len(picks) > 0 {
		n := min(len(picks), maxPipelined)
		page, err := s.gather(ctx, picks[:n])
		if err != nil {
			return nil, err
		}
		out, picks = append(out, page...), picks[n:]
	}
	return out, nil
}

func (s *Store) gather(ctx context.Context, picks []Pick) ([]Fields, error) {
	pipe := s.client.Pipeline()
	collect := make([]func() Fields, len(picks))
	for i, p := range picks {
		collect[i] = queuePick(ctx, pipe, p)
	}
	if err := exec(ctx, pipe, "gather fields"); err != nil {
		return nil, err
	}
	out := make([]Fields, len(picks))
	for i, c := range collect {
		out[i] = c()
	}
	return out, nil
}

func queuePick(ctx context.Context, pipe redis.Pipeliner, p Pick) func() Fields {
	key := sessionKeys(p.Topic).open()
	if p.Batch > 0 {
		key = sessionKeys(p.Topic).batch(p.Batch)
	}
	if len(p.Names) == 0 {
		all := pipe.HGetAll(ctx, key)
		return func() Fields { return all.Val() }
	}
	some := pipe.HMGet(ctx, key, p.Names...)
	return func() Fields { return picked(p.Names, some.Val()) }
}
