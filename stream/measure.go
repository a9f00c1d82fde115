package stream

import (
	"bytes"
	"sync/atomic"
	"time"
)

// Totals is what a hub has done so far.
type Totals struct {
	Frames      uint64 // events that were written to readers
	SlowReaders uint64 // that were cut off
	Resets      map[Reason]uint64
}

// counts are what a hub has done so far. A stream adds to them once a drain.
type counts struct {
	frames atomic.Uint64
	slow   atomic.Uint64

	trimmed, ahead, diverged atomic.Uint64
}

// reset is the counter of a reset's reason.
func (c *counts) reset(why Reason) *atomic.Uint64 {
	switch why {
	case ReasonTrimmed:
		return &c.trimmed
	case ReasonAhead:
		return &c.ahead
	default: // what is no reason of a reset ends a stream instead
		return &c.diverged
	}
}

// Totals counts what the hub has done.
func (h *Hub) Totals() Totals {
	resets := make(map[Reason]uint64)
	for _, why := range []Reason{ReasonTrimmed, ReasonAhead, ReasonDiverged} {
		resets[why] = h.counts.reset(why).Load()
	}
	return Totals{Frames: h.counts.frames.Load(), SlowReaders: h.counts.slow.Load(), Resets: resets}
}

// MaxReaders is how many streams the hub takes.
func (h *Hub) MaxReaders() int { return h.cfg.Readers }

// drained is what one drain has sent.
type drained struct {
	frames uint64
	oldest int64 // when the first frame that woke the stream was committed, in Unix ms; 0: not known
}

// note counts a frame.
func (d *drained) note(f *frame) {
	d.frames++
	if d.oldest == 0 {
		d.oldest = f.at
	}
}

// measure adds a drain to the counts. Only one that an event began tells how
// long events take: in others the reader was catching up.
func (s *session) measure(d drained, err error) {
	s.hub.counts.frames.Add(d.frames)
	if s.woken && d.oldest > 0 && err == nil && s.hub.cfg.OnDelivered != nil {
		s.hub.cfg.OnDelivered(s.hub.cfg.Now().Sub(time.UnixMilli(d.oldest)))
	}
	s.woken = false
}

var timeMember = []byte(`"time":"`)

// committedAt is the time in an event's JSON, in Unix milliseconds; 0 if there
// is none. What stands before it in the envelope can't look like it.
func committedAt(json []byte) int64 {
	_, rest, found := bytes.Cut(json, timeMember)
	if !found || len(rest) < len(TimeFormat) {
		return 0
	}
	at, err := time.Parse(TimeFormat, string(rest[:len(TimeFormat)]))
	if err != nil {
		return 0
	}
	return at.UnixMilli()
}

// stamp notes when the frames of a notice were committed, which is at once.
func stamp(frames []*frame, events []Event) {
	if len(frames) == 0 {
		return
	}
	at := committedAt(events[0].JSON)
	for _, f := range frames {
		f.at = at
	}
}
