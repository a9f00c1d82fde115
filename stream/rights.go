package stream

import (
	"bytes"
	"context"
	"fmt"
)

// Rights are what a stream has to know of who reads it. The zero value may read
// everything, for as long as it likes.
type Rights struct {
	// Valid is asked with each heartbeat; when it says no, the stream ends.
	Valid func() bool
	// Sees says whether the reader may know of an event's session; it is asked
	// for each event that the filter passes, and may read the store. After an
	// error the stream is cut off, and its reader comes back with its cursor.
	Sees func(session, event string) (bool, error)
	// Snapshot is the state that a reader of a tenant's stream goes on from, and
	// where the logs ended before it was made; nil: the tenant's.
	Snapshot func(ctx context.Context) (data []byte, includes Vector, err error)
}

func (r Rights) valid() bool { return r.Valid == nil || r.Valid() }

// shows says whether the reader is sent a frame.
func (s *session) shows(f *frame) (bool, error) {
	if !s.filter.Pass(f.typ) {
		return false, nil
	}
	if s.rights.Sees == nil {
		return true, nil
	}
	seen, err := s.rights.Sees(f.session(), f.typ)
	if err != nil {
		return false, fmt.Errorf("look at a session: %w: %w", ErrStarted, err)
	}
	return seen, nil
}

// session is the session that an event is of. Its id stands before anything
// that anybody could have written.
func (f *frame) session() string {
	_, rest, _ := bytes.Cut(f.data, []byte(`"session_id":"`))
	id, _, _ := bytes.Cut(rest, []byte(`"`))
	return string(id)
}
