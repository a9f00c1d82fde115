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
	Rights Rights
}

// openTries is how often the log may change under a reader that opens.
const openTries = 5

// errOver ends a stream that has nothing to complain about.
var errOver = errors.New("stream is over")

// Stream is a reader's stream. Its place is found; nothing is written yet. After
// Begin its life is Advance and Wait in turns: see [Run].
type Stream interface {
	// Begin sends the head of the response and what there is to send at once.
	// An error that does not wrap ErrStarted came before anything was written
	// and can be answered: ErrNotStreamable. After an error the stream is over.
	Begin(w http.ResponseWriter) error
	// Advance writes all there is to write, and says whether the stream is still
	// open. That the reader left, the session closed or the replica drains are
	// no errors. Each call may come from another goroutine.
	Advance(ctx context.Context) (open bool, err error)
	// Wait returns when there is something to advance for, or the context of the
	// Advance before has ended. It needs no more than a small stack, which is
	// what a silent stream costs.
	Wait()
}

// Run writes a stream that has begun until it is over.
func Run(ctx context.Context, s Stream) error {
	for {
		if open, err := s.Advance(ctx); !open {
			return err
		}
		s.Wait()
	}
}

// Open finds a reader's place in a topic's log. The stream must be begun, or
// its reader is counted for ever. Errors are ErrNoLog, ErrDraining, ErrBusy, or
// ErrUnreadable with what the Log gave.
func (h *Hub) Open(ctx context.Context, r Request) (Stream, error) {
	return h.openAt(ctx, reading{keys: []Topic{r.Topic}, filter: r.Filter, rights: r.Rights}, func(ts []*topic) place {
		return h.sessionPlace(ts[0], r.Cursor)
	})
}

// reading is a stream that is asked for.
type reading struct {
	keys   []Topic
	filter Filter
	rights Rights
}

// openAt opens a stream at the place that begin finds in its logs.
func (h *Hub) openAt(ctx context.Context, r reading, begin func([]*topic) place) (Stream, error) {
	if h.drain.on() {
		return nil, ErrDraining
	}
	ts, err := h.join(r.keys...)
	if err != nil {
		return nil, err
	}
	s := h.session(begin(ts), ts, r)
	if err := s.open(ctx); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// session is one stream being written, by one goroutine at a time.
type session struct {
	place
	hub     *Hub
	ts      []*topic // that it reads
	filter  Filter
	rights  Rights
	out     writer
	waiter  waiter
	timer   *time.Timer // calls the waiter
	tickAt  time.Time   // the next heartbeat, or the end of a drain
	unwatch func() bool // the reader's leaving calls the waiter until then
	endAt   time.Time   // when draining
	slot    bool        // holds one of Hub.slots
	failing bool        // the log could not be read; said once
	woken   bool        // what comes next was waited for
}

var _ Stream = (*session)(nil)

func (h *Hub) session(at place, ts []*topic, r reading) *session {
	s := &session{place: at, hub: h, ts: ts, filter: r.filter, rights: r.rights, waiter: newWaiter()}
	s.tickAt = time.Now().Add(h.cfg.Heartbeat)
	s.timer = time.AfterFunc(h.cfg.Heartbeat, s.waiter.call)
	return s
}

func (s *session) close() {
	s.timer.Stop()
	if s.unwatch != nil {
		s.unwatch()
	}
	s.ts[0].bell.leave(&s.waiter)
	s.giveSlot()
	s.hub.leave(s.ts)
}

// open finds the reader's place. Until the log was found the request can still
// be refused.
func (s *session) open(ctx context.Context) error {
	var err error
	for range openTries {
		switch s.wants() {
		case needHistory:
		case needFarewell:
			return s.nothingToRead()
		case needNone, needEvents, needFetch, needReset, needRing, needEnd:
			return nil
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

// Begin sends what there is to send at once.
func (s *session) Begin(w http.ResponseWriter) error {
	// A quarter of the limit is jitter: readers that stall together are not
	// cut off together.
	limit := s.hub.cfg.WriteTimeout
	s.out = newWriter(w, limit-time.Duration(s.hub.cfg.Jitter()*float64(limit)/4))
	err := s.begin()
	if err == nil {
		_, err = s.send()
	}
	if err != nil {
		s.close()
	}
	return s.judge(err)
}

// judge says whether there is something to complain about.
func (s *session) judge(err error) error {
	switch {
	case errors.Is(err, errOver):
		return nil
	case errors.Is(err, ErrSlow):
		s.hub.counts.slow.Add(1)
	}
	return err
}

func (s *session) begin() error {
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

// Advance sees to what was waited for, and to what follows at once.
func (s *session) Advance(ctx context.Context) (open bool, err error) {
	defer func() {
		if !open { // it may have panicked
			s.close()
		}
	}()
	if s.unwatch == nil {
		s.unwatch = context.AfterFunc(ctx, s.waiter.call)
	}
	err = s.advance(ctx)
	return err == nil, s.judge(err)
}

// advance sends what there is and sees to what is needed, until that is waiting.
func (s *session) advance(ctx context.Context) error {
	for {
		if err := s.attend(ctx); err != nil {
			return err
		}
		what, err := s.send()
		if err == nil {
			err = s.see(ctx, what)
		}
		if err != nil || what.waits() {
			return err
		}
	}
}

// chunks are what streams take frames into: as many as are sending, and none
// for those that wait.
var chunks = sync.Pool{New: func() any { return new([chunkFrames]*frame) }}

// send writes frames until there are none, or enough for one drain.
func (s *session) send() (need, error) {
	chunk := chunks.Get().(*[chunkFrames]*frame)
	defer chunks.Put(chunk)
	defer clear(chunk[:]) // a ring may have let go of them
	var d drained
	what, err := s.sendThrough(chunk[:], &d)
	s.measure(d, err)
	return what, err
}

func (s *session) sendThrough(buf []*frame, d *drained) (need, error) {
	for sent := 0; sent < s.hub.cfg.PageBytes; {
		n, what := s.take(buf, &s.waiter)
		if n == 0 {
			return what, s.out.flush()
		}
		for _, f := range buf[:n] {
			sent += len(f.data)
			shown, err := s.shows(f)
			if err != nil {
				return what, err
			}
			if !shown {
				continue
			}
			if err := s.out.writeAll(s.prefix(f), f.data); err != nil {
				return what, err
			}
			d.note(f)
		}
	}
	return needNone, s.out.flush()
}

// see sees to what a stream needs before it can go on, or wait.
func (s *session) see(ctx context.Context, what need) error {
	if what != needNone {
		s.giveSlot() // the page, if there was one, is sent
	}
	switch what {
	case needHistory:
		return s.readOn(ctx)
	case needReset:
		return s.sendReset(ctx)
	case needFetch, needRing:
		s.settle(what)
	case needEnd:
		return s.finish()
	case needFarewell:
		return s.farewell(s.reason())
	case needNone, needEvents:
	}
	return nil
}

// readOn loads a page, holding a slot until it is sent.
func (s *session) readOn(ctx context.Context) error {
	if err := s.takeSlot(ctx, s.attend); err != nil {
		return err
	}
	err := s.load(ctx)
	if !s.paging() {
		s.giveSlot()
	}
	return s.retryLater(ctx, err)
}
