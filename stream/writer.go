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

// SharedWriter is a response writer of a connection that no other response
// follows on. It takes bytes that never change without copying them, and a
// deadline that passes while nothing is written does it no harm.
type SharedWriter interface {
	http.ResponseWriter
	WriteShared(p []byte) error
	FlushError() error
	SetWriteDeadline(at time.Time) error
}

// writer sends frames in drains: one deadline when the first byte of a drain is
// written, one flush at its end.
type writer struct {
	to     SharedWriter
	limit  time.Duration
	lasts  bool      // a deadline needs not be taken back
	armed  bool      // the drain has its deadline
	expiry time.Time // of the deadline that was set last
}

func newWriter(w http.ResponseWriter, limit time.Duration) writer {
	to, lasts := w.(SharedWriter)
	if !lasts {
		to = copying{ResponseWriter: w, rc: http.NewResponseController(w)}
	}
	return writer{to: to, limit: limit, lasts: lasts}
}

// copying makes a SharedWriter of any response writer. It takes the deadline
// back with each flush: over HTTP/2 it would end the stream even if nothing is
// being written, over HTTP/1.1 it would hit the next response on the connection.
type copying struct {
	http.ResponseWriter
	rc *http.ResponseController
}

func (c copying) WriteShared(p []byte) error {
	_, err := c.Write(p)
	return err
}

func (c copying) FlushError() error {
	if err := c.rc.Flush(); err != nil {
		return err
	}
	return c.rc.SetWriteDeadline(time.Time{})
}

func (c copying) SetWriteDeadline(at time.Time) error { return c.rc.SetWriteDeadline(at) }

// begin sends the head of the response.
func (o *writer) begin() error {
	if err := o.arm(); err != nil {
		return fmt.Errorf("%w: %w", ErrNotStreamable, err)
	}
	head := o.to.Header()
	head.Set("Content-Type", "text/event-stream")
	head.Set("Cache-Control", "no-store, no-transform")
	head.Set("X-Accel-Buffering", "no") // nginx would hold events back
	o.to.WriteHeader(http.StatusOK)
	clear(head) // net/http has a copy by now
	return nil
}

// arm gives the drain its deadline. One that lasts is good for several short
// drains: setting it costs as much as writing a small frame does.
func (o *writer) arm() error {
	if o.armed {
		return nil
	}
	o.armed = true
	now := time.Now()
	if o.lasts && o.expiry.Sub(now) > o.limit*3/4 {
		return nil
	}
	o.expiry = now.Add(o.limit)
	return o.to.SetWriteDeadline(o.expiry)
}

// write takes p as it is: it must never change.
func (o *writer) write(p []byte) error {
	if err := o.arm(); err != nil {
		return broken(err)
	}
	return broken(o.to.WriteShared(p))
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

// flush ends a drain.
func (o *writer) flush() error {
	if !o.armed {
		return nil
	}
	o.armed = false
	return broken(o.to.FlushError())
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
