package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// Due is a session whose earliest deadline has passed, or whose webhooks have
// come due.
type Due struct {
	Topic    stream.Topic
	Webhooks bool
	At       time.Time // the entry's score, to the millisecond
}

// Due are the sessions of these buckets with a deadline at or before now, at
// most limit of each bucket, earliest first within a bucket. With an error they
// are those that could be read: a node of a cluster that is away must not keep
// time from passing at the others.
func (s *Store) Due(ctx context.Context, buckets []uint16, now time.Time, limit int) ([]Due, error) {
	keys := make([]string, len(buckets))
	for i, b := range buckets {
		keys[i] = deadlinesKey(b)
	}
	cmds := make([]*redis.ZSliceCmd, len(buckets))
	due := &redis.ZRangeBy{Min: "-inf", Max: millis(now), Count: int64(limit)}
	answered, err := s.scatter(ctx, "read deadlines", keys, func(pipe redis.Pipeliner, i int) redis.Cmder {
		cmds[i] = pipe.ZRangeByScoreWithScores(ctx, keys[i], due)
		return cmds[i]
	})
	var out []Due
	for i, b := range buckets {
		if !answered[i] {
			continue
		}
		page, unreadable := readDue(b, cmds[i].Val())
		out, err = append(out, page...), errors.Join(err, unreadable)
	}
	return out, err
}

// readDue reads a bucket's entries, as far as they can be read.
func readDue(bucket uint16, entries []redis.Z) (out []Due, err error) {
	for _, z := range entries {
		d, unreadable := readMember(bucket, fmt.Sprint(z.Member))
		if unreadable != nil {
			err = errors.Join(err, fmt.Errorf("%w: %w", ErrUnavailable, unreadable))
			continue
		}
		d.At = time.UnixMilli(int64(z.Score)).UTC()
		out = append(out, d)
	}
	return out, err
}

// Take claims an entry for the caller by moving it to next, where it comes
// back if the caller dies; a zero next removes it (the session is gone). False
// says that another replica took it, or a commit moved it. A take whose answer
// was lost is false to its retry, and the entry comes back at next.
func (s *Store) Take(ctx context.Context, d Due, next time.Time) (bool, error) {
	score := ""
	if !next.IsZero() {
		score = millis(next)
	}
	taken, err := takeScript.Run(ctx, s.client, []string{deadlinesKey(d.Topic.Bucket)},
		d.member(), strconv.FormatInt(d.At.UnixMilli(), 10), score).Int()
	if err != nil {
		return false, outage("take deadline", err)
	}
	return taken == 1, nil
}

// member is the entry's in its bucket's deadlines.
func (d Due) member() string {
	if d.Webhooks {
		return sessionKeys(d.Topic).webhooks()
	}
	return sessionKeys(d.Topic).member()
}
