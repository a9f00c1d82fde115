package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

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

// Heads is the newest id of each log, the zero ID for one that is gone.
func (s *Store) Heads(ctx context.Context, ts []stream.Topic) ([]stream.ID, error) {
	out := make([]stream.ID, 0, len(ts))
	for len(ts) > 0 {
		n := min(len(ts), maxPipelined)
		page, err := s.heads(ctx, ts[:n])
		if err != nil {
			return nil, err
		}
		out, ts = append(out, page...), ts[n:]
	}
	return out, nil
}

func (s *Store) heads(ctx context.Context, ts []stream.Topic) ([]stream.ID, error) {
	pipe := s.client.Pipeline()
	cmds := make([]*redis.StringCmd, len(ts))
	for i, t := range ts {
		cmds[i] = pipe.HGet(ctx, logKeys(t).doc(), fieldHead)
	}
	if err := exec(ctx, pipe, "read heads"); err != nil {
		return nil, err
	}
	out := make([]stream.ID, len(ts))
	for i, cmd := range cmds {
		id, err := decodeID(cmd.Val())
		if err != nil {
			return nil, fmt.Errorf("read heads: %w: %w", ErrUnavailable, err)
		}
		out[i] = id
	}
	return out, nil
}

// readChunk is how many events one call to Redis asks for: most pages need
// one, and an answer of the largest events is still a few megabytes.
const readChunk = 128

// Read is a page of events after a sequence number. Events that were trimmed
// are skipped; the first event's Prev tells.
func (s *Store) Read(ctx context.Context, t stream.Topic, after uint64, maxBytes int) ([]stream.Event, error) {
	var out []stream.Event
	used := 0
	for {
		chunk, err := s.chunk(ctx, t, after)
		if err != nil {
			return nil, err
		}
		for _, e := range chunk {
			if used += len(e.JSON); used > maxBytes && len(out) > 0 {
				return out, nil
			}
			out = append(out, e)
		}
		if len(chunk) < readChunk {
			return out, nil
		}
		after = out[len(out)-1].Seq
	}
}

// chunk reads the events after one, and that one for its hash.
func (s *Store) chunk(ctx context.Context, t stream.Topic, after uint64) ([]stream.Event, error) {
	k := logKeys(t)
	pipe := s.client.TxPipeline()
	doc := pipe.HMGet(ctx, k.doc(), fieldHead, fieldBase)
	entries := pipe.XRangeN(ctx, k.events(), entryID(max(after, 1)), "+", readChunk+1)
	if err := exec(ctx, pipe, "read log"); err != nil {
		return nil, err
	}
	_, prev, err := ends(t, doc.Val())
	if err != nil {
		return nil, err
	}
	var out []stream.Event
	for _, entry := range entries.Val() {
		e, err := decodeEntry(entry, prev.Hash)
		if err != nil {
			return nil, fmt.Errorf("read log: %w: %w", ErrUnavailable, err)
		}
		prev = e.ID()
		if e.Seq > after && len(out) < readChunk {
			out = append(out, e)
		}
	}
	return out, nil
}

// decodeEntry reads a stream entry; its predecessor's hash is given.
func decodeEntry(m redis.XMessage, prev stream.Hash) (stream.Event, error) {
	digits, _, _ := strings.Cut(m.ID, "-")
	seq, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		return stream.Event{}, fmt.Errorf("decode entry %s: %w", m.ID, err)
	}
	kind, okType := m.Values["t"].(string)
	hash, okHash := m.Values["h"].(string)
	json, okJSON := m.Values["j"].(string)
	if !okType || !okHash || !okJSON || len(hash) != idLen {
		return stream.Event{}, fmt.Errorf("decode entry %s: missing fields", m.ID)
	}
	e := stream.Event{Seq: seq, Prev: prev, Type: kind, JSON: []byte(json)}
	copy(e.Hash[:], hash)
	return e, nil
}
