package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// closedType is the type of the event that ends a log.
const closedType = "session.closed"

// Bounds says what of a session's log is retained.
func (s *Store) Bounds(ctx context.Context, t stream.Topic) (stream.Bounds, error) {
	k := logKeys(t)
	pipe := s.client.TxPipeline()
	doc := pipe.HMGet(ctx, k.doc(), fieldHead, fieldBase)
	last := pipe.XRevRangeN(ctx, k.events(), "+", "-", 1)
	if err := exec(ctx, pipe, "read log bounds"); err != nil {
		return stream.Bounds{}, err
	}
	head, base, err := ends(t, doc.Val())
	if err != nil {
		return stream.Bounds{}, err
	}
	if len(last.Val()) == 0 {
		base = head // all that there was has expired
	}
	b := stream.Bounds{First: base.Seq + 1, BasePrev: base.Hash, Head: head}
	if newest := last.Val(); len(newest) > 0 {
		b.Closed = newest[0].Values["t"] == closedType
	}
	return b, nil
}

// ends reads head and base of a log's document. A tenant has logs before
// anything is in them.
func ends(t stream.Topic, values []any) (head, base stream.ID, err error) {
	f := picked([]string{fieldHead, fieldBase}, values)
	if f[fieldHead] == "" && t.Session != "" {
		return head, base, fmt.Errorf("read log: %w", stream.ErrNoLog)
	}
	if head, err = decodeID(f[fieldHead]); err == nil {
		base, err = decodeID(f[fieldBase])
	}
	if err != nil {
		return head, base, fmt.Errorf("read log: %w: %w", ErrUnavailable, err)
	}
	return head, base, nil
}

// Heads is the newest id of each log, the zero ID for one that is gone. With an
// error it is [stream.Unread] for those that could not be read.
func (s *Store) Heads(ctx context.Context, ts []stream.Topic) ([]stream.ID, error) {
	keys := make([]string, len(ts))
	for i, t := range ts {
		keys[i] = logKeys(t).doc()
	}
	cmds := make([]*redis.StringCmd, len(ts))
	answered, err := s.scatter(ctx, "read heads", keys, func(pipe redis.Pipeliner, i int) redis.Cmder {
		cmds[i] = pipe.HGet(ctx, keys[i], fieldHead)
		return cmds[i]
	})
	out := make([]stream.ID, len(ts))
	for i := range out {
		if out[i] = stream.Unread; !answered[i] {
			continue
		}
		id, unreadable := decodeID(cmds[i].Val())
		if unreadable != nil {
			err = errors.Join(err, fmt.Errorf("read heads: %w: %w", ErrUnavailable, unreadable))
			continue
		}
		out[i] = id
	}
	return out, err
}

const (
	// readChunk is how many events one call to Redis asks for: most pages need
	// one or two, and an answer of the largest events is still a few megabytes.
	readChunk = 128
	// readTries is how often a chunk is asked for: the library doesn't repeat
	// what it hands over as it reads it, and a connection may have gone stale.
	readTries = 2
)

// Read is a page of events after a sequence number. Events that were trimmed
// are skipped; the first event's Prev tells.
func (s *Store) Read(ctx context.Context, t stream.Topic, after uint64, maxBytes int) ([]stream.Event, error) {
	var out []stream.Event
	used := 0
	for n := readChunk; n > 0; n = fitting(maxBytes-used, used/len(out)) {
		chunk, err := s.chunk(ctx, t, after, n)
		if err != nil {
			return nil, err
		}
		for _, e := range chunk {
			if used += len(e.JSON); used > maxBytes && len(out) > 0 {
				return out, nil
			}
			out = append(out, e)
		}
		if len(chunk) < n {
			break
		}
		after = out[len(out)-1].Seq
	}
	return out, nil
}

// fitting is how many more events of a size to ask for.
func fitting(room, size int) int { return min(room/max(size, 1), readChunk) }

// chunk reads up to n events after one, and that one for its hash.
func (s *Store) chunk(ctx context.Context, t stream.Topic, after uint64, n int) (out []stream.Event, err error) {
	for range readTries {
		if out, err = s.tryChunk(ctx, t, after, n); err == nil || ctx.Err() != nil {
			break
		}
	}
	return out, err
}

func (s *Store) tryChunk(ctx context.Context, t stream.Topic, after uint64, n int) ([]stream.Event, error) {
	k := logKeys(t)
	var entries rawReply
	pipe := s.client.TxPipeline()
	doc := pipe.HMGet(ctx, k.doc(), fieldHead, fieldBase)
	rawRange(ctx, pipe, &entries, k.events(), entryID(max(after, 1)), n+1)
	if err := exec(ctx, pipe, "read log"); err != nil {
		return nil, err
	}
	_, prev, err := ends(t, doc.Val())
	if err != nil {
		return nil, err
	}
	out, err := entries.events(prev.Hash, after, n)
	if err != nil {
		return nil, fmt.Errorf("read log: %w: %w", ErrUnavailable, err)
	}
	return out, nil
}
