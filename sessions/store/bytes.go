package store

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Extent is how far a session's numbered keys go.
type Extent struct {
	Topic   stream.Topic
	Batches uint64 // the number of the last batch
	Turns   uint64 // the number of the last turn
}

// Bytes is what a session takes by Redis's own measure, which samples large
// keys. Its entries in indexes and answers kept for repeated requests are left out.
func (s *Store) Bytes(ctx context.Context, e Extent) (int64, error) {
	k := sessionKeys(e.Topic)
	refs, err := s.client.SMembers(ctx, k.outputs()).Result()
	if err != nil {
		return 0, outage("measure session", err)
	}
	keys := append(k.fixed(), k.outputs(), k.approvals())
	for _, ref := range refs {
		keys = append(keys, k.output(ref))
	}
	for n := uint64(1); n <= e.Batches; n++ {
		keys = append(keys, k.batch(n))
	}
	for n := uint64(1); n <= e.Turns; n++ {
		keys = append(keys, k.turn(n), k.turnText(n))
	}
	return s.usage(ctx, keys)
}

// usage adds up what keys take; those that aren't there take nothing.
func (s *Store) usage(ctx context.Context, keys []string) (int64, error) {
	var sum int64
	for chunk := range slices.Chunk(keys, maxPipelined) {
		pipe := s.client.Pipeline()
		sizes := make([]*redis.IntCmd, len(chunk))
		for i, key := range chunk {
			sizes[i] = pipe.MemoryUsage(ctx, key)
		}
		if err := exec(ctx, pipe, "measure session"); err != nil {
			return 0, err
		}
		for _, size := range sizes {
			sum += size.Val()
		}
	}
	return sum, nil
}
