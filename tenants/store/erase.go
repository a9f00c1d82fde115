package store

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

const (
	// scanStep is how many keys one SCAN looks at, and so at most removes: a
	// millisecond of Redis's time.
	scanStep = 500
	// eraserTTL is how long a replica has an erasure for itself; if it dies or
	// takes longer, another erases beside it, which does no harm.
	eraserTTL = 30 * time.Second
)

// Erase goes once through all keys of Redis and removes what it finds of a
// tenant, and from the sorted sets that tenants share the members that begin
// with its name. It answers how many it found. The tenant's own document
// stays, so that an erasure which breaks off is begun again. Where another
// replica is at it, nothing is done and mine is false.
func (s *Store) Erase(ctx context.Context, id string, shared []string) (found int64, mine bool, err error) {
	mine, err = s.client.SetNX(ctx, eraserKey(id), "", eraserTTL).Result()
	if err != nil || !mine {
		return 0, mine, erasing(id, err)
	}
	var count atomic.Int64
	err = s.eachNode(ctx, func(ctx context.Context, node redis.UniversalClient) error {
		n, err := removeKeys(ctx, node, id)
		count.Add(n)
		return err
	})
	for _, key := range shared {
		if err == nil {
			var n int64
			n, err = removeMembers(ctx, s.client, key, id)
			count.Add(n)
		}
	}
	if err == nil {
		err = s.client.Del(ctx, eraserKey(id)).Err()
	}
	return count.Load(), true, erasing(id, err)
}

func erasing(id string, err error) error {
	if err == nil {
		return nil
	}
	return outage("erase tenant "+id, err)
}

// eachNode calls f for every server that holds keys.
func (s *Store) eachNode(ctx context.Context, f func(context.Context, redis.UniversalClient) error) error {
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error { return f(ctx, node) })
	}
	return f(ctx, s.client)
}

// removeKeys removes the tenant's keys of one server, in steps.
func removeKeys(ctx context.Context, node redis.UniversalClient, id string) (removed int64, err error) {
	for cursor := uint64(0); ; {
		var keys []string
		keys, cursor, err = node.Scan(ctx, cursor, ofTenant(id), scanStep).Result()
		if err != nil {
			return removed, fmt.Errorf("scan: %w", err)
		}
		n, err := unlink(ctx, node, id, keys)
		if removed += n; err != nil || cursor == 0 {
			return removed, err
		}
	}
}

// unlink removes keys, each by itself: in a cluster they are in several slots.
func unlink(ctx context.Context, node redis.UniversalClient, id string, keys []string) (removed int64, err error) {
	pipe := node.Pipeline()
	for _, key := range keys {
		if key != tenantKey(id) && key != eraserKey(id) {
			pipe.Unlink(ctx, key)
			removed++
		}
	}
	if removed == 0 {
		return 0, nil
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, fmt.Errorf("unlink: %w", err)
	}
	return removed, nil
}

// removeMembers removes the tenant's members of a sorted set, in steps.
func removeMembers(ctx context.Context, client redis.UniversalClient, key, id string) (removed int64, err error) {
	for cursor := uint64(0); ; {
		var pairs []string // member, score, member, score
		pairs, cursor, err = client.ZScan(ctx, key, cursor, id+":*", scanStep).Result()
		if err != nil {
			return removed, fmt.Errorf("scan members: %w", err)
		}
		var members []any
		for i := 0; i < len(pairs); i += 2 {
			if strings.HasPrefix(pairs[i], id+":") {
				members = append(members, pairs[i])
			}
		}
		if len(members) > 0 {
			n, err := client.ZRem(ctx, key, members...).Result()
			if err != nil {
				return removed, fmt.Errorf("remove members: %w", err)
			}
			removed += n
		}
		if cursor == 0 {
			return removed, nil
		}
	}
}
