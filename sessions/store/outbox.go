package store

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// maxOutbox is how much a session has to tell at most; the oldest goes when
// there is more. Receivers that don't answer must not fill the store: two
// batches of 256 calls for two receivers each fit.
const maxOutbox = 1024

// Outbox is what a commit leaves to be told outside, and when a sweeper looks
// whether it was.
type Outbox struct {
	Entries []string  // the store doesn't know what they mean; one that is there is not added twice
	At      time.Time // when the session's webhooks come due
}

// Untold is an entry of a session's outbox.
type Untold struct {
	Entry string
	Since time.Time
}

// outbox adds a commit's entries and makes the session's webhooks come due.
func (p *plan) outbox(c *Commit) {
	if c.Outbox == nil {
		return
	}
	k := sessionKeys(c.Topic)
	if len(c.Outbox.Entries) > 0 {
		now, args := millis(c.Now), make([]any, 0, 2*len(c.Outbox.Entries))
		for _, e := range c.Outbox.Entries {
			args = append(args, now, e)
		}
		p.spread("ZADD", k.outbox(), args)
		p.call("ZREMRANGEBYRANK", k.outbox(), 0, -maxOutbox-1)
	}
	p.call("ZADD", deadlinesKey(k.Bucket), millis(c.Outbox.At), k.webhooks())
}

// Untold is what a session has to tell, the oldest first.
func (s *Store) Untold(ctx context.Context, t stream.Topic) ([]Untold, error) {
	found, err := s.client.ZRangeWithScores(ctx, sessionKeys(t).outbox(), 0, -1).Result()
	if err != nil {
		return nil, outage("read outbox", err)
	}
	out := make([]Untold, 0, len(found))
	for _, z := range found {
		out = append(out, untold(z))
	}
	return out, nil
}

func untold(z redis.Z) Untold {
	return Untold{Entry: fmt.Sprint(z.Member), Since: time.UnixMilli(int64(z.Score)).UTC()}
}

// Told removes an entry from a session's outbox. It changes nothing of the
// session, so it is no commit.
func (s *Store) Told(ctx context.Context, t stream.Topic, entry string) error {
	if err := s.client.ZRem(ctx, sessionKeys(t).outbox(), entry).Err(); err != nil {
		return outage("remove from outbox", err)
	}
	return nil
}
