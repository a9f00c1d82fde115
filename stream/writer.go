package stream

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"
)

var (
	// ErrStarted says that an error came after the response had begun: it can
	// be logged but not answered.
	ErrStarted = errors.New("stream had started")
	// ErrSlow says that a reader was cut off because it did not take what it
	// was sent in time.
	ErrSlow = errors.New("reader too slow")
	// ErrNotStreamable says that the response writer can't flush or has no
	// write deadlines. Wrappers must implement Unwrap.
	ErrNotStreamable = errors.New("response writer can't stream")
)

// writer sends frames in drains: one deadline when the first byte of a drain is
// written, one flush at its end.
type writer struct {
	w     http.ResponseWriter
	rc    *http.ResponseController
	limit time.Duration
	armed bool
}

// begin sends the head of the response.
func (o *writer) begin() error {
	if err := o.arm(); err != nil {
		return fmt.Errorf("%w: %w", ErrNotStreamable, err)
	}
	head := o.w.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("Cache-Control", "no-store, no-transform")
	head.Set("X-Accel-Buffering", "no") // nginx would hold events back
	o.w.WriteHeader(http.StatusOK)
	return nil
}

func (o *writer) arm() error {
	if o.armed {
		return nil
	}
	o.armed = true
	return o.rc.SetWriteDeadline(time.Now().Add(o.limit))
}

func (o *writer) write(p []byte) error {
	if err := o.arm(); err != nil {
		return broken(err)
	}
	_, err := o.w.Write(p)
	return broken(err)
}

// writeAll writes what is not empty.
func (o *writer) writeAll(parts ...[]byte) error {
	for _, p := range parts {
		if len(p) == 0 {
			continue
		}
		if err := o.write(p); err != nil {
			return err
		}
	}
	return nil
}

// flush ends a drain. The deadline is taken back: over HTTP/2 it would end the
// stream even if nothing is being written, over HTTP/1.1 it would hit the next
// response on the connection.
func (o *writer) flush() error {
	if !o.armed {
		return nil
	}
	o.armed = false
	if err := o.rc.Flush(); err != nil {
		return broken(err)
	}
	return broken(o.rc.SetWriteDeadline(time.Time{}))
}

// broken classifies an error of the connection.
func broken(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("write stream: %w: %w: %w", ErrStarted, ErrSlow, err)
	}
	return fmt.Errorf("write stream: %w: %w", ErrStarted, err)
}
