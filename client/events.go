package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strings"

	"github.com/r3labs/sse/v2"
	"gopkg.in/cenkalti/backoff.v1"
)

// The events that a stream says about itself.
const (
	EventReset         = "stream.reset"     // history can't be continued; a snapshot follows
	EventSnapshot      = "session.snapshot" // the state, as of the event's ID
	EventError         = "stream.error"     // the stream ends, and says why
	eventSessionClosed = "session.closed"
	maxFrameBytes      = 64 << 20 // a plan of 256 KiB, escaped, with room to spare
	serverFault        = http.StatusInternalServerError
)

// StreamEvent is an event of a stream.
type StreamEvent struct {
	ID   string // the cursor behind it; empty for a reset
	Type string
	Data json.RawMessage // the envelope of a log event; a reset's and a snapshot's own document else
}

// Event decodes the envelope of a log event.
func (e StreamEvent) Event() (Event, error) {
	var out Event
	if err := json.Unmarshal(e.Data, &out); err != nil {
		return out, fmt.Errorf("decode event: %w", err)
	}
	return out, nil
}

// StreamOptions say where a stream begins and what of it is wanted.
type StreamOptions struct {
	After string   // a cursor; empty: the oldest retained event; "latest": live only
	Types []string // prefixes of types; none: all
}

// Why a stream ended that nobody closed.
var (
	ErrGone    = errors.New("the session is no more")
	ErrCorrupt = errors.New("the log holds an event that can't be sent")
)

// Events follows a session's events until the session is closed, ctx ends or
// the gateway refuses. It reconnects by itself with the last cursor, at the next
// address where there are several.
func (c *Client) Events(ctx context.Context, sid string, o StreamOptions) iter.Seq2[StreamEvent, error] {
	return func(yield func(StreamEvent, error) bool) {
		s := &streamReader{c: c, path: []string{"v1", "sessions", sid, "events"}, o: o, last: eventSessionClosed, yield: yield}
		if err := s.follow(ctx); err != nil && !s.stopped {
			yield(StreamEvent{}, err)
		}
	}
}

// streamReader is one stream across its connections.
type streamReader struct {
	c       *Client
	path    []string
	o       StreamOptions
	last    string // the type of the event that ends it; empty: none does
	yield   func(StreamEvent, error) bool
	cursor  string
	stopped bool  // the consumer has had enough
	over    bool  // the last event came
	failed  error // the gateway said that there is no going on
	seen    bool  // this connection brought something
}

// ended says that nothing is read any more.
func (s *streamReader) ended() bool { return s.stopped || s.over || s.failed != nil }

// follow connects again and again.
func (s *streamReader) follow(ctx context.Context) error {
	for n := 0; ; n++ {
		s.seen = false
		err := s.connect(ctx)
		switch {
		case s.stopped, s.over:
			return nil
		case s.failed != nil:
			return s.failed
		case ctx.Err() != nil:
			return ctx.Err()
		}
		var p *ProblemError
		if errors.As(err, &p) && !p.Problem.Retryable && p.Status < serverFault {
			return err
		}
		if s.seen {
			n = 0
		}
		s.c.moveOn()
		if err := sleep(ctx, s.c.pause(n)); err != nil {
			return err
		}
	}
}

// connect reads one connection to its end.
func (s *streamReader) connect(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	peer := sse.NewClient(s.url(), sse.ClientMaxBufferSize(maxFrameBytes))
	peer.Connection = s.c.http
	peer.Headers["Authorization"] = "Bearer " + s.c.key
	peer.ReconnectStrategy = &backoff.StopBackOff{} // follow reconnects, after a clean end too
	if s.cursor != "" {
		peer.LastEventID.Store([]byte(s.cursor))
	}
	peer.ResponseValidator = func(_ *sse.Client, resp *http.Response) error {
		if resp.StatusCode == http.StatusOK {
			return nil
		}
		defer resp.Body.Close()
		return readProblem(resp)
	}
	return peer.SubscribeRawWithContext(ctx, func(m *sse.Event) {
		if s.ended() {
			return
		}
		if s.take(m); s.ended() {
			cancel()
		}
	})
}

// take hands one frame to the consumer.
func (s *streamReader) take(m *sse.Event) {
	s.seen = true
	e := StreamEvent{ID: string(m.ID), Type: string(m.Event), Data: json.RawMessage(m.Data)}
	if e.Type == EventReset {
		e.ID = ""
	} else if e.ID != "" {
		s.cursor = e.ID
	}
	if e.Type == "" { // an id alone, so that a filtered stream knows where it stands
		return
	}
	if e.Type == EventError {
		s.failed = failure(e)
	}
	s.over = s.last != "" && (e.Type == s.last || ofClosed(e))
	s.stopped = !s.yield(e, nil)
}

// ofClosed says whether a snapshot is of a closed session: there is nothing
// behind it, and its session.closed is in it.
func ofClosed(e StreamEvent) bool {
	var doc struct {
		Data Snapshot `json:"data"`
	}
	return e.Type == EventSnapshot && json.Unmarshal(e.Data, &doc) == nil && doc.Data.Session.Status == SessionSummaryStatusClosed
}

// failure is what a stream.error says; nil where coming back may help.
func failure(e StreamEvent) error {
	var doc struct {
		Data StreamError `json:"data"`
	}
	if err := json.Unmarshal(e.Data, &doc); err != nil {
		return fmt.Errorf("decode %s: %w", e.Type, err)
	}
	switch doc.Data.Reason {
	case Unstable:
		return nil
	case Corrupt:
		return ErrCorrupt
	default:
		return ErrGone
	}
}

func (s *streamReader) url() string {
	u := s.c.base().JoinPath(s.path...)
	q := url.Values{}
	if s.cursor == "" && s.o.After != "" {
		q.Set("after", s.o.After)
	}
	if len(s.o.Types) > 0 {
		q.Set("types", strings.Join(s.o.Types, ","))
	}
	u.RawQuery = q.Encode()
	return u.String()
}
