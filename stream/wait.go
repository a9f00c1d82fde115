package stream

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"
)

// retryPause is how long a stream waits before it reads a log again that could
// not be read; half of it is jitter.
const retryPause = 2 * time.Second

// Wait blocks until the topic has something to see, or the stream something to
// do. That is one channel, whatever may happen: a silent stream's stack has no
// room to select in.
func (s *session) Wait() {
	<-s.waiter.called
	s.woken = true
}

// attend sees to what became due meanwhile.
func (s *session) attend(ctx context.Context) error {
	switch {
	case ctx.Err() != nil:
		return errOver
	case s.endAt.IsZero() && s.hub.drain.on():
		s.scheduleEnd()
	case !time.Now().Before(s.tickAt):
		return s.tick()
	}
	return nil
}

// tickIn sets the timer.
func (s *session) tickIn(d time.Duration) {
	s.tickAt = time.Now().Add(d)
	s.timer.Reset(d)
}

// scheduleEnd picks the moment within the drain's window at which this stream
// ends, so that its clients don't all come back at once.
func (s *session) scheduleEnd() {
	after := time.Duration(s.hub.cfg.Jitter() * float64(s.hub.drain.window))
	s.endAt = time.Now().Add(after)
	s.tickIn(min(after, s.hub.cfg.Heartbeat))
}

// tick is the timer's moment: a heartbeat, or the end. Whoever may not read any
// more gets neither.
func (s *session) tick() error {
	s.woken = false // by an event
	if !s.rights.valid() {
		return s.over()
	}
	if s.endAt.IsZero() {
		s.tickIn(s.hub.cfg.Heartbeat)
		return s.beat()
	}
	left := time.Until(s.endAt)
	if left <= 0 {
		if err := s.out.write(appendRetry(s.position(nil), s.retry())); err != nil {
			return err
		}
		return s.over()
	}
	s.tickIn(min(left, s.hub.cfg.Heartbeat))
	return s.beat()
}

func (s *session) beat() error {
	if err := s.out.write(s.position(heartbeatFrame)); err != nil {
		return err
	}
	return s.out.flush()
}

// position appends, for a stream that leaves events out, the id that its reader has reached
// without being told.
func (s *session) position(b []byte) []byte {
	id, known := s.id()
	if !s.filter.Active() && s.rights.Sees == nil || !known {
		return b
	}
	return appendIDOnly(slices.Clip(b), id)
}

func (s *session) retry() time.Duration {
	c := &s.hub.cfg
	return c.RetryMin + time.Duration(c.Jitter()*float64(c.RetryMax-c.RetryMin))
}

// retryLater waits out a log that can't be read. The stream stays open: what it
// has shown is true, and it goes on as soon as the log answers.
func (s *session) retryLater(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil {
		s.failing = s.failing && err != nil
		return nil
	}
	if !s.failing {
		s.failing = true
		s.hub.cfg.Logger.Warn("stream waits for the log", s.topic().attr(), slog.Any("error", err))
	}
	s.giveSlot()
	half := retryPause / 2
	pause := time.NewTimer(half + time.Duration(s.hub.cfg.Jitter()*float64(half)))
	defer pause.Stop()
	return s.hold(ctx, pause.C)
}

// hold keeps the stream alive until a moment.
func (s *session) hold(ctx context.Context, until <-chan time.Time) error {
	for {
		s.ts[0].bell.enter(&s.waiter) // a drain rings it
		if err := s.attend(ctx); err != nil {
			return err
		}
		select {
		case <-until:
			return nil
		case <-s.waiter.called:
		case <-ctx.Done():
			return errOver
		}
	}
}

// takeSlot takes one of the places for readers that are served from the log.
// While it waits, what becomes due is the caller's to handle.
func (s *session) takeSlot(ctx context.Context, onCall func(context.Context) error) error {
	for !s.slot {
		select {
		case s.hub.slots <- struct{}{}:
			s.slot = true
		case <-s.waiter.called:
			if err := onCall(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return errOver
		}
	}
	return nil
}

func (s *session) giveSlot() {
	if s.slot {
		<-s.hub.slots
		s.slot = false
	}
}

// refuseLate gives up on a place that did not come free while the response had
// not begun: nobody calls but the timer.
func (s *session) refuseLate(context.Context) error { return ErrBusy }

// nothingToRead is why a stream could not be opened.
func (s *session) nothingToRead() error {
	if s.reason() == ReasonCorrupt {
		return fmt.Errorf("open stream: %w", ErrBadFrame)
	}
	return fmt.Errorf("open stream: %w", ErrNoLog)
}
