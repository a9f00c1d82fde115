package detached

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"time"
)

// maxChatter is how much a client may send while it is being answered: a
// request too many, but not a stream that keeps a processor busy.
const maxChatter = 16 << 10

// Response is the answer to one request: chunked, the last on its connection.
// It belongs to the goroutine that answers.
type Response struct {
	conn    net.Conn
	header  http.Header // nil once it is written
	head    []byte      // the header as it is sent, until it is
	pending *pending    // nil when nothing waits for a flush
	scrap   [64]byte    // what the client sends meanwhile; awaitLeave's
}

var _ http.ResponseWriter = (*Response)(nil)

// Header is the response's header. It is empty once it is written.
func (r *Response) Header() http.Header {
	if r.header == nil {
		return http.Header{}
	}
	return r.header
}

// WriteHeader writes the header; what is written of it later is lost. It is
// sent with the first flush.
func (r *Response) WriteHeader(status int) {
	h := r.header
	if h == nil {
		return
	}
	r.header = nil
	h.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	h.Set("Connection", "close")
	h.Set("Transfer-Encoding", "chunked")
	h.Del("Content-Length")
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = h.Write(&b) // a buffer takes everything
	b.WriteString("\r\n")
	r.head = b.Bytes()
}

// Write collects a copy of p.
func (r *Response) Write(p []byte) (int, error) {
	if err := r.WriteShared(bytes.Clone(p)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteShared collects p itself, which must never change. When there is much,
// all of it is sent.
func (r *Response) WriteShared(p []byte) error {
	r.WriteHeader(http.StatusOK)
	if len(p) == 0 {
		return nil // an empty chunk would end the response
	}
	if r.pending == nil {
		r.pending = newPending()
	}
	r.pending.add(p)
	if r.pending.full() {
		return r.FlushError()
	}
	return nil
}

// FlushError sends what was collected.
func (r *Response) FlushError() error {
	r.WriteHeader(http.StatusOK)
	if r.pending == nil {
		if len(r.head) == 0 {
			return nil
		}
		r.pending = newPending()
	}
	p, head := r.pending, r.head
	r.pending, r.head = nil, nil
	defer p.release()
	return p.send(r.conn, head)
}

// SetWriteDeadline bounds the flushes that follow.
func (r *Response) SetWriteDeadline(at time.Time) error { return r.conn.SetWriteDeadline(at) }

// lastChunk ends a response that is whole.
const lastChunk = "0\r\n\r\n"

// finish ends the response.
func (r *Response) finish() error {
	if err := r.FlushError(); err != nil {
		return err
	}
	_, err := r.conn.Write([]byte(lastChunk))
	return err
}

// awaitLeave returns when the client has left, or should.
func (r *Response) awaitLeave() {
	for got := 0; got < maxChatter; {
		n, err := r.conn.Read(r.scrap[:])
		if err != nil {
			return
		}
		got += n
	}
}
