package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/client"
)

// The causes for which something is ended.
var (
	errStopped  = errors.New("the host was stopped")
	errTurnOver = errors.New("the turn has ended")
	errCallOver = errors.New("the gateway ended the call")
)

// state is what of a session a host starts from, at its own start and after
// events were missed.
type state struct {
	turn  *string
	batch *client.Batch
	tools int
}

// adoptSession brings the host in line with a session as it was read.
func (f *follower) adoptSession(ctx context.Context, s client.SessionDocument) error {
	seq, _, _ := strings.Cut(s.LastEventID, "-")
	asOf, err := strconv.Atoi(seq)
	if err != nil {
		return fmt.Errorf("read the session's last event: %w", err)
	}
	f.asOf = asOf
	from := state{turn: s.OpenTurnID, tools: s.ToolsRevision}
	if s.OpenBatchID != nil {
		b, err := f.Client.Batch(ctx, s.ID, *s.OpenBatchID)
		if err != nil {
			return fmt.Errorf("read the open batch: %w", err)
		}
		from.batch = &b
	}
	return f.adopt(ctx, from)
}

// adopt brings the host in line with a state.
func (f *follower) adopt(ctx context.Context, s state) error {
	f.registry.Store(int64(s.tools))
	f.adoptCalls(ctx, s.batch)
	if s.turn == nil {
		f.endTurn(errTurnOver)
		return nil
	}
	if f.turn != nil && f.turn.id == *s.turn {
		return nil
	}
	f.endTurn(errTurnOver)
	begun, err := f.begun(ctx, *s.turn)
	if err != nil {
		return err
	}
	if begun {
		f.Log.Warn("a turn was open when its host was lost; it is brought to an end", slog.String("turn_id", *s.turn))
		f.begin(ctx, *s.turn, (*turn).inherit)
		return nil
	}
	f.begin(ctx, *s.turn, (*turn).run)
	return nil
}

// adoptCalls ends the calls that are none any more and takes those on offer.
func (f *follower) adoptCalls(ctx context.Context, b *client.Batch) {
	open := map[place]bool{}
	if b != nil {
		for _, c := range b.Calls {
			at := place{b.ID, c.Position}
			open[at] = c.State != client.CallStateDone
			if c.State == client.CallStateDispatched {
				f.offer(ctx, at)
			}
		}
	}
	f.calls.keep(open)
}

// begun says whether another process has worked on a turn. One that nobody did
// can be run from its start.
func (f *follower) begun(ctx context.Context, tid string) (bool, error) {
	t, err := f.Client.Turn(ctx, f.Session, tid)
	if err != nil {
		return false, fmt.Errorf("read the open turn: %w", err)
	}
	if t.TextBytes > 0 {
		return true, nil
	}
	for b, err := range f.Client.Batches(ctx, f.Session) {
		if err != nil {
			return false, fmt.Errorf("read the newest batch: %w", err)
		}
		return b.TurnID != nil && *b.TurnID == tid, nil
	}
	return false, nil
}

// begin lets a turn run beside the events.
func (f *follower) begin(ctx context.Context, tid string, work func(*turn, context.Context) error) {
	own, cancel := context.WithCancelCause(ctx)
	r := &running{id: tid, cancel: cancel, done: make(chan struct{})}
	f.turn = r
	f.group.Go(func() error {
		defer close(r.done)
		defer cancel(nil)
		return (&turn{Host: f.Host, id: tid, life: ctx}).serve(own, work)
	})
}

// endTurn ends the turn at work, if there is one, and waits for it.
func (f *follower) endTurn(why error) {
	if f.turn == nil {
		return
	}
	f.turn.cancel(why)
	<-f.turn.done
	f.turn = nil
}

// offer lets a call be claimed and run beside the events.
func (f *follower) offer(ctx context.Context, at place) {
	own, r := f.calls.take(ctx, at)
	if r == nil {
		return
	}
	f.group.Go(func() error {
		defer f.calls.forget(at, r)
		return f.calls.serve(own, at)
	})
}
