package stream

import (
	"context"
	"errors"
	"log/slog"
)

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

// catchUp sees to what happened to a log while a reader read its history.
func (h *Hub) catchUp(t *topic) {
	h.enqueue(t)
	if t.missedComparison() {
		h.Resync([]uint16{t.key.Bucket})
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
		h.cfg.Logger.Warn("read events", t.key.attr(), slog.Any("error", err))
	}
}

// fatal ends a topic's streams if no later read can succeed.
func (h *Hub) fatal(t *topic, err error) bool {
	switch {
	case errors.Is(err, ErrNoLog):
		h.abandon(t, ReasonGone)
	case errors.Is(err, ErrBadFrame):
		h.cfg.Logger.Error("event log is corrupt", t.key.attr(), slog.Any("error", err))
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
	events, err := h.cfg.Log.Read(ctx, key, after, h.cfg.PageBytes)
	if err != nil {
		return nil, err
	}
	return encodeAll(key, events)
}
