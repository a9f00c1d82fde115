package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// ListGrants serves GET /v1/sessions/{sid}/grants.
func (s *server) ListGrants(ctx context.Context, req contract.ListGrantsRequestObject) (contract.ListGrantsResponseObject, error) {
	grants, err := s.service.Grants(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return contract.ListGrants200JSONResponse{Body: sessions.Page[sessions.Grant]{Data: listed(grants)}}, nil
}

// RevokeGrants serves DELETE /v1/sessions/{sid}/grants.
func (s *server) RevokeGrants(ctx context.Context, req contract.RevokeGrantsRequestObject) (contract.RevokeGrantsResponseObject, error) {
	if err := s.service.RevokeGrants(ctx, callerOf(ctx), req.Sid, valueOr(req.Params.Id, "")); err != nil {
		return nil, err
	}
	return contract.RevokeGrants204Response{}, nil
}
