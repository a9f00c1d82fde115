package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// ListApprovals serves GET /v1/approvals.
func (s *server) ListApprovals(ctx context.Context, req contract.ListApprovalsRequestObject) (contract.ListApprovalsResponseObject, error) {
	page, err := s.service.Approvals(ctx, callerOf(ctx), sessions.ApprovalFilter{
		Status:    string(valueOr(req.Params.Status, "")),
		SessionID: valueOr(req.Params.SessionId, ""),
		Limit:     valueOr(req.Params.Limit, defaultLimit),
		Cursor:    valueOr(req.Params.Cursor, ""),
	})
	if err != nil {
		return nil, err
	}
	page.Data = listed(page.Data)
	return contract.ListApprovals200JSONResponse{Body: page}, nil
}

// GetApproval serves GET /v1/approvals/{aid}.
func (s *server) GetApproval(ctx context.Context, req contract.GetApprovalRequestObject) (contract.GetApprovalResponseObject, error) {
	approval, err := s.service.Approval(ctx, callerOf(ctx), req.Aid)
	if err != nil {
		return nil, err
	}
	return contract.GetApproval200JSONResponse{Body: approval}, nil
}

// RespondApproval serves POST /v1/approvals/{aid}/respond.
func (s *server) RespondApproval(ctx context.Context, req contract.RespondApprovalRequestObject) (contract.RespondApprovalResponseObject, error) {
	reply, err := s.service.Respond(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Aid,
		sessions.Response{
			OptionID: string(req.Body.OptionId), Feedback: req.Body.Feedback, PlanSHA256: req.Body.PlanSha256,
		})
	if err != nil {
		return nil, err
	}
	return contract.RespondApproval200JSONResponse{
		Body:    reply.Value,
		Headers: contract.RespondApproval200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
