package validate

import (
	"context"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// probeTurn prompts the host, and judges what it lets its model do and what it
// says that it tells it.
func (r *run) probeTurn(ctx context.Context) ([]Violation, error) {
	switch {
	case r.Prompt == "":
		return nil, notShown("no turn was wanted")
	case r.person == nil:
		return nil, notShown("no key may prompt: that takes the role frontend")
	}
	before, err := r.key.Session(ctx, r.Session)
	if err != nil {
		return nil, fmt.Errorf("read the session: %w", err)
	}
	r.undo.entered = r.session.ApprovalMode != client.ModePlan
	t, err := open(ctx, func(ctx context.Context) (client.Turn, error) {
		return r.person.StartTurn(ctx, r.Session, client.Text(r.prompt()))
	})
	if client.Is(err, client.CodeTurnInProgress) {
		return nil, ErrBusy
	}
	if err != nil {
		return nil, fmt.Errorf("start a turn: %w", err)
	}
	r.undo.turn = t.ID
	s := r.main()
	if err := s.turnEnds(ctx, t.ID, before.LastEventID); err != nil {
		return s.found, err
	}
	return s.found, s.examineTurn(ctx, t.ID)
}

// turnEnds waits for a turn's end. What its model asks a person is rejected: a
// check has nothing to approve.
func (s *stage) turnEnds(ctx context.Context, tid, after string) error {
	answering, stop := context.WithCancel(ctx)
	answered := make(chan error, 1)
	go func() { answered <- s.rejectAll(answering, after) }()
	err := s.feed.await(ctx, s.TurnPatience, func(h *history) bool { return h.turns[tid] != nil && h.turns[tid].reason != "" })
	stop()
	err = errors.Join(err, <-answered)
	if !errors.Is(err, errPatience) {
		if err == nil {
			s.undo.turn = ""
		}
		return err
	}
	s.found = append(s.found, Violation{
		Code: CodeTurnNotEnded, Party: Host, Session: s.sid, Detail: fmt.Sprintf("turn %s has no end after %v", tid, s.TurnPatience),
	})
	if _, err = s.person.CancelTurn(ctx, s.sid, tid); unless(err, client.CodeTurnEnded) != nil {
		return fmt.Errorf("cancel the turn: %w", err)
	}
	s.undo.turn = ""
	return nil
}

// rejectAll answers what is asked in the session after an event, until ctx ends.
func (s *stage) rejectAll(ctx context.Context, after string) error {
	for e, err := range s.person.Events(ctx, s.sid, client.StreamOptions{After: after, Types: []string{"approval.requested"}}) {
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return fmt.Errorf("follow approvals: %w", err)
		}
		event, err := e.Event()
		if err != nil {
			return err
		}
		if event.Type != client.EventTypeApprovalRequested {
			continue
		}
		a, err := decode[client.Approval](event)
		if err != nil {
			return fmt.Errorf("read an approval: %w", err)
		}
		_, err = s.person.Respond(ctx, a.ID, client.ApprovalResponse{OptionID: client.ApprovalResponseOptionIDReject, Feedback: new("This is a check: do nothing.")})
		if ctx.Err() == nil && unless(err, client.CodeApprovalAlreadyResolved) != nil {
			return fmt.Errorf("reject an approval: %w", err)
		}
	}
	return nil
}

// examineTurn judges the batches of a turn that has ended, and says what could
// not be shown with them.
func (s *stage) examineTurn(ctx context.Context, tid string) error {
	var ids []string
	var reason client.TurnStopReason
	entered, reported := false, false
	s.feed.look(func(h *history) {
		reason = h.turns[tid].reason
		for _, b := range h.order {
			if b.turn == tid {
				ids = append(ids, b.id)
				reported = reported || wasReported(b)
				entered = entered || hasSkipped(b) && wasReported(b)
			}
		}
	})
	for _, bid := range ids {
		b, err := s.key.Batch(ctx, s.sid, bid)
		if err != nil {
			return fmt.Errorf("read a batch of the turn: %w", err)
		}
		if err := s.examine(ctx, b); err != nil {
			return err
		}
	}
	switch {
	case len(ids) == 0:
		return notShown("the model made no calls; the turn ended as %s", reason)
	case !reported:
		return notShown("the host reported no next model request")
	case !entered:
		return notShown("the model did not enter plan mode beside other calls; what it did conforms")
	}
	return nil
}
