package acp

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/session-gateway/gateway/client"
)

// Follow is what a client of the protocol is told of a session, until the
// session is closed or ctx ends. Disconnects and resets don't show.
func Follow(ctx context.Context, c *client.Client, sid string, from Begin) iter.Seq2[Update, error] {
	return func(yield func(Update, error) bool) {
		f := &follower{c: c, sid: sid, yield: yield}
		if err := f.run(ctx, from); err != nil && !f.stopped {
			yield(nil, err)
		}
	}
}

// follower feeds a mapping.
type follower struct {
	c       *client.Client
	sid     string
	m       *Mapping
	yield   func(Update, error) bool
	target  int  // the newest event that was there at the beginning
	caught  bool // up with it
	stopped bool // the consumer has had enough
}

func (f *follower) run(ctx context.Context, from Begin) error {
	session, err := f.c.Session(ctx, f.sid)
	if err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	if f.target, err = seqOf(session.LastEventID); err != nil {
		return err
	}
	f.m = NewMapping(session, from)
	after := ""
	if from == FromNow {
		after = session.LastEventID
		if err := f.reconcile(ctx); err != nil || f.stopped {
			return err
		}
	}
	for e, err := range f.c.Events(ctx, f.sid, client.StreamOptions{After: after}) {
		if err != nil {
			return fmt.Errorf("follow the session: %w", err)
		}
		if err := f.hear(ctx, e); err != nil || f.stopped {
			return err
		}
	}
	return nil
}

// hear takes one event and does what the mapping needs before the next.
func (f *follower) hear(ctx context.Context, raw client.StreamEvent) error {
	if raw.Type == client.EventSnapshot {
		return f.reconcile(ctx)
	}
	e, err := raw.Event()
	if err != nil {
		return err
	}
	updates, err := f.m.Apply(e)
	if err != nil {
		return err
	}
	f.tell(updates)
	if err := f.settle(ctx); err != nil {
		return err
	}
	if f.m.Seq() >= f.target {
		f.catchUp()
	}
	return nil
}

// settle reads what the mapping waits for.
func (f *follower) settle(ctx context.Context) error {
	if tid := f.m.Owed(); tid != "" {
		turn, err := persist(ctx, func() (client.Turn, error) { return f.c.Turn(ctx, f.sid, tid) })
		if err != nil {
			return fmt.Errorf("read the turn: %w", err)
		}
		f.tell(f.m.Settle(turn))
	}
	if f.m.ToolsOutdated() {
		session, err := persist(ctx, func() (client.SessionDocument, error) { return f.c.Session(ctx, f.sid) })
		if err != nil {
			return fmt.Errorf("read the tools: %w", err)
		}
		f.m.SetTools(session)
	}
	return nil
}

// reconcile goes on from the state as it is.
func (f *follower) reconcile(ctx context.Context) error {
	state, err := persist(ctx, func() (State, error) { return ReadState(ctx, f.c, f.sid, f.m) })
	if err != nil {
		return err
	}
	updates, err := f.m.Reconcile(state)
	if err != nil {
		return err
	}
	f.tell(updates)
	f.catchUp()
	return nil
}

func (f *follower) catchUp() {
	if !f.caught {
		f.caught = true
		f.tell([]Update{CaughtUp{}})
	}
}

func (f *follower) tell(updates []Update) {
	for _, u := range updates {
		if f.stopped {
			return
		}
		f.stopped = !f.yield(u, nil)
	}
}

// persistPause is between tries, each of which the client has repeated by itself.
const persistPause = time.Second

// persist reads until it is answered or refused for good: an outage must not end
// what is followed, as it doesn't end the stream.
func persist[T any](ctx context.Context, read func() (T, error)) (T, error) {
	for {
		out, err := read()
		p, refused := errors.AsType[*client.ProblemError](err)
		if err == nil || ctx.Err() != nil || refused && !p.Problem.Retryable {
			return out, err
		}
		select {
		case <-ctx.Done():
			return out, ctx.Err()
		case <-time.After(persistPause):
		}
	}
}
