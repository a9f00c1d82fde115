package sessions

import (
	"context"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// Interruption is what an interrupt stopped; both ids are nil when there was
// nothing to stop.
type Interruption struct {
	SessionID string  `json:"session_id"`
	TurnID    *string `json:"turn_id"`
	BatchID   *string `json:"batch_id"`
}

// Interrupt stops what a session's host is at: the open turn with its batch, or
// a batch that has no turn. A session at rest stays as it is.
func (s *Service) Interrupt(ctx context.Context, c tenants.Caller, idem Idempotency, sid string) (Reply[Interruption], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Interruption]{}, err
	}
	return run(ctx, s, command[Interruption]{
		caller: c, topic: t, idem: idem, status: httpOK,
		decide: func(ch *change) error {
			ch.apply(scheduler.CancelTurn(ch.doc.env(ch), ch.doc.state))
			return nil
		},
		answer: func(ch *change) Interruption { return ch.interruption() },
	})
}

func (c *change) interruption() Interruption {
	v := Interruption{SessionID: c.doc.topic.Session}
	if end := c.fx.TurnEnded; end != nil {
		v.TurnID = &end.ID
	}
	if c.fx.Completed {
		v.BatchID = &c.batch.ID
	}
	return v
}

// RespondToCall answers the open question about a call of the session's open
// batch, or of its last one: then whoever comes late is told who won.
func (s *Service) RespondToCall(ctx context.Context, c tenants.Caller, idem Idempotency, sid, callID string, r Response) (Reply[Approval], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Approval]{}, err
	}
	stored, err := replay(ctx, s, &command[Approval]{caller: c, topic: t, idem: idem})
	if stored != nil || err != nil { // by now the session may be at another call
		return deref(stored), err
	}
	d, err := s.visible(ctx, c, t)
	if err != nil {
		return Reply[Approval]{}, err
	}
	if d.batches == 0 {
		return Reply[Approval]{}, errNotFound("approval")
	}
	at, err := s.find(ctx, d, d.batches)
	if err != nil {
		return Reply[Approval]{}, err
	}
	k := approvalOf(at.batch, callID)
	if k < 0 {
		return Reply[Approval]{}, errNotFound("approval")
	}
	return s.Respond(ctx, c, idem, newApprovalID(sid, at.batch.Number, k+1), r)
}

// approvalOf is the open question about a call with an id, else the latest; -1
// when there was none.
func approvalOf(b *scheduler.Batch, callID string) int {
	latest := -1
	for k := range b.Approvals {
		a := &b.Approvals[k]
		if b.Calls[a.Position].ID != callID {
			continue
		}
		latest = k
		if a.Status == scheduler.ApprovalPending {
			break
		}
	}
	return latest
}
