package stream

import (
	"context"
	"errors"
	"fmt"
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
func (h *Hub) compare(ctx context.Context, ts []*topic) {
	for len(ts) > 0 {
		n := min(len(ts), headsPerCall)
		if err := h.compareSome(ctx, ts[:n]); err != nil {
			if ctx.Err() == nil {
				h.cfg.Logger.Warn("compare event heads", "error", err)
			}
			return
		}
		ts = ts[n:]
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
	ctx, cancel := context.WithTimeout(ctx, h.cfg.ReadTimeout)
	defer cancel()
	heads, err := h.cfg.Log.Heads(ctx, keys)
	if err != nil {
		return err
	}
	if len(heads) != len(live) {
		return fmt.Errorf("asked for %d heads, got %d", len(live), len(heads))
	}
	for i, t := range live {
		h.reconcile(t, seen[i], heads[i])
	}
	return nil
}

// reconcile acts on a log's head, given what was known before it was asked.
func (h *Hub) reconcile(t *topic, seen, head ID) {
	if head == (ID{}) && seen != head {
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

// enqueue lets a topic's gap be read, once however many ask.
func (h *Hub) enqueue(t *topic) {
	t.mu.Lock()
	add := t.behind() && !t.queued
	t.queued = t.queued || add
	t.mu.Unlock()
	if add {
		h.queue.push(t)
	}
}

func (h *Hub) fetchAll(ctx context.Context) {
	for {
		t := h.queue.pop()
		if t != nil {
			h.fetch(ctx, t)
			continue
		}
		select {
		case <-h.queue.ready:
		case <-ctx.Done():
			return
		}
	}
}

// fetch reads a topic's gap, page by page. After a failure the gap stays until
// the next comparison of heads, which finds it again.
func (h *Hub) fetch(ctx context.Context, t *topic) {
	for {
		head, more := t.missing()
		if !more {
			return
		}
		if err := h.fetchPage(ctx, t, head); err != nil {
			h.giveUp(ctx, t, err)
			return
		}
	}
}

func (h *Hub) giveUp(ctx context.Context, t *topic, err error) {
	t.giveUp()
	if !h.fatal(t, err) && ctx.Err() == nil {
		h.cfg.Logger.Warn("read events", "session_id", t.key.Session, "error", err)
	}
}

// fatal ends a topic's streams if no later read can succeed.
func (h *Hub) fatal(t *topic, err error) bool {
	switch {
	case errors.Is(err, ErrNoLog):
		h.abandon(t, ReasonGone)
	case errors.Is(err, ErrBadFrame):
		h.cfg.Logger.Error("event log is corrupt", "session_id", t.key.Session, "error", err)
		h.abandon(t, ReasonCorrupt)
	default:
		return false
	}
	return true
}

func (h *Hub) fetchPage(ctx context.Context, t *topic, head ID) error {
	gen, _ := t.generation()
	frames, err := h.read(ctx, t.key, head.Seq)
	switch {
	case err != nil:
		return err
	case len(frames) == 0:
		// The log had more when we heard of it; it lost that since.
		h.restart(t, gen, ReasonDiverged)
	case frames[0].id.Seq > head.Seq+1:
		h.restart(t, gen, ReasonTrimmed)
	default:
		h.offer(t, frames)
	}
	return nil
}

// read is one page of a log, encoded.
func (h *Hub) read(ctx context.Context, key Topic, after uint64) ([]*frame, error) {
	ctx, cancel := context.WithTimeout(ctx, h.cfg.ReadTimeout)
	defer cancel()
	events, err := h.cfg.Log.Read(ctx, key, after, pageBytes)
	if err != nil {
		return nil, err
	}
	return encodeAll(events)
}
