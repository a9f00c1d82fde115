package store

import (
	"context"
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
// most limit of each bucket, earliest first within a bucket.
func (s *Store) Due(ctx context.Context, buckets []uint16, now time.Time, limit int) ([]Due, error) {
	var out []Due
	for len(buckets) > 0 {
		n := min(len(buckets), maxPipelined)
		page, err := s.due(ctx, buckets[:n], now, limit)
		if err != nil {
			return nil, err
		}
		out, buckets = append(out, page...), buckets[n:]
	}
	return out, nil
}

func (s *Store) due(ctx context.Context, buckets []uint16, now time.Time, limit int) ([]Due, error) {
	pipe := s.client.Pipeline()
	cmds := make([]*redis.ZSliceCmd, len(buckets))
	for i, b := range buckets {
		cmds[i] = pipe.ZRangeByScoreWithScores(ctx, deadlinesKey(b),
			&redis.ZRangeBy{Min: "-inf", Max: millis(now), Count: int64(limit)})
	}
	if err := exec(ctx, pipe, "read deadlines"); err != nil {
		return nil, err
	}
	var out []Due
	for i, b := range buckets {
		for _, z := range cmds[i].Val() {
			d, err := readMember(b, fmt.Sprint(z.Member))
			if err != nil {
				return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
			}
			d.At = time.UnixMilli(int64(z.Score)).UTC()
			out = append(out, d)
		}
	}
	return out, nil
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
