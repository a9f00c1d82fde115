package store

import (
	"cmp"
	"context"
	"encoding/base64"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// List asks for a page of one of a tenant's indexes.
type List struct {
	Tenant  string
	Buckets []uint16 // BucketsOf the tenant
	After   string   // Page.Next of the page before; "" is the first page
	Limit   int      // at most MaxPage
}

// MaxPage bounds a page: each bucket may have to answer all of it.
const MaxPage = 200

// Item is an entry of an index.
type Item struct {
	Bucket uint16
	ID     string
	At     time.Time // created or requested
}

// Page is a part of an index. Entries that come or go meanwhile may be missed,
// but none is told twice.
type Page struct {
	Items []Item
	Next  string // "" is the end
}

// Sessions are a tenant's sessions, newest first.
func (s *Store) Sessions(ctx context.Context, l List) (Page, error) {
	return s.page(ctx, l, order{key: sessionsKey, newest: true})
}

// Approvals are a tenant's approvals, oldest first: the pending ones, or all
// that are retained.
func (s *Store) Approvals(ctx context.Context, l List, pendingOnly bool) (Page, error) {
	key := approvalsKey
	if pendingOnly {
		key = inboxKey
	}
	return s.page(ctx, l, order{key: key})
}

// order is an index and the direction in which it is read.
type order struct {
	key    func(bucket uint16, tenant string) string
	newest bool
}

// compare orders items as the page does, by time and then by id.
func (o order) compare(a, b Item) int {
	c := cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID))
	if o.newest {
		return -c
	}
	return c
}

// page merges what the buckets have after the position.
func (s *Store) page(ctx context.Context, l List, o order) (Page, error) {
	after, err := decodePosition(l.After)
	if err != nil {
		return Page{}, err
	}
	if l.Limit <= 0 || l.Limit > MaxPage {
		return Page{}, fmt.Errorf("list: %w: limit %d", ErrInvalid, l.Limit)
	}
	all, err := s.candidates(ctx, l, o, after)
	if err != nil {
		return Page{}, err
	}
	slices.SortFunc(all, o.compare)
	if len(all) <= l.Limit {
		return Page{Items: all}, nil
	}
	all = all[:l.Limit]
	return Page{Items: all, Next: encodePosition(all[l.Limit-1])}, nil
}

// candidates are the first Limit+1 entries of each bucket after the position.
// Entries of the same millisecond as the position are read again and dropped,
// so a bucket is asked further until it has enough or ends.
func (s *Store) candidates(ctx context.Context, l List, o order, after *Item) ([]Item, error) {
	var all []Item
	buckets, offset, width := l.Buckets, 0, l.Limit+1
	found := make(map[uint16]int)
	for len(buckets) > 0 {
		got, err := s.slice(ctx, l.Tenant, buckets, o.window(after, offset, width), o)
		if err != nil {
			return nil, err
		}
		var more []uint16
		for i, b := range buckets {
			full := len(got[i]) == width
			fresh := o.beyond(after, got[i])
			all = append(all, fresh...)
			found[b] += len(fresh)
			if full && found[b] < width {
				more = append(more, b)
			}
		}
		buckets, offset = more, offset+width
	}
	return all, nil
}

// beyond are the items after the position.
func (o order) beyond(after *Item, items []Item) []Item {
	if after == nil {
		return items
	}
	return slices.DeleteFunc(items, func(i Item) bool { return o.compare(i, *after) <= 0 })
}

// window is the part of a sorted set from the position's millisecond on.
func (o order) window(after *Item, offset, width int) *redis.ZRangeBy {
	w := &redis.ZRangeBy{Min: "-inf", Max: "+inf", Offset: int64(offset), Count: int64(width)}
	if after == nil {
		return w
	}
	if o.newest {
		w.Max = millis(after.At)
	} else {
		w.Min = millis(after.At)
	}
	return w
}

// slice reads the same window of several buckets.
func (s *Store) slice(ctx context.Context, tenant string, buckets []uint16, w *redis.ZRangeBy, o order) ([][]Item, error) {
	pipe := s.client.Pipeline()
	cmds := make([]*redis.ZSliceCmd, len(buckets))
	for i, b := range buckets {
		if o.newest {
			cmds[i] = pipe.ZRevRangeByScoreWithScores(ctx, o.key(b, tenant), w)
		} else {
			cmds[i] = pipe.ZRangeByScoreWithScores(ctx, o.key(b, tenant), w)
		}
	}
	if err := exec(ctx, pipe, "read index"); err != nil {
		return nil, err
	}
	out := make([][]Item, len(buckets))
	for i, b := range buckets {
		for _, z := range cmds[i].Val() {
			out[i] = append(out[i], Item{Bucket: b, ID: fmt.Sprint(z.Member), At: time.UnixMilli(int64(z.Score)).UTC()})
		}
	}
	return out, nil
}

// encodePosition makes the place after an item opaque.
func encodePosition(i Item) string {
	return base64.RawURLEncoding.EncodeToString([]byte(millis(i.At) + " " + i.ID))
}

func decodePosition(s string) (*Item, error) {
	if s == "" {
		return nil, nil //nolint:nilnil // no position is a position: the start
	}
	raw, err := base64.RawURLEncoding.DecodeString(s)
	if err != nil {
		return nil, fmt.Errorf("read position: %w", ErrPosition)
	}
	stamp, id, ok := strings.Cut(string(raw), " ")
	ms, err := strconv.ParseInt(stamp, 10, 64)
	if !ok || err != nil {
		return nil, fmt.Errorf("read position: %w", ErrPosition)
	}
	return &Item{ID: id, At: time.UnixMilli(ms).UTC()}, nil
}

// CountSessions is how many sessions of a tenant are kept: open ones, and
// closed ones until they are deleted.
func (s *Store) CountSessions(ctx context.Context, tenant string) (int, error) {
	buckets := BucketsOf(tenant)
	pipe := s.client.Pipeline()
	counts := make([]*redis.IntCmd, 0, len(buckets))
	for _, b := range buckets {
		counts = append(counts, pipe.ZCard(ctx, sessionsKey(b, tenant)))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return 0, outage("count sessions", err)
	}
	sum := 0
	for _, c := range counts {
		sum += int(c.Val())
	}
	return sum, nil
}
