package api

import (
	"context"

	"github.com/session-gateway/gateway/sessions"
)

// rpcMethod is a use case under its JSON-RPC name, with the rights of the
// operation that it is over HTTP.
type rpcMethod struct {
	operation string
	call      func(ctx context.Context, s *server, idem sessions.Idempotency, p *rpcParams) (any, error)
}

var rpcMethods = map[string]rpcMethod{
	"harness.v1.approvals.list":     {"listApprovals", rpcListApprovals},
	"harness.v1.approvals.resolve":  {"respondApproval", rpcResolveApproval},
	"harness.v1.runtimes.respond":   {"respondApproval", rpcRespond},
	"harness.v1.runtimes.interrupt": {"cancelTurn", rpcInterrupt},
}

func rpcListApprovals(ctx context.Context, s *server, _ sessions.Idempotency, p *rpcParams) (any, error) {
	filter := sessions.ApprovalFilter{
		Status:    valueOr(p.text("status", rpcStatus), ""),
		SessionID: valueOr(p.text("session_id", rpcID128), ""),
		Limit:     p.number("limit", 1, sessions.MaxPage, defaultLimit),
		Cursor:    valueOr(p.text("cursor", rpcCursor), ""),
	}
	if err := p.done(); err != nil {
		return nil, err
	}
	page, err := s.service.Approvals(ctx, callerOf(ctx), filter)
	page.Data = listed(page.Data)
	return page, err
}

func rpcResolveApproval(ctx context.Context, s *server, idem sessions.Idempotency, p *rpcParams) (any, error) {
	aid, answer := p.required("approval_id", rpcID128), p.response()
	if err := p.done(); err != nil {
		return nil, err
	}
	reply, err := s.service.Respond(ctx, callerOf(ctx), idem, aid, answer)
	return reply.Value, err
}

func rpcRespond(ctx context.Context, s *server, idem sessions.Idempotency, p *rpcParams) (any, error) {
	sid, callID, answer := p.required("session_id", rpcID128), p.required("call_id", rpcGivenID), p.response()
	if err := p.done(); err != nil {
		return nil, err
	}
	reply, err := s.service.RespondToCall(ctx, callerOf(ctx), idem, sid, callID, answer)
	return reply.Value, err
}

func rpcInterrupt(ctx context.Context, s *server, idem sessions.Idempotency, p *rpcParams) (any, error) {
	sid := p.required("session_id", rpcID128)
	if err := p.done(); err != nil {
		return nil, err
	}
	reply, err := s.service.Interrupt(ctx, callerOf(ctx), idem, sid)
	return reply.Value, err
}

// response is what a person answers.
func (p *rpcParams) response() sessions.Response {
	return sessions.Response{
		OptionID: p.required("option_id", rpcOption), Feedback: p.text("feedback", rpcFeedback),
		PlanSHA256: p.text("plan_sha256", rpcHash),
	}
}
