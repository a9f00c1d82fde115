package store

import (
	"context"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Removal names a session to delete.
type Removal struct {
	Topic   stream.Topic
	Batches uint64 // the number of the last archived batch
	Turns   uint64 // the number of the last turn
	Parent  string // "" for a root session
}

// deleteChunk is how many keys one step removes, so that a session with many
// outputs or batches blocks nobody for long.
const deleteChunk = 100

// Delete removes a session with all its keys and index entries, in steps. It
// may be interrupted and begun again: the document goes last, and what lists
// other keys goes after these. Idempotency records stay for their TTL.
func (s *Store) Delete(ctx context.Context, r Removal) error {
	if err := s.deleteOutputs(ctx, r); err != nil {
		return err
	}
	if err := s.deleteApprovals(ctx, r); err != nil {
		return err
	}
	k := sessionKeys(r.Topic)
	if err := s.deleteNumbered(ctx, r.Batches, k.batch); err != nil {
		return err
	}
	if err := s.deleteNumbered(ctx, r.Turns, k.turn, k.turnText); err != nil {
		return err
	}
	return s.deleteSession(ctx, r)
}

func (s *Store) deleteOutputs(ctx context.Context, r Removal) error {
	k := sessionKeys(r.Topic)
	return s.drain(ctx, k.outputs(), func(pipe redis.Pipeliner, refs []string) {
		for _, ref := range refs {
			pipe.Unlink(ctx, k.output(ref))
		}
	})
}

func (s *Store) deleteApprovals(ctx context.Context, r Removal) error {
	k := sessionKeys(r.Topic)
	return s.drain(ctx, k.approvals(), func(pipe redis.Pipeliner, ids []string) {
		pipe.ZRem(ctx, inboxKey(k.Bucket, k.Tenant), members(ids)...)
		for _, id := range ids {
			pipe.ZRem(ctx, pendingKey(k.Bucket), pendingMember(k.Tenant, id))
		}
		pipe.ZRem(ctx, approvalsKey(k.Bucket, k.Tenant), members(ids)...)
	})
}

// drain empties a set in chunks, each together with what it lists.
func (s *Store) drain(ctx context.Context, key string, remove func(redis.Pipeliner, []string)) error {
	for {
		chunk, err := s.client.SRandMemberN(ctx, key, deleteChunk).Result()
		if err != nil {
			return outage("delete session", err)
		}
		if len(chunk) == 0 {
			return nil
		}
		_, err = s.client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
			remove(pipe, chunk)
			pipe.SRem(ctx, key, members(chunk)...)
			return nil
		})
		if err != nil {
			return outage("delete session", err)
		}
	}
}

// deleteNumbered removes the keys that are numbered from 1 to last.
func (s *Store) deleteNumbered(ctx context.Context, last uint64, keys ...func(uint64) string) error {
	for n := uint64(1); n <= last; n += deleteChunk {
		var chunk []string
		for i := n; i <= min(last, n+deleteChunk-1); i++ {
			for _, key := range keys {
				chunk = append(chunk, key(i))
			}
		}
		if err := s.client.Unlink(ctx, chunk...).Err(); err != nil {
			return outage("delete session", err)
		}
	}
	return nil
}

func (s *Store) deleteSession(ctx context.Context, r Removal) error {
	k := sessionKeys(r.Topic)
	_, err := s.client.TxPipelined(ctx, func(pipe redis.Pipeliner) error {
		if r.Parent != "" {
			pipe.ZRem(ctx, k.of(r.Parent).children(), k.Session)
		}
		pipe.ZRem(ctx, sessionsKey(k.Bucket, k.Tenant), k.Session)
		pipe.ZRem(ctx, deadlinesKey(k.Bucket), k.member(), k.webhooks())
		pipe.Unlink(ctx, k.fixed()...)
		return nil
	})
	if err != nil {
		return outage("delete session", err)
	}
	return nil
}

func members(ids []string) []any {
	out := make([]any, len(ids))
	for i, id := range ids {
		out[i] = id
	}
	return out
}
