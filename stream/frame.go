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
	// TypeSnapshot carries the state that a session's reader goes on from.
	TypeSnapshot = "session.snapshot"
	// TypeTenantSnapshot is the same for a tenant's reader.
	TypeTenantSnapshot = "tenant.snapshot"
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
	last bool  // no event follows it in its log
	at   int64 // when it was committed, in Unix ms; 0 where it was not followed live
}

// frameOverhead is about what a frame costs beside its bytes, so that many tiny
// frames count for what they are.
const frameOverhead = 160

// before is the place that the frame follows.
func (f *frame) before() ID { return ID{Seq: f.id.Seq - 1, Hash: f.prev} }

func (f *frame) size() int { return len(f.data) + frameOverhead }

// frameRoom is what a frame takes beside its type and JSON: its id, the names
// of the fields, and the ends of their lines.
const frameRoom = 64

// encode makes the frame of a log's event at the end of block, which has room
// for it. One of a tenant's log has no id yet: that depends on where its reader
// stands in the tenant's other logs.
func encode(t Topic, e Event, block []byte) (*frame, []byte, error) {
	at := len(block)
	if !t.tenantWide() {
		block = appendID(block, e.ID().String())
	}
	block, err := appendBody(block, e.Type, e.JSON)
	if err != nil {
		return nil, nil, fmt.Errorf("encode event %d: %w", e.Seq, err)
	}
	last := e.Type == TypeClosed && !t.tenantWide()
	return &frame{id: e.ID(), prev: e.Prev, typ: e.Type, data: block[at:len(block):len(block)], last: last}, block, nil
}

// encodeAll makes the frames of a page of events, in one block of memory: they
// come together, and a ring lets go of them one after the other.
func encodeAll(t Topic, events []Event) ([]*frame, error) {
	size := 0
	for _, e := range events {
		size += len(e.Type) + len(e.JSON) + frameRoom
	}
	block := make([]byte, 0, size)
	frames := make([]*frame, len(events))
	for i, e := range events {
		var err error
		if frames[i], block, err = encode(t, e, block); err != nil {
			return nil, err
		}
	}
	return frames, nil
}

// appendBody appends `event` and `data` and ends the frame. A type is letters,
// digits, dots and underscores; data is one line. So nothing that comes in can
// end a line, and with it a field or a frame.
func appendBody(b []byte, typ string, data []byte) ([]byte, error) {
	if !isType(typ) {
		return nil, fmt.Errorf("%w: event type", ErrBadFrame)
	}
	if !isLine(data) {
		return nil, fmt.Errorf("%w: control character in data", ErrBadFrame)
	}
	b = append(b, "event: "...)
	b = append(b, typ...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return append(b, "\n\n"...), nil
}

// isLine says that nothing in b ends a line. Three searches for a byte are
// several times faster than one for any of three.
func isLine(b []byte) bool {
	return bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\r') < 0 && bytes.IndexByte(b, 0) < 0
}

func appendID(b []byte, id string) []byte {
	b = append(b, "id: "...)
	b = append(b, id...)
	return append(b, '\n')
}

// appendIDOnly appends a frame that moves the client's cursor and dispatches
// nothing.
func appendIDOnly(b []byte, id string) []byte { return append(appendID(b, id), '\n') }

// appendRetry appends the hint when to come back.
func appendRetry(b []byte, d time.Duration) []byte {
	b = append(b, "retry: "...)
	b = strconv.AppendInt(b, d.Milliseconds(), 10)
	return append(b, "\n\n"...)
}
