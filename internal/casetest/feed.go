package casetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
)

// Event is one event of a session.
type Event struct {
	ID      string // empty for stream.reset and stream.error
	Type    string
	BatchID string
	Data    json.RawMessage
	JSON    []byte // the whole, as it came
}

// The types that steer a reader.
const (
	TypeReset    = "stream.reset"
	TypeSnapshot = "session.snapshot"
	TypeError    = "stream.error"
)

// Feed reads one session's stream. It keeps all that came until it is asked
// for, so a slow caller never slows the gateway.
type Feed struct {
	stop context.CancelFunc
	done chan struct{} // closed when the reader has ended

	mu      sync.Mutex // guards the rest
	events  []Event
	given   int   // how many were handed out
	err     error // why the reader ended; io.EOF: the gateway ended the stream
	changed chan struct{}
	chain   Chain
}

// Follow opens the stream of a session behind a place, the zero one being the
// beginning. The caller closes the feed.
func (c *Client) Follow(ctx context.Context, sid string, behind Chain) (*Feed, error) {
	ctx, stop := context.WithCancel(ctx)
	call := Call{Method: http.MethodGet, Path: sessionPath(sid) + "/events"}
	if behind.Seq > 0 {
		call.Header = map[string]string{"Last-Event-ID": behind.ID()}
	}
	res, err := c.open(ctx, call)
	if err != nil {
		stop()
		return nil, err
	}
	f := &Feed{stop: stop, done: make(chan struct{}), changed: make(chan struct{}), chain: behind}
	go f.read(res)
	return f, nil
}

func (c *Client) open(ctx context.Context, call Call) (io.ReadCloser, error) {
	req, err := c.request(ctx, call)
	if err != nil {
		return nil, err
	}
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("open stream: %w", err)
	}
	if res.StatusCode == http.StatusOK {
		return res.Body, nil
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, fmt.Errorf("open stream: %w", err)
	}
	return nil, refusal(call, Answer{Status: res.StatusCode, Body: body})
}

// read takes frames until the stream ends.
func (f *Feed) read(body io.ReadCloser) {
	defer close(f.done)
	frames := newFrameReader(body)
	for {
		got, err := frames.next()
		if err == nil {
			err = f.take(got)
		}
		if err != nil {
			_ = body.Close() // reading it has ended with err
			f.end(err)
			return
		}
	}
}

// take checks a frame and keeps its event. A frame of retry or an id alone
// carries none.
func (f *Feed) take(got frame) error {
	if got.event == "" && got.data == "" {
		return nil
	}
	var envelope struct {
		Type    string          `json:"type"`
		BatchID string          `json:"batch_id"`
		Data    json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal([]byte(got.data), &envelope); err != nil || envelope.Type != got.event {
		return fmt.Errorf("%w: event %q with data %s", ErrFrame, got.event, got.data)
	}
	e := Event{ID: got.id, Type: got.event, BatchID: envelope.BatchID, Data: envelope.Data, JSON: []byte(got.data)}
	return f.keep(e)
}

func (f *Feed) keep(e Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if e.Type != TypeReset && e.Type != TypeSnapshot && e.Type != TypeError {
		next, err := f.chain.Next(e.ID, e.JSON)
		if err != nil {
			return err
		}
		f.chain = next
	}
	f.events = append(f.events, e)
	f.wake()
	return nil
}

func (f *Feed) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err = err
	f.wake()
}

// wake is called with mu held.
func (f *Feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// Next waits for the next event. When the gateway ended the stream, and all
// its events were given, it is io.EOF.
func (f *Feed) Next(ctx context.Context) (Event, error) {
	for {
		e, changed, err := f.try()
		if changed == nil {
			return e, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Event{}, fmt.Errorf("wait for an event after %s: %w", f.Place().ID(), ctx.Err())
		}
	}
}

// try gives the next event or the end; else what to wait for.
func (f *Feed) try() (Event, <-chan struct{}, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.given < len(f.events):
		f.given++
		return f.events[f.given-1], nil, nil
	case f.err != nil:
		return Event{}, nil, f.err
	}
	return Event{}, f.changed, nil
}

// Until waits for events up to the first that a caller is content with, and
// gives all of them.
func (f *Feed) Until(ctx context.Context, last func(Event) bool) ([]Event, error) {
	var all []Event
	for {
		e, err := f.Next(ctx)
		if err != nil {
			return all, err
		}
		all = append(all, e)
		if last(e) {
			return all, nil
		}
	}
}

// Events are all events that have come, given or not.
func (f *Feed) Events() []Event {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.events)
}

// Place is behind the last event that has come.
func (f *Feed) Place() Chain {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.chain
}

// Close leaves the stream and waits until its reader has ended.
func (f *Feed) Close() {
	f.stop()
	<-f.done
}
