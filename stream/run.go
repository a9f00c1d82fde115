package stream

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// Run keeps the hub's rings true to the logs until ctx ends: it reads what
// notices left out, compares heads, and drops what nobody reads. When it
// returns, the streams end: nothing would tell them of events any more.
func (h *Hub) Run(ctx context.Context) error {
	var fetchers sync.WaitGroup
	for range h.cfg.Fetchers {
		fetchers.Go(func() { h.fetchAll(ctx) })
	}
	h.supervise(ctx)
	fetchers.Wait()
	h.Drain(0)
	h.end()
	return nil
}

func (h *Hub) supervise(ctx context.Context) {
	tick := time.NewTicker(h.cfg.Compare)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			h.compare(ctx, h.all(nil))
			h.sweep(time.Now().Add(-h.cfg.Linger))
		case <-h.resync.ready:
			h.compare(ctx, h.all(h.resync.take()))
		}
	}
}

// compare asks the log for the heads of topics and follows up on differences.
// What can't be read says nothing about the rest.
func (h *Hub) compare(ctx context.Context, ts []*topic) {
	var failed error
	for some := range slices.Chunk(ts, headsPerCall) {
		failed = cmp.Or(failed, h.compareSome(ctx, some))
	}
	if failed != nil && ctx.Err() == nil {
		h.cfg.Logger.Warn("compare event heads", slog.Any("error", failed))
	}
}

func (h *Hub) compareSome(ctx context.Context, ts []*topic) error {
	seen := make([]ID, 0, len(ts))
	keys := make([]Topic, 0, len(ts))
	live := make([]*topic, 0, len(ts))
	for _, t := range ts {
		// What is known is noted before the log is asked: a head that is lower
		// than that went backwards, and did not just cross with a notice.
		if id, ok := t.known(); ok {
			seen, keys, live = append(seen, id), append(keys, t.key), append(live, t)
		}
	}
	if len(live) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, comparePatience)
	defer cancel()
	heads, err := h.heads(ctx, keys)
	for i, head := range heads {
		if head != Unread { // a part of the store may be away
			h.reconcile(live[i], seen[i], head)
		}
	}
	return err
}

func (h *Hub) heads(ctx context.Context, keys []Topic) ([]ID, error) {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.ReadTimeout)
	defer cancel()
	heads, err := h.cfg.Log.Heads(ctx, keys)
	if len(heads) != len(keys) {
		return nil, cmp.Or(err, fmt.Errorf("asked for %d heads, got %d", len(keys), len(heads)))
	}
	return heads, err
}

// reconcile acts on a log's head, given what was known before it was asked.
func (h *Hub) reconcile(t *topic, seen, head ID) {
	// A tenant's log always is; when it is empty it has lost what it had.
	if head == (ID{}) && seen != head && !t.key.tenantWide() {
		h.abandon(t, ReasonGone)
		return
	}
	v, gen := t.judgeHead(head)
	switch {
	case head.Seq < seen.Seq, v == diverged:
		h.restart(t, gen, ReasonDiverged)
	case v == gap:
		h.enqueue(t)
	}
}
