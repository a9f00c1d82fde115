package sessions

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// MaxFeedbackBytes is how long a person's feedback may be.
const MaxFeedbackBytes = 16 << 10

// Approval is one approval.
func (s *Service) Approval(ctx context.Context, c tenants.Caller, aid string) (Approval, error) {
	at, k, err := s.readApproval(ctx, c, aid)
	if err != nil {
		return Approval{}, err
	}
	return at.doc.approvalView(at.batch, k), nil
}

func (s *Service) readApproval(ctx context.Context, c tenants.Caller, aid string) (batchAt, int, error) {
	place, ok := placeOf(aid)
	if !ok {
		return batchAt{}, 0, errNotFound("approval")
	}
	d, err := s.readable(ctx, c, place.session)
	if isNotFound(err) {
		return batchAt{}, 0, errNotFound("approval")
	}
	if err != nil {
		return batchAt{}, 0, err
	}
	at, err := s.find(ctx, d, place.batch)
	if isNotFound(err) || err == nil && place.number > len(at.batch.Approvals) {
		return batchAt{}, 0, errNotFound("approval")
	}
	return at, place.number - 1, err
}

// Approvals is the tenant's inbox, oldest first.
func (s *Service) Approvals(ctx context.Context, c tenants.Caller, f ApprovalFilter) (Page[Approval], error) {
	in := listing{name: listOfApprovals, cursor: f.Cursor, List: store.List{Tenant: c.Tenant, Limit: pageSize(f.Limit)}}
	in.Buckets = s.bucketsOf(c)
	if f.SessionID != "" {
		t, err := s.topic(c, f.SessionID)
		if err != nil {
			return Page[Approval]{Data: []Approval{}}, nil //nolint:nilerr // a filter that names nothing finds nothing
		}
		in.Buckets = []uint16{t.Bucket}
	}
	return collect(in, func(in store.List) (store.Page, error) {
		return s.store.Approvals(ctx, in, f.Status == string(scheduler.ApprovalPending))
	}, func(item store.Item) (Approval, bool, error) {
		return s.listedApproval(ctx, c, item.ID, f)
	})
}

func (s *Service) listedApproval(ctx context.Context, c tenants.Caller, aid string, f ApprovalFilter) (Approval, bool, error) {
	if f.SessionID != "" && !strings.HasPrefix(aid, "apr_"+sessionBody(f.SessionID)+"_") {
		return Approval{}, false, nil
	}
	v, err := s.Approval(ctx, c, aid)
	if isNotFound(err) {
		return Approval{}, false, nil
	}
	return v, f.Status == "" || f.Status == v.Status, err
}

// Respond answers an approval. The first answer wins, where one is enough; who
// comes later is told who won and what they said.
func (s *Service) Respond(ctx context.Context, c tenants.Caller, idem Idempotency, aid string, r Response) (Reply[Approval], error) {
	place, ok := placeOf(aid)
	if !ok {
		return Reply[Approval]{}, errNotFound("approval")
	}
	if p := r.check(); p != nil {
		return Reply[Approval]{}, p
	}
	k := place.number - 1
	cmd := command[Approval]{
		caller: c, idem: idem, status: httpOK, closed: true,
		answer: func(ch *change) Approval { return ch.doc.approvalView(ch.batch, k) },
	}
	reply, err := onBatch(ctx, s, cmd, place.session, newBatchID(place.session, place.batch),
		func(ch *change, state scheduler.State) error {
			if k >= len(state.Batch.Approvals) {
				return errNotFound("approval")
			}
			return ch.respond(c, state, k, r)
		})
	if isNotFound(err) {
		return reply, errNotFound("approval")
	}
	return reply, err
}

func (r Response) check() *Problem {
	var wrong fields
	if r.OptionID == "" {
		wrong.add("/option_id", "is missing")
	}
	if r.Feedback != nil && (len(*r.Feedback) > MaxFeedbackBytes || !utf8.ValidString(*r.Feedback)) {
		wrong.add("/feedback", "is over %d bytes", MaxFeedbackBytes)
	}
	return wrong.problem()
}

func (c *change) respond(caller tenants.Caller, state scheduler.State, k int, r Response) error {
	a := &state.Batch.Approvals[k]
	if a.Status == scheduler.ApprovalPending && a.Kind == scheduler.ApprovalPlanExit &&
		c.doc.spec.Locked && r.OptionID != scheduler.OptionReject && !caller.Is(tenants.RoleAdmin) {
		return refuse(CodeModeLocked, "the approval mode is locked; only an admin lets the session out of plan mode")
	}
	next, fx, err := scheduler.Respond(c.doc.env(c), state, answer(caller, k, r))
	if err != nil {
		return answerProblem(err, c.doc.approvalView(state.Batch, k))
	}
	c.applyTo(next, fx)
	return nil
}

// answerProblem tells the loser who won and what they said.
func answerProblem(err error, a Approval) error {
	var p *Problem
	switch {
	case errors.Is(err, scheduler.ErrExpired):
		p = refuse(CodeApprovalExpired, "the approval expired before it was answered")
	case errors.Is(err, scheduler.ErrStale):
		p = refuse(CodeApprovalStale, "the plan or the mode changed since the question was put")
	case errors.Is(err, scheduler.ErrResolved):
		p = refuse(CodeApprovalAlreadyResolved, "the approval was %s already", a.Status).
			with("resolved_by", a.ResolvedBy).with("option_id", a.OptionID).with("resolved_at", a.ResolvedAt)
	case errors.Is(err, scheduler.ErrVoted):
		p = refuse(CodeAlreadyVoted, "you have answered already; %d of %d approve", len(a.Votes), a.Required)
	case errors.Is(err, scheduler.ErrNotApprover), errors.Is(err, scheduler.ErrOwnHost), errors.Is(err, scheduler.ErrNobody):
		p = refuse(CodeNotApprover, "%s", err)
	default:
		var wrong fields
		wrong.add("/option_id", "is not an option of this approval")
		return wrong.problem()
	}
	return p.with("approval_id", a.ID).with("approval_status", a.Status)
}
