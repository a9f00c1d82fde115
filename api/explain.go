package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
)

// ExplainCalls serves POST /v1/sessions/{sid}/explain.
func (s *server) ExplainCalls(ctx context.Context, req contract.ExplainCallsRequestObject) (contract.ExplainCallsResponseObject, error) {
	in, err := s.submission(ctx, req.Sid, req.Body)
	if err != nil {
		return nil, err
	}
	reply, err := s.service.Explain(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, in)
	if err != nil {
		return nil, err
	}
	return contract.ExplainCalls200JSONResponse{
		Body:    reply.Value,
		Headers: contract.ExplainCalls200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
