package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/stream"
)

// errReply says that Redis answered something else than what was asked for.
var errReply = errors.New("malformed reply")

const (
	// shortReply is room for a few events: what a gap in a ring lacks.
	shortReply = 16 << 10
	// usualReply is room for a page of history.
	usualReply = 288 << 10
)

// rawReply collects a reply as Redis sends it, so that a page of events is one
// block of memory that the events lie in, and not a map for each of them.
type rawReply struct{ b []byte }

// Write collects p.
func (r *rawReply) Write(p []byte) (int, error) {
	copy(r.extend(len(p)), p)
	return len(p), nil
}

// ReadFrom collects what the library has found to be the next part.
func (r *rawReply) ReadFrom(from io.Reader) (int64, error) {
	part, ok := from.(*io.LimitedReader)
	if !ok {
		return 0, fmt.Errorf("%w: a part without an end", errReply)
	}
	read, err := io.ReadFull(part, r.extend(int(part.N)))
	return int64(read), err
}

// extend makes the reply longer and gives what it is longer by. Few steps lead
// to the size of a page: each copies what there is.
func (r *rawReply) extend(n int) []byte {
	at := len(r.b)
	if cap(r.b) < at+n {
		r.b = append(make([]byte, 0, max(usualReply, 2*cap(r.b), at+n)), r.b...)
	}
	r.b = r.b[:at+n]
	return r.b[at:]
}

// events are up to n entries behind a sequence number; the hash of what comes
// before the first entry is given. They lie in the reply.
func (r *rawReply) events(prev stream.Hash, after uint64, n int) ([]stream.Event, error) {
	s := scan{b: r.b, types: map[string]string{}}
	entries, err := s.length('*')
	if err != nil {
		return nil, err
	}
	out := make([]stream.Event, 0, min(entries, n))
	for range entries {
		e, err := s.entry(prev)
		if err != nil {
			return nil, err
		}
		prev = e.Hash
		if e.Seq > after && len(out) < n {
			out = append(out, e)
		}
	}
	return out, nil
}

// rawRange is XRANGE into a reply.
func rawRange(ctx context.Context, pipe redis.Pipeliner, into *rawReply, key, from string, n int) {
	into.b = make([]byte, 0, shortReply)
	_ = pipe.Process(ctx, redis.NewRawWriteToCmd(ctx, into, "xrange", key, from, "+", "count", n)) // queued; Exec tells
}

// scan reads RESP where it lies.
type scan struct {
	b     []byte
	types map[string]string // seen before: most events of a page are of few types
}

// length reads the line `<kind><n>`.
func (s *scan) length(kind byte) (int, error) {
	end := bytes.IndexByte(s.b, '\n')
	if end < 2 || s.b[0] != kind {
		return 0, errReply
	}
	n, err := strconv.Atoi(string(s.b[1 : end-1]))
	if err != nil || n < 0 {
		return 0, errReply
	}
	s.b = s.b[end+1:]
	return n, nil
}

// text reads a string; the bytes stay where they are.
func (s *scan) text() ([]byte, error) {
	n, err := s.length('$')
	if err != nil || n > len(s.b)-2 {
		return nil, errReply
	}
	text := s.b[:n:n]
	s.b = s.b[n+2:]
	return text, nil
}

// entry reads a stream entry; its predecessor's hash is given.
func (s *scan) entry(prev stream.Hash) (stream.Event, error) {
	e := stream.Event{Prev: prev}
	if n, err := s.length('*'); err != nil || n != 2 {
		return e, errReply
	}
	id, err := s.text()
	if err != nil {
		return e, err
	}
	digits, _, _ := bytes.Cut(id, []byte("-"))
	if e.Seq, err = strconv.ParseUint(string(digits), 10, 64); err != nil {
		return e, fmt.Errorf("%w: entry %q", errReply, id)
	}
	fields, err := s.length('*')
	if err != nil {
		return e, err
	}
	for range fields / 2 {
		if err := s.field(&e); err != nil {
			return e, fmt.Errorf("entry %d: %w", e.Seq, err)
		}
	}
	if e.Type == "" || e.JSON == nil || e.Hash == (stream.Hash{}) {
		return e, fmt.Errorf("%w: entry %d lacks fields", errReply, e.Seq)
	}
	return e, nil
}

func (s *scan) field(e *stream.Event) error {
	name, err := s.text()
	if err != nil {
		return err
	}
	value, err := s.text()
	if err != nil {
		return err
	}
	switch string(name) {
	case "t":
		e.Type = s.typeOf(value)
	case "h":
		if len(value) != idLen {
			return fmt.Errorf("%w: hash", errReply)
		}
		copy(e.Hash[:], value)
	case "j":
		e.JSON = value
	}
	return nil
}

func (s *scan) typeOf(b []byte) string {
	if t, ok := s.types[string(b)]; ok {
		return t
	}
	t := string(b)
	s.types[t] = t
	return t
}
