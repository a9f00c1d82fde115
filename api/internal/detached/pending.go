package detached

import (
	"net"
	"strconv"
	"sync"
)

const (
	// maxPendingBytes and maxPendingParts bound what one flush sends, and with
	// it what a client that does not read keeps alive.
	maxPendingBytes = 64 << 10
	maxPendingParts = 64
	// smallFlush is how much is copied to be sent as one piece: for an event or
	// two that takes less than the system needs to look at the pieces.
	smallFlush = 4 << 10
	// maxKept is the most room that is kept for the next flush.
	maxKept = 2 * maxPendingBytes
)

// crlf ends a chunk.
var crlf = []byte("\r\n")

// pending is one chunk of a response that is not sent yet.
type pending struct {
	parts   net.Buffers // the first is the chunk's size, and what goes before it
	sending net.Buffers // parts, while they are sent
	line    []byte      // the bytes of the first part, or of all
	size    int
}

// chunks are as many as are being written; silent responses hold none.
var chunks = sync.Pool{New: func() any { return new(pending) }}

func newPending() *pending {
	p := chunks.Get().(*pending)
	p.parts = append(p.parts[:0], nil)
	return p
}

func (p *pending) release() {
	clear(p.parts[:cap(p.parts)])
	p.sending, p.size = nil, 0
	if cap(p.line) > maxKept {
		p.line = nil
	}
	chunks.Put(p)
}

func (p *pending) add(b []byte) {
	p.parts = append(p.parts, b)
	p.size += len(b)
}

func (p *pending) full() bool {
	return p.size >= maxPendingBytes || len(p.parts) > maxPendingParts
}

// send writes the chunk behind what goes before it.
func (p *pending) send(conn net.Conn, head []byte) error {
	p.line = append(p.line[:0], head...)
	if p.size > 0 {
		p.line = strconv.AppendInt(p.line, int64(p.size), 16)
		p.line = append(p.line, crlf...)
		p.parts = append(p.parts, crlf)
	}
	p.parts[0] = p.line
	return p.write(conn)
}

// write sends the parts in one call. They are put together first where there is
// little of them, and where the system doesn't see them as they are, as under
// TLS: each call is a record there.
func (p *pending) write(conn net.Conn) error {
	if _, ok := conn.(*net.TCPConn); ok && p.size > smallFlush {
		p.sending = p.parts
		_, err := p.sending.WriteTo(conn)
		return err
	}
	for _, part := range p.parts[1:] {
		p.line = append(p.line, part...)
	}
	_, err := conn.Write(p.line)
	return err
}
