package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// ClaimCalls serves POST /v1/sessions/{sid}/batches/{bid}/claims.
func (s *server) ClaimCalls(ctx context.Context, req contract.ClaimCallsRequestObject) (contract.ClaimCallsResponseObject, error) {
	if (req.Body.CallIds == nil) == (req.Body.Positions == nil) {
		return nil, invalidField("", "must have exactly one of call_ids and positions")
	}
	reply, err := s.service.Claim(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Bid,
		sessions.ClaimRequest{
			HostID: req.Body.HostId, Fence: req.Body.Fence,
			CallIDs: valueOr(req.Body.CallIds, nil), Positions: valueOr(req.Body.Positions, nil),
		})
	if err != nil {
		return nil, err
	}
	return contract.ClaimCalls200JSONResponse{
		Body:    contract.Claims{Claims: listed(reply.Value)},
		Headers: contract.ClaimCalls200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
