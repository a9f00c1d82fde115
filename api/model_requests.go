package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// CheckModelRequest serves POST /v1/sessions/{sid}/model-requests.
func (s *server) CheckModelRequest(
	ctx context.Context, req contract.CheckModelRequestRequestObject,
) (contract.CheckModelRequestResponseObject, error) {
	reply, err := s.service.CheckModelRequest(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid,
		sessions.ModelRequest{Format: string(req.Body.Format), BatchID: req.Body.BatchId, Messages: req.Body.Messages})
	if err != nil {
		return nil, err
	}
	return contract.CheckModelRequest200JSONResponse{
		Body:    reply.Value,
		Headers: contract.CheckModelRequest200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
