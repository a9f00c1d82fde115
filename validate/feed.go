package validate

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// The errors of watching.
var (
	errPatience = errors.New("it did not happen in time")
	errReset    = errors.New("the stream was reset: events were missed")
	errOver     = errors.New("the session was closed")
)

// feed follows a session beside the probes, in two views: its events, and what
// a client of the Agent Client Protocol is told.
type feed struct {
	cancel context.CancelFunc
	views  sync.WaitGroup // its goroutines

	mu      sync.Mutex // guards the three
	history *history
	changed chan struct{} // closed, and made anew, at each event
	err     error         // why it ended
}

// watch follows a session. The view of an editor begins first: what the events
// tell from then on is in both. Whoever calls it stops it.
func watch(ctx context.Context, c *client.Client, sid string, patience time.Duration) (*feed, error) {
	following, cancel := context.WithCancel(ctx)
	f := &feed{cancel: cancel, history: newHistory(sid), changed: make(chan struct{})}
	f.views.Go(func() { f.end(f.show(following, c)) })
	if err := f.await(ctx, patience, func(h *history) bool { return h.caughtUp }); err != nil {
		f.stop()
		return nil, fmt.Errorf("follow %s as an editor: %w", sid, err)
	}
	s, err := c.Session(ctx, sid)
	if err != nil {
		f.stop()
		return nil, fmt.Errorf("read the session: %w", err)
	}
	f.look(func(h *history) { h.begin(s) })
	f.views.Go(func() { f.end(f.follow(following, c, s.LastEventID)) })
	return f, nil
}

// stop ends the feed and waits for it.
func (f *feed) stop() {
	f.cancel()
	f.views.Wait()
}

func (f *feed) follow(ctx context.Context, c *client.Client, after string) error {
	sid := f.history.sid
	for e, err := range c.Events(ctx, sid, client.StreamOptions{After: after}) {
		if err != nil {
			return fmt.Errorf("follow %s: %w", sid, err)
		}
		if e.Type == client.EventReset {
			return errReset
		}
		event, err := e.Event()
		if err != nil {
			return fmt.Errorf("follow %s: %w", sid, err)
		}
		if err := f.take(event); err != nil {
			return fmt.Errorf("follow %s: %w", sid, err)
		}
	}
	return errOver
}

// show follows the second view, on a connection of its own.
func (f *feed) show(ctx context.Context, c *client.Client) error {
	sid := f.history.sid
	for u, err := range acp.Follow(ctx, c, sid, acp.FromNow) {
		if err != nil {
			return fmt.Errorf("follow %s as an editor: %w", sid, err)
		}
		f.look(func(h *history) {
			h.show(u)
			f.wake()
		})
	}
	return errOver
}

func (f *feed) take(e client.Event) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	defer f.wake()
	return f.history.take(e)
}

func (f *feed) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
	f.wake()
}

// wake tells who waits. The caller holds mu.
func (f *feed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// await waits until the history is as wanted.
func (f *feed) await(ctx context.Context, patience time.Duration, wanted func(*history) bool) error {
	late := time.NewTimer(patience)
	defer late.Stop()
	for {
		met, changed, err := f.state(wanted)
		if met || err != nil {
			return err
		}
		select {
		case <-changed:
		case <-late.C:
			return errPatience
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (f *feed) state(wanted func(*history) bool) (met bool, changed chan struct{}, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if wanted(f.history) {
		return true, nil, nil
	}
	return false, f.changed, f.err
}

// look shows the history while nothing is added to it.
func (f *feed) look(see func(*history)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	see(f.history)
}

// seqOf is the number in an event's id; 0 for none.
func seqOf(id string) int {
	text, _, _ := strings.Cut(id, "-")
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}
