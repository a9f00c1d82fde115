package stream

import (
	"context"
	"errors"
)

// Reader drives a follower step by step, as a stream does but without HTTP.
type Reader struct {
	f    *follower
	Seen []Seen
	Done Reason // why it ended; "closed" after session.closed
}

// Seen is an event, or a reset with the id that its snapshot includes.
type Seen struct {
	ID    ID
	Reset Reason
}

// Enter opens a reader.
func (h *Hub) Enter(t Topic, c Cursor) (*Reader, error) {
	topic, err := h.join(t)
	if err != nil {
		return nil, err
	}
	return &Reader{f: h.follow(topic, c)}, nil
}

// Leave closes the reader.
func (r *Reader) Leave() { r.f.hub.leave(r.f.t) }

// Step takes once, at most n events, and does what is needed next. It says
// whether the reader has to wait.
func (r *Reader) Step(ctx context.Context, n int) (waiting bool, err error) {
	if r.Done != "" {
		return true, nil
	}
	buf := make([]*frame, n)
	n, what, _ := r.f.take(buf)
	for _, f := range buf[:n] {
		r.Seen = append(r.Seen, Seen{ID: f.id})
	}
	switch what {
	case needFetch:
		r.f.hub.enqueue(r.f.t)
		return true, nil
	case needEvents:
		return true, nil
	case needHistory:
		return false, r.f.load(ctx)
	case needReset:
		return false, r.reset(ctx)
	case needRing:
		r.f.hub.restart(r.f.t, r.f.gen, ReasonDiverged)
	case needEnd:
		r.Done = "closed"
	case needFarewell:
		r.Done = r.f.t.reason()
	case needNone:
	}
	return false, nil
}

func (r *Reader) reset(ctx context.Context) error {
	got, err := r.f.restart(ctx)
	if errors.Is(err, errUnstable) {
		r.Done = ReasonUnstable
		return nil
	}
	if err == nil && got.state != nil {
		r.Seen = append(r.Seen, Seen{ID: got.includes, Reset: got.why})
	}
	return err
}

// FetchQueued reads the gaps that wait, as Run does.
func (h *Hub) FetchQueued(ctx context.Context) {
	for t := h.queue.pop(); t != nil; t = h.queue.pop() {
		h.fetch(ctx, t)
	}
}

// CompareHeads compares all heads, as Run does every few seconds.
func (h *Hub) CompareHeads(ctx context.Context) { h.compare(ctx, h.all(nil)) }

// AppendFrame is the encoder of events.
func AppendFrame(id ID, typ string, data []byte) ([]byte, error) {
	return appendFrame(nil, id, typ, data)
}
