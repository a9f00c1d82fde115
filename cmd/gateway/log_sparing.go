package main

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// Warnings of one message: an outage must not fill a disk, and hide what else
// is said, by telling the same with each request.
const (
	sparingWindow = 10 * time.Second
	sparingLines  = 10
)

// sparing lets so many warnings of one message through in a window; the first
// of a later window says how many were left out. Other levels pass: errors are
// mistakes, of which each counts.
type sparing struct {
	slog.Handler
	tally *tally
}

// Handle writes a line or leaves it out.
func (s sparing) Handle(ctx context.Context, r slog.Record) error {
	if r.Level != slog.LevelWarn {
		return s.Handler.Handle(ctx, r)
	}
	passes, left := s.tally.count(r.Message, r.Time)
	if !passes {
		return nil
	}
	if left > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("left_out", left))
	}
	return s.Handler.Handle(ctx, r)
}

// WithAttrs counts with the rest.
func (s sparing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return sparing{s.Handler.WithAttrs(attrs), s.tally}
}

// WithGroup counts with the rest.
func (s sparing) WithGroup(name string) slog.Handler {
	return sparing{s.Handler.WithGroup(name), s.tally}
}

// tally counts lines by message. Messages are constants of the program, so
// there are not many.
type tally struct {
	mu   sync.Mutex
	seen map[string]*spell
}

// spell is the window of a message that runs.
type spell struct {
	began time.Time
	lines int
}

func newTally() *tally { return &tally{seen: make(map[string]*spell)} }

// count says whether a line passes, and how many were left out before it.
func (t *tally) count(message string, now time.Time) (passes bool, left int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s, known := t.seen[message]
	if !known {
		s = &spell{began: now}
		t.seen[message] = s
	}
	// A clock that was put back begins a window, too.
	if since := now.Sub(s.began); since >= sparingWindow || since < 0 {
		left = max(0, s.lines-sparingLines)
		*s = spell{began: now}
	}
	s.lines++
	return s.lines <= sparingLines, left
}
