package stream

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Types that the stream itself knows. All others are the sessions' business.
const (
	// TypeClosed is the last event of a session; streams end behind it.
	TypeClosed = "session.closed"
	// TypeReset says that the reader's place in the log can't be continued.
	TypeReset = "stream.reset"
	// TypeSnapshot carries the state that the reader goes on from.
	TypeSnapshot = "session.snapshot"
	// TypeError says why the stream ends early.
	TypeError = "stream.error"
)

// Reason says why a stream was reset or ended.
type Reason string

// Reasons of stream.reset.
const (
	// ReasonTrimmed: events behind the cursor are not retained any more.
	ReasonTrimmed Reason = "trimmed"
	// ReasonAhead: the log ends before the cursor.
	ReasonAhead Reason = "ahead"
	// ReasonDiverged: the log holds another history than the reader saw.
	ReasonDiverged Reason = "diverged"
)

// Reasons of stream.error.
const (
	// ReasonGone: the session expired or was removed.
	ReasonGone Reason = "gone"
	// ReasonUnstable: resets follow each other; come back later.
	ReasonUnstable Reason = "unstable"
	// ReasonCorrupt: the log holds an event that can't be sent safely.
	ReasonCorrupt Reason = "corrupt"
)

// ErrBadFrame says that a frame was refused because a client could read it as
// something else than one event.
var ErrBadFrame = errors.New("unsafe event frame")

// heartbeatFrame keeps proxies from closing a silent stream.
var heartbeatFrame = []byte(": heartbeat\n\n")

// frame is an event as readers get it: encoded once, shared, never changed.
type frame struct {
	id   ID
	prev Hash
	typ  string
	data []byte
}

// frameOverhead is about what a frame costs beside its bytes, so that many tiny
// frames count for what they are.
const frameOverhead = 160

func (f *frame) size() int { return len(f.data) + frameOverhead }

// encode makes the frame of an event.
func encode(e Event) (*frame, error) {
	data, err := appendFrame(nil, e.ID(), e.Type, e.JSON)
	if err != nil {
		return nil, fmt.Errorf("encode event %d: %w", e.Seq, err)
	}
	return &frame{id: e.ID(), prev: e.Prev, typ: e.Type, data: data}, nil
}

// encodeAll makes the frames of a page of events.
func encodeAll(events []Event) ([]*frame, error) {
	frames := make([]*frame, len(events))
	for i, e := range events {
		f, err := encode(e)
		if err != nil {
			return nil, err
		}
		frames[i] = f
	}
	return frames, nil
}

// appendFrame appends one SSE frame with an id.
func appendFrame(b []byte, id ID, typ string, data []byte) ([]byte, error) {
	if b == nil {
		b = make([]byte, 0, len(typ)+len(data)+64)
	}
	return appendBody(appendID(b, id), typ, data)
}

// appendBody appends `event` and `data` and ends the frame. A type is letters,
// digits, dots and underscores; data is one line. So nothing that comes in can
// end a line, and with it a field or a frame.
func appendBody(b []byte, typ string, data []byte) ([]byte, error) {
	if !isType(typ) {
		return nil, fmt.Errorf("%w: event type", ErrBadFrame)
	}
	if bytes.ContainsAny(data, "\r\n\x00") {
		return nil, fmt.Errorf("%w: control character in data", ErrBadFrame)
	}
	b = append(b, "event: "...)
	b = append(b, typ...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return append(b, "\n\n"...), nil
}

func appendID(b []byte, id ID) []byte {
	b = append(b, "id: "...)
	b = append(b, id.String()...)
	return append(b, '\n')
}

// appendIDOnly appends a frame that moves the client's cursor and dispatches
// nothing.
func appendIDOnly(b []byte, id ID) []byte { return append(appendID(b, id), '\n') }

// appendRetry appends the hint when to come back.
func appendRetry(b []byte, d time.Duration) []byte {
	b = append(b, "retry: "...)
	b = strconv.AppendInt(b, d.Milliseconds(), 10)
	return append(b, "\n\n"...)
}
