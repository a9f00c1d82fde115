package stream

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
)

// Serve opens a stream and writes it, as a handler does.
func (h *Hub) Serve(ctx context.Context, w http.ResponseWriter, r Request) error {
	return serveOpened(ctx, w, func() (Stream, error) { return h.Open(ctx, r) })
}

// ServeTenant is Serve for a tenant's stream.
func (h *Hub) ServeTenant(ctx context.Context, w http.ResponseWriter, r TenantRequest) error {
	return serveOpened(ctx, w, func() (Stream, error) { return h.OpenTenant(ctx, r) })
}

func serveOpened(ctx context.Context, w http.ResponseWriter, open func() (Stream, error)) error {
	s, err := open()
	if err != nil {
		return err
	}
	if err := s.Begin(w); err != nil {
		return err
	}
	return Run(ctx, s)
}

// Reader drives a place step by step, as a stream does but without HTTP.
type Reader struct {
	place
	hub  *Hub
	bell waiter
	ts   []*topic
	Seen []Seen
	Done Reason // why it ended; "closed" after session.closed
}

// Seen is an event, or a reset with the id that its snapshot includes.
type Seen struct {
	Log   int // of a tenant's logs; 0 in a session's
	ID    ID
	Reset Reason
	At    string // a tenant's: the id that stands on the wire
}

// State stands for a log where a tenant's snapshot was seen.
const State = -1

// Enter opens a reader.
func (h *Hub) Enter(t Topic, c Cursor) (*Reader, error) {
	ts, err := h.join(t)
	if err != nil {
		return nil, err
	}
	return &Reader{place: h.sessionPlace(ts[0], c), hub: h, bell: newWaiter(), ts: ts}, nil
}

// EnterTenant opens a reader of a tenant's logs.
func (h *Hub) EnterTenant(r TenantRequest) (*Reader, error) {
	ts, err := h.join(r.keys()...)
	if err != nil {
		return nil, err
	}
	return &Reader{place: h.tenantPlace(ts, r), hub: h, bell: newWaiter(), ts: ts}, nil
}

// Leave closes the reader.
func (r *Reader) Leave() {
	r.ts[0].bell.leave(&r.bell)
	r.hub.leave(r.ts)
}

// Step takes once, at most n events, and does what is needed next. It says
// whether the reader has to wait.
func (r *Reader) Step(ctx context.Context, n int) (waiting bool, err error) {
	if r.Done != "" {
		return true, nil
	}
	buf := make([]*frame, n)
	n, what := r.take(buf, &r.bell)
	for _, f := range buf[:n] {
		r.Seen = append(r.Seen, r.saw(f))
	}
	switch what {
	case needFetch:
		r.settle(what)
		return true, nil
	case needEvents:
		return true, nil
	case needHistory:
		return false, r.load(ctx)
	case needReset:
		return false, r.reset(ctx)
	case needRing:
		r.settle(what)
	case needEnd:
		r.Done = "closed"
	case needFarewell:
		r.Done = r.reason()
	case needNone:
	}
	return false, nil
}

func (r *Reader) reset(ctx context.Context) error {
	got, err := r.restart(ctx)
	if errors.Is(err, errUnstable) {
		r.Done = ReasonUnstable
		return nil
	}
	if err == nil && got.state != nil {
		r.Seen = append(r.Seen, r.sawState(got))
	}
	return err
}

func (r *Reader) saw(f *frame) Seen {
	s := Seen{ID: f.id}
	if p, ok := r.place.(*tenantPlace); ok {
		id, _ := bytes.CutPrefix(p.prefix(f), []byte("id: "))
		s.Log, s.At = p.at, strings.TrimSpace(string(id))
	}
	return s
}

func (r *Reader) sawState(got reset) Seen {
	if p, ok := r.place.(*sessionPlace); ok {
		return Seen{ID: p.pos, Reset: got.why}
	}
	return Seen{Log: State, Reset: got.why, At: got.id}
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
	f, _, err := encode(Topic{Session: "ses_1"}, Event{Seq: id.Seq, Hash: id.Hash, Type: typ, JSON: data}, nil)
	if err != nil {
		return nil, err
	}
	return f.data, nil
}

// ParseVector is the decoder of tenants' cursors.
var ParseVector = parseVector

// ListedAfterLateCharge lets a log be dropped between a change of its ring and
// the note of it. It answers how many logs the budget lists then.
func (h *Hub) ListedAfterLateCharge(key Topic, page []Event) (int, error) {
	ts, err := h.join(key)
	if err != nil {
		return 0, err
	}
	frames, err := encodeAll(key, page)
	if err != nil {
		return 0, err
	}
	grown := ts[0].adopt(frames, frames[len(frames)-1].id, h.cfg.RingBytes)
	h.leave(ts)
	h.abandon(ts[0], ReasonGone)
	h.charge(ts[0], grown)
	return h.budget.recent.Len(), nil
}
