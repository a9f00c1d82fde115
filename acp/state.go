package acp

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/session-gateway/gateway/client"
)

// ReadState reads where a session stands, with all that a mapping has missed.
func ReadState(ctx context.Context, c *client.Client, sid string, m *Mapping) (State, error) {
	var s State
	var err error
	if s.Session, err = c.Session(ctx, sid); err != nil {
		return s, fmt.Errorf("read the session: %w", err)
	}
	if s.Approvals, err = pending(ctx, c, sid); err != nil {
		return s, fmt.Errorf("read the approvals: %w", err)
	}
	turn, batch := m.Heard()
	open := s.Session.OpenTurnID
	s.Turns, err = missed(c.Turns(ctx, sid),
		func(t client.Turn) bool { return turn.Missed(t.ID, t.StartedAt) || is(open, t.ID) },
		func(t client.Turn) (client.Turn, error) { return c.Turn(ctx, sid, t.ID) })
	if err != nil {
		return s, fmt.Errorf("read the turns: %w", err)
	}
	running := s.Session.OpenBatchID
	s.Batches, err = missed(c.Batches(ctx, sid),
		func(b client.Batch) bool { return batch.Missed(b.ID, b.CreatedAt) || is(running, b.ID) },
		func(b client.Batch) (client.Batch, error) { return c.Batch(ctx, sid, b.ID) })
	if err != nil {
		return s, fmt.Errorf("read the batches: %w", err)
	}
	return s, nil
}

func is(id *client.Name, other string) bool { return id != nil && *id == other }

func pending(ctx context.Context, c *client.Client, sid string) ([]client.Approval, error) {
	var out []client.Approval
	status := client.ListApprovalsParamsStatusPending
	for a, err := range c.Approvals(ctx, client.ListApprovalsParams{SessionID: &sid, Status: &status}) {
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

// missed reads the whole documents of the newest entries of a list, oldest first.
// The list is newest first; the first entry that was not missed ends it.
func missed[T any](list iter.Seq2[T, error], wanted func(T) bool, whole func(T) (T, error)) ([]T, error) {
	var out []T
	for short, err := range list {
		if err != nil {
			return nil, err
		}
		if !wanted(short) {
			break
		}
		out = append(out, short)
	}
	slices.Reverse(out)
	for i := range out {
		var err error
		if out[i], err = whole(out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
