package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// Request is what a reader asked for.
type Request struct {
	Topic  Topic
	Cursor Cursor
	Filter Filter
}

// openTries is how often the log may change under a reader that opens.
const openTries = 5

// errOver ends a stream that has nothing to complain about.
var errOver = errors.New("stream is over")

// Serve writes a topic's stream until the reader leaves, the session closes or
// the replica drains; these are no errors. An error that does not wrap
// ErrStarted came before anything was written and can be answered: ErrNoLog,
// ErrDraining, ErrBusy, ErrNotStreamable, or ErrUnreadable with what the Log gave.
func (h *Hub) Serve(ctx context.Context, w http.ResponseWriter, r Request) error {
	return h.serve(ctx, reading{keys: []Topic{r.Topic}, filter: r.Filter, w: w}, func(ts []*topic) place {
		return h.sessionPlace(ts[0], r.Cursor)
	})
}

// reading is a stream that is asked for.
type reading struct {
	keys   []Topic
	filter Filter
	w      http.ResponseWriter
}

// serve writes a stream from the place that begin finds in its logs.
func (h *Hub) serve(ctx context.Context, r reading, begin func([]*topic) place) error {
	if h.drain.on() {
		return ErrDraining
	}
	ts, err := h.join(r.keys...)
	if err != nil {
		return err
	}
	defer h.leave(ts)
	s := h.session(begin(ts), r)
	defer s.close()
	err = s.open(ctx)
	if err == nil {
		err = s.run(ctx)
	}
	if errors.Is(err, errOver) {
		return nil
	}
	if errors.Is(err, ErrSlow) {
		h.counts.slow.Add(1)
	}
	return err
}

// session is one stream being written, by the goroutine of its request.
type session struct {
	place
	hub      *Hub
	filter   Filter
	out      writer
	timer    *time.Timer // the next heartbeat, or the end of a drain
	draining <-chan struct{}
	endAt    time.Time // when draining
	slot     bool      // holds one of Hub.slots
	failing  bool      // the log could not be read; said once
	woken    bool      // what comes next was waited for
}

func (h *Hub) session(at place, r reading) *session {
	// A quarter of the limit is jitter: readers that stall together are not
	// cut off together.
	limit := h.cfg.WriteTimeout - time.Duration(h.cfg.Jitter()*float64(h.cfg.WriteTimeout)/4)
	return &session{
		place:    at,
		hub:      h,
		filter:   r.filter,
		out:      writer{w: r.w, rc: http.NewResponseController(r.w), limit: limit},
		timer:    time.NewTimer(h.cfg.Heartbeat),
		draining: h.drain.begun,
	}
}

func (s *session) close() {
	s.timer.Stop()
	s.giveSlot()
}

// open finds the reader's place and begins the response. Until the log was
// found the request can still be refused.
func (s *session) open(ctx context.Context) error {
	var err error
	for range openTries {
		if what := s.wants(); what != needHistory {
			return s.begin(what)
		}
		if err := s.takeSlot(ctx, s.refuseLate); err != nil {
			return err
		}
		if err = s.load(ctx); err != nil && !errors.Is(err, errVolatile) {
			break
		}
	}
	return fmt.Errorf("open stream: %w: %w", ErrUnreadable, cmp.Or(err, errVolatile))
}

func (s *session) begin(what need) error {
	if what == needFarewell {
		return s.nothingToRead()
	}
	if err := s.out.begin(); err != nil {
		return err
	}
	b := appendRetry(nil, s.retry())
	if id, known := s.id(); known && s.live() {
		// Whoever loses the connection before the first event must not come
		// back as `latest` and miss what happened in between.
		b = appendIDOnly(b, id)
	}
	return s.out.write(b)
}

// run is the stream's life: send what there is, then see to what is needed.
func (s *session) run(ctx context.Context) error {
	for {
		what, wake, err := s.send()
		if err == nil {
			err = s.see(ctx, what, wake)
		}
		if err == nil && !what.waits() {
			err = s.poll(ctx)
		}
		if err != nil {
			return err
		}
	}
}

// chunks are what streams take frames into: as many as are sending, and none
// for those that wait.
var chunks = sync.Pool{New: func() any { return new([chunkFrames]*frame) }}

// send writes frames until there are none, or enough for one drain.
func (s *session) send() (need, <-chan struct{}, error) {
	chunk := chunks.Get().(*[chunkFrames]*frame)
	defer chunks.Put(chunk)
	defer clear(chunk[:]) // a ring may have let go of them
	var d drained
	what, wake, err := s.sendThrough(chunk[:], &d)
	s.measure(d, err)
	return what, wake, err
}

func (s *session) sendThrough(buf []*frame, d *drained) (need, <-chan struct{}, error) {
	for sent := 0; sent < pageBytes; {
		n, what, wake := s.take(buf)
		if n == 0 {
			return what, wake, s.out.flush()
		}
		for _, f := range buf[:n] {
			sent += len(f.data)
			if !s.filter.Pass(f.typ) {
				continue
			}
			if err := s.out.writeAll(s.prefix(f), f.data); err != nil {
				return what, nil, err
			}
			d.note(f)
		}
	}
	return needNone, nil, s.out.flush()
}

func (s *session) see(ctx context.Context, what need, wake <-chan struct{}) error {
	if what != needNone {
		s.giveSlot() // the page, if there was one, is sent
	}
	switch what {
	case needEvents:
		return s.wait(ctx, wake)
	case needFetch:
		s.settle(what)
		return s.wait(ctx, wake)
	case needHistory:
		return s.readOn(ctx)
	case needReset:
		return s.sendReset(ctx)
	case needRing:
		s.settle(what)
	case needEnd:
		return s.finish()
	case needFarewell:
		return s.farewell(s.reason())
	case needNone:
	}
	return nil
}

// readOn loads a page, holding a slot until it is sent.
func (s *session) readOn(ctx context.Context) error {
	if err := s.takeSlot(ctx, s.tick); err != nil {
		return err
	}
	err := s.load(ctx)
	if !s.paging() {
		s.giveSlot()
	}
	return s.retryLater(ctx, err)
}
