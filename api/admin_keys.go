package api

import (
	"context"
	"time"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants/admin"
)

// ListKeys serves GET /v1/admin/tenants/{tenant}/keys.
func (s *server) ListKeys(ctx context.Context, req contract.ListKeysRequestObject) (contract.ListKeysResponseObject, error) {
	keys, err := s.admin.Keys(ctx, callerOf(ctx), req.Tenant)
	if err != nil {
		return nil, err
	}
	return contract.ListKeys200JSONResponse{Body: sessions.Page[admin.Key]{Data: listed(keys)}}, nil
}

// CreateKey serves POST /v1/admin/tenants/{tenant}/keys.
func (s *server) CreateKey(ctx context.Context, req contract.CreateKeyRequestObject) (contract.CreateKeyResponseObject, error) {
	reply, err := s.admin.CreateKey(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Tenant, *req.Body)
	if err != nil {
		return nil, err
	}
	return contract.CreateKey201JSONResponse{
		Body:    reply.Value,
		Headers: contract.CreateKey201ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// RotateKey serves POST /v1/admin/tenants/{tenant}/keys/{kid}/rotate.
func (s *server) RotateKey(ctx context.Context, req contract.RotateKeyRequestObject) (contract.RotateKeyResponseObject, error) {
	overlap := 0
	if req.Body != nil {
		overlap = valueOr(req.Body.OverlapS, 0)
	}
	reply, err := s.admin.RotateKey(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Tenant, req.Kid,
		time.Duration(overlap)*time.Second)
	if err != nil {
		return nil, err
	}
	return contract.RotateKey200JSONResponse{
		Body:    reply.Value,
		Headers: contract.RotateKey200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// RevokeKey serves DELETE /v1/admin/tenants/{tenant}/keys/{kid}.
func (s *server) RevokeKey(ctx context.Context, req contract.RevokeKeyRequestObject) (contract.RevokeKeyResponseObject, error) {
	if err := s.admin.RevokeKey(ctx, callerOf(ctx), req.Tenant, req.Kid); err != nil {
		return nil, err
	}
	return contract.RevokeKey204Response{}, nil
}
