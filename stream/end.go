package stream

import (
	"context"
	"errors"
	"fmt"
)

// sendReset says that the reader's place is lost, and the state to go on from.
func (s *session) sendReset(ctx context.Context) error {
	r, err := s.restart(ctx)
	switch {
	case errors.Is(err, errUnstable):
		return s.farewell(ReasonUnstable)
	case err != nil:
		return s.retryLater(ctx, err)
	case r.state == nil: // there is no log any more; take says so next
		return nil
	}
	b, err := s.resetFrames(r)
	if err != nil {
		return fmt.Errorf("reset stream: %w: %w", ErrStarted, err)
	}
	return s.out.write(b)
}

func (s *session) resetFrames(r reset) (b []byte, err error) {
	if r.why != "" {
		s.hub.counts.reset(r.why).Add(1)
		if b, err = s.control(TypeReset, resetData(r.why, r.cursor)).append(nil); err != nil {
			return nil, err
		}
	}
	state := s.control(r.typ, r.state)
	state.id, state.seq = r.id, r.seq
	return state.append(b)
}

// farewell says why the stream ends.
func (s *session) farewell(why Reason) error {
	b, err := s.control(TypeError, errorData(why)).append(nil)
	if err != nil {
		return fmt.Errorf("end stream: %w: %w", ErrStarted, err)
	}
	if err := s.out.write(b); err != nil {
		return err
	}
	return s.over()
}

func (s *session) control(typ string, data []byte) control {
	return control{typ: typ, session: s.topic().Session, at: s.hub.cfg.Now(), data: data}
}

// finish ends the stream of a closed session. A filtered reader may not have
// got the last event; it gets its id.
func (s *session) finish() error {
	if b := s.position(nil); len(b) > 0 {
		if err := s.out.write(b); err != nil {
			return err
		}
	}
	return s.over()
}

func (s *session) over() error {
	if err := s.out.flush(); err != nil {
		return err
	}
	return errOver
}
