package host

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/client"
)

// heard are the events that a host acts on, by prefix.
var heard = []string{"session.", "turn.", "call.", "batch.completed", "host."}

// follower hears the session's events and acts on them. It is used by one
// goroutine, which owns the turn: it starts it and waits for it.
type follower struct {
	*Host
	group *errgroup.Group
	turn  *running // nil: none is open
	asOf  int      // the newest event that a session that was read has in it
}

// running is a turn at work.
type running struct {
	id     string
	cancel context.CancelCauseFunc
	done   chan struct{}
}

// follow goes on from the state that a session document tells.
func (f *follower) follow(ctx context.Context, s client.SessionDocument) error {
	defer f.endTurn(errStopped)
	if err := f.adoptSession(ctx, s); err != nil {
		return err
	}
	for e, err := range f.Client.Events(ctx, f.Session, client.StreamOptions{After: s.LastEventID, Types: heard}) {
		if err != nil {
			return fmt.Errorf("follow the session: %w", err)
		}
		if err := f.hear(ctx, e); err != nil {
			return fmt.Errorf("hear %s: %w", e.Type, err)
		}
	}
	return nil
}

// hear acts on one event.
func (f *follower) hear(ctx context.Context, e client.StreamEvent) error {
	if e.Type == client.EventReset {
		f.Log.Warn("events were missed; a snapshot follows", slog.String("reset", string(e.Data)))
		return nil
	}
	event, err := e.Event()
	if err != nil {
		return err
	}
	act, ok := acts[event.Type]
	if !ok || event.Seq != nil && *event.Seq <= f.asOf {
		return nil
	}
	return act(f, ctx, event)
}

// acts are what a host does on hearing an event of a type. All others are for
// people.
var acts = map[client.EventType]func(*follower, context.Context, client.Event) error{
	client.EventTypeSessionSnapshot: (*follower).onSnapshot,
	client.EventTypeSessionUpdated:  (*follower).onUpdate,
	client.EventTypeTurnStarted:     (*follower).onTurn,
	client.EventTypeTurnCompleted:   (*follower).onTurnEnd,
	client.EventTypeCallDispatched:  (*follower).onOffer,
	client.EventTypeCallCancelled:   (*follower).onCallEnd,
	client.EventTypeCallResult:      (*follower).onCallEnd,
	client.EventTypeBatchCompleted:  (*follower).onBatchEnd,
	client.EventTypeHostAttached:    (*follower).onAttached,
	client.EventTypeHostLost:        (*follower).onLoss,
}

func (f *follower) onSnapshot(ctx context.Context, e client.Event) error {
	s, err := decode[client.Snapshot](e)
	if err != nil {
		return err
	}
	return f.adopt(ctx, state{turn: s.Session.OpenTurnID, batch: s.OpenBatch, tools: s.Session.ToolsRevision})
}

func (f *follower) onUpdate(_ context.Context, e client.Event) error {
	s, err := decode[client.SessionSummary](e)
	f.registry.Store(int64(s.ToolsRevision))
	return err
}

func (f *follower) onTurn(ctx context.Context, e client.Event) error {
	started, err := decode[client.TurnStarted](e)
	if err != nil {
		return err
	}
	f.endTurn(errTurnOver)
	f.begin(ctx, started.Turn.ID, (*turn).run)
	return nil
}

func (f *follower) onTurnEnd(_ context.Context, e client.Event) error {
	t, err := decode[client.Turn](e)
	if err != nil {
		return err
	}
	if f.turn != nil && f.turn.id == t.ID {
		f.turn.cancel(errTurnOver)
	}
	return nil
}

func (f *follower) onOffer(ctx context.Context, e client.Event) error {
	d, err := decode[client.Dispatched](e)
	if err != nil {
		return err
	}
	f.offer(ctx, place{*e.BatchID, d.Position})
	return nil
}

func (f *follower) onCallEnd(_ context.Context, e client.Event) error {
	c, err := decode[client.Cancelled](e) // a result has the same position
	if err != nil {
		return err
	}
	f.calls.end(place{*e.BatchID, c.Position})
	return nil
}

func (f *follower) onBatchEnd(_ context.Context, e client.Event) error {
	f.calls.endBatch(*e.BatchID)
	return nil
}

// onAttached is about every host. When this one has attached anew, calls that it
// asked for under its older lease were refused and are still on offer. The event
// may be here before the answer that it tells of.
func (f *follower) onAttached(ctx context.Context, e client.Event) error {
	a, err := decode[client.HostAttached](e)
	if err != nil || a.HostID != f.HostID {
		return err
	}
	if f.fence.reach(ctx, a.Fence); a.Fence != f.fence.Load() {
		return nil
	}
	s, err := f.Client.Session(ctx, f.Session)
	if err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	return f.adoptSession(ctx, s)
}

// onLoss is about every host's lease; only this one's matters. The keeper of the
// lease finds out whether another host has it: a lease that this one takes anew
// also replaces its older one.
func (f *follower) onLoss(_ context.Context, e client.Event) error {
	lost, err := decode[client.HostLost](e)
	if err != nil || lost.HostID != f.HostID || lost.Fence != f.fence.Load() {
		return err
	}
	select {
	case f.loss <- struct{}{}:
	default: // the keeper of the lease has been told
	}
	return nil
}

// decode reads what an event tells.
func decode[T any](e client.Event) (T, error) {
	var out T
	if err := json.Unmarshal(e.Data, &out); err != nil {
		return out, fmt.Errorf("decode %s: %w", e.Type, err)
	}
	return out, nil
}
