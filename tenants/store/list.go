package store

import (
	"context"
	"errors"
	"slices"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/tenants"
)

// List is the tenants with ids behind after, in the order of their ids, at
// most limit. more says that there are others behind them.
func (s *Store) List(ctx context.Context, after string, limit int) (found []tenants.Tenant, more bool, err error) {
	ids, err := s.client.HKeys(ctx, indexKey).Result()
	if err != nil {
		return nil, false, outage("list tenants", err)
	}
	slices.Sort(ids)
	at, exact := slices.BinarySearch(ids, after)
	if exact {
		at++
	}
	ids = ids[at:]
	if len(ids) > limit {
		ids, more = ids[:limit], true
	}
	found, err = s.readAll(ctx, ids)
	return found, more, err
}

// readAll reads tenants, but for those that went meanwhile.
func (s *Store) readAll(ctx context.Context, ids []string) ([]tenants.Tenant, error) {
	var out []tenants.Tenant
	for chunk := range slices.Chunk(ids, readChunk) {
		replies, err := s.fetch(ctx, chunk)
		if err != nil {
			return nil, err
		}
		for _, reply := range replies {
			t, _, err := decodeFields(reply.Val())
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, t)
		}
	}
	return out, nil
}

// fetch reads the hashes of some tenants in one go.
func (s *Store) fetch(ctx context.Context, ids []string) ([]*redis.SliceCmd, error) {
	pipe := s.client.Pipeline()
	replies := make([]*redis.SliceCmd, len(ids))
	for i, id := range ids {
		replies[i] = pipe.HMGet(ctx, tenantKey(id), fieldDoc, fieldToken)
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, outage("read tenants", err)
	}
	return replies, nil
}
