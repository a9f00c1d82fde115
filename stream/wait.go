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

// wait blocks until the topic has something to see. Meanwhile it keeps the
// connection alive and notices its end.
func (s *session) wait(ctx context.Context, wake <-chan struct{}) error {
	select {
	case <-wake:
		s.woken = true
		return nil
	case <-s.timer.C:
		return s.tick()
	case <-s.draining:
		return s.scheduleEnd()
	case <-ctx.Done():
		return errOver
	}
}

// poll is wait for a stream that has work to do.
func (s *session) poll(ctx context.Context) error {
	select {
	case <-s.timer.C:
		return s.tick()
	case <-s.draining:
		return s.scheduleEnd()
	case <-ctx.Done():
		return errOver
	default:
		return nil
	}
}

// scheduleEnd picks the moment within the drain's window at which this stream
// ends, so that its clients don't all come back at once.
func (s *session) scheduleEnd() error {
	s.draining = nil
	after := time.Duration(s.hub.cfg.Jitter() * float64(s.hub.drain.window))
	s.endAt = time.Now().Add(after)
	s.timer.Reset(min(after, s.hub.cfg.Heartbeat))
	return nil
}

// tick is the timer's moment: a heartbeat, or the end. Whoever may not read any
// more gets neither.
func (s *session) tick() error {
	if !s.rights.valid() {
		return s.over()
	}
	if s.endAt.IsZero() {
		s.timer.Reset(s.hub.cfg.Heartbeat)
		return s.beat()
	}
	left := time.Until(s.endAt)
	if left <= 0 {
		if err := s.out.write(appendRetry(s.position(nil), s.retry())); err != nil {
			return err
		}
		return s.over()
	}
	s.timer.Reset(min(left, s.hub.cfg.Heartbeat))
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
		select {
		case <-until:
			return nil
		case <-s.timer.C:
			if err := s.tick(); err != nil {
				return err
			}
		case <-s.draining:
			if err := s.scheduleEnd(); err != nil {
				return err
			}
		case <-ctx.Done():
			return errOver
		}
	}
}

// takeSlot takes one of the places for readers that are served from the log.
// While it waits, the timer's moments are the caller's to handle.
func (s *session) takeSlot(ctx context.Context, onTimer func() error) error {
	for !s.slot {
		select {
		case s.hub.slots <- struct{}{}:
			s.slot = true
		case <-s.timer.C:
			if err := onTimer(); err != nil {
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
// not begun.
func (s *session) refuseLate() error { return ErrBusy }

// nothingToRead is why a stream could not be opened.
func (s *session) nothingToRead() error {
	if s.reason() == ReasonCorrupt {
		return fmt.Errorf("open stream: %w", ErrBadFrame)
	}
	return fmt.Errorf("open stream: %w", ErrNoLog)
}
