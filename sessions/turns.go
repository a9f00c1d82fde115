package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// The bounds of a turn.
const (
	MaxTurnInputBytes = 256 << 10 // a prompt with a few excerpts; files belong to the host
	MaxTurnItems      = 256       // content items of a prompt
	MaxDeltaBytes     = 64 << 10  // of one text; a host sends what the model said since the last
	MaxTurnTextBytes  = 1 << 20   // said in one turn; no model says as much, a host in a loop would
	MaxTurns          = 1000      // of a session; the oldest goes when another one comes
)

// StartTurn opens a turn with a person's prompt: a list of content items, which
// are the host's to understand.
func (s *Service) StartTurn(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, input json.RawMessage) (Reply[Turn], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Turn]{}, err
	}
	if p := checkTurnInput(input); p != nil {
		return Reply[Turn]{}, p
	}
	return run(ctx, s, command[Turn]{
		caller: c, topic: t, idem: idem, status: httpCreated, answer: startedTurn,
		decide: func(ch *change) error {
			if err := s.store.Admit(ctx); err != nil {
				return err
			}
			return ch.startTurn(c.Subject, input)
		},
	})
}

func checkTurnInput(input json.RawMessage) *Problem {
	var wrong fields
	var items []map[string]json.RawMessage
	switch err := json.Unmarshal(input, &items); {
	case len(input) > MaxTurnInputBytes:
		return refuse(CodeTooLarge, "the input is over %d bytes", MaxTurnInputBytes)
	case err != nil:
		wrong.add("/input", "is not a list of objects")
	case len(items) == 0 || len(items) > MaxTurnItems:
		wrong.add("/input", "is not a list of 1 to %d items", MaxTurnItems)
	}
	for i, item := range items {
		if item == nil {
			wrong.add("/input/"+strconv.Itoa(i), "is not an object")
		}
	}
	return wrong.problem()
}

func (c *change) startTurn(by string, input json.RawMessage) error {
	d := c.doc
	number := d.turns + 1
	state, fx, err := scheduler.StartTurn(d.env(c), d.state, scheduler.OpenTurn{
		ID: newTurnID(d.topic.Session, number), Number: number, By: by,
	})
	switch {
	case errors.Is(err, scheduler.ErrTurnOpen):
		return refuse(CodeTurnInProgress, "a turn is in progress").with("turn_id", d.state.Session.Open.ID)
	case errors.Is(err, scheduler.ErrBatchOpen):
		return errBatchOpen(d.openBatch())
	case err != nil:
		return err
	}
	c.input = scheduler.RawJSON(input)
	c.apply(state, fx)
	return nil
}

// startedTurn is a turn as it begins.
func startedTurn(c *change) Turn {
	v := c.doc.openTurnView()
	v.Input, v.Notices = c.input, c.fx.TurnNotices
	if c.doc.reminds() {
		v.Reminder = c.doc.planView().Reminder
	}
	return v
}

// CompleteTurn ends a turn, as its host says. The same again is accepted.
func (s *Service) CompleteTurn(ctx context.Context, c tenants.Caller, idem Idempotency, sid, tid string, end TurnCompletion) (Reply[Turn], error) {
	var wrong fields
	end.check(&wrong)
	if !end.Reason.ByHost() {
		wrong.add("/stop_reason", "is not a reason that a host gives")
	}
	if p := wrong.problem(); p != nil {
		return Reply[Turn]{}, p
	}
	return s.onTurn(ctx, c, idem, sid, tid, turnEnd{
		end: func(ch *change) error {
			if p := ch.doc.admits(end.Speaker); p != nil {
				return p
			}
			state, fx, err := scheduler.EndTurn(ch.doc.env(ch), ch.doc.state, end.Reason)
			if err != nil {
				return errBatchOpen(ch.doc.openBatch())
			}
			ch.apply(state, fx)
			return nil
		},
		ended: func(v Turn) error {
			if *v.StopReason == end.Reason {
				return nil
			}
			return errTurnEnded(v)
		},
	})
}

// CancelTurn aborts the open batch and ends the turn, in one commit. One that
// has ended is answered unchanged.
func (s *Service) CancelTurn(ctx context.Context, c tenants.Caller, idem Idempotency, sid, tid string) (Reply[Turn], error) {
	return s.onTurn(ctx, c, idem, sid, tid, turnEnd{
		end: func(ch *change) error {
			ch.apply(scheduler.CancelTurn(ch.doc.env(ch), ch.doc.state))
			return nil
		},
		ended: func(Turn) error { return nil },
	})
}

// turnEnd is a way to end a turn, and what is said of one that has ended.
type turnEnd struct {
	end   func(*change) error
	ended func(Turn) error
}

func (s *Service) onTurn(ctx context.Context, c tenants.Caller, idem Idempotency, sid, tid string, how turnEnd) (Reply[Turn], error) {
	t, number, err := s.turnPlace(c, sid, tid)
	if err != nil {
		return Reply[Turn]{}, err
	}
	var before Turn // it had ended already
	return run(ctx, s, command[Turn]{
		caller: c, topic: t, idem: idem, status: httpOK, closed: true,
		decide: func(ch *change) error {
			if ch.doc.inTurn(number) {
				return how.end(ch)
			}
			if before, err = s.readTurn(ctx, ch.doc, number); err != nil {
				return err
			}
			if before.Status == turnOpen { // it began elsewhere since: a refusal has it decided again, on what is stored
				return errTurnEnded(before)
			}
			return how.ended(before.summary())
		},
		answer: func(ch *change) Turn {
			if end := ch.fx.TurnEnded; end != nil {
				return ch.doc.endedTurnView(end)
			}
			return before.summary()
		},
	})
}

// inTurn says whether this is the turn that is open.
func (d *document) inTurn(number uint64) bool {
	return d.state.Session.Open != nil && d.state.Session.Open.Number == number
}

// checkTurn refuses a batch of another turn than the open one. A turn that has
// ended takes no more calls, whatever its host has not heard yet; ids that are
// not the gateway's mean nothing to it as long as no turn is open.
func (d *document) checkTurn(id string) *Problem {
	open := d.state.Session.Open
	if id == "" || open != nil && open.ID == id {
		return nil
	}
	p := refuse(CodeTurnMismatch, "the batch is of another turn than the one in progress")
	if open != nil {
		return p.with("turn_id", open.ID)
	}
	if _, ours := turnNumber(d.topic.Session, id); ours {
		return p.with("turn_id", nil)
	}
	return nil
}

func (s *Service) turnPlace(c tenants.Caller, sid, tid string) (stream.Topic, uint64, error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return t, 0, err
	}
	number, ok := turnNumber(sid, tid)
	if !ok {
		return t, 0, errNotFound("turn")
	}
	return t, number, nil
}

// errBatchOpen names the batch that is in the way.
func errBatchOpen(b *scheduler.Batch) *Problem {
	return refuse(CodeBatchInProgress, "a batch is in progress").
		with("batch_id", b.ID).with("calls_sha256", callsHash(b))
}

func errTurnEnded(v Turn) *Problem {
	return refuse(CodeTurnEnded, "the turn has ended").with("turn_id", v.ID).with("stop_reason", v.StopReason)
}
