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
	batch, err := f.openBatch(ctx, s)
	if err != nil {
		return err
	}
	if err := f.adopt(ctx, state{turn: s.OpenTurnID, batch: batch, tools: s.ToolsRevision}); err != nil {
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

func (f *follower) openBatch(ctx context.Context, s client.SessionDocument) (*client.Batch, error) {
	if s.OpenBatchID == nil {
		return nil, nil //nolint:nilnil // that there is none is an answer
	}
	b, err := f.Client.Batch(ctx, s.ID, *s.OpenBatchID)
	if err != nil {
		return nil, fmt.Errorf("read the open batch: %w", err)
	}
	return &b, nil
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
	if !ok {
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

// decode reads what an event tells.
func decode[T any](e client.Event) (T, error) {
	var out T
	if err := json.Unmarshal(e.Data, &out); err != nil {
		return out, fmt.Errorf("decode %s: %w", e.Type, err)
	}
	return out, nil
}
