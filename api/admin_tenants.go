package api

import (
	"context"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/tenants/admin"
)

// ListTenants serves GET /v1/admin/tenants.
func (s *server) ListTenants(ctx context.Context, req contract.ListTenantsRequestObject) (contract.ListTenantsResponseObject, error) {
	page, err := s.admin.Tenants(ctx, callerOf(ctx), valueOr(req.Params.Limit, defaultLimit), valueOr(req.Params.Cursor, ""))
	if err != nil {
		return nil, err
	}
	return contract.ListTenants200JSONResponse{Body: page}, nil
}

// CreateTenant serves POST /v1/admin/tenants.
func (s *server) CreateTenant(ctx context.Context, req contract.CreateTenantRequestObject) (contract.CreateTenantResponseObject, error) {
	reply, err := s.admin.CreateTenant(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), *req.Body)
	if err != nil {
		return nil, err
	}
	return contract.CreateTenant201JSONResponse{
		Body:    reply.Value,
		Headers: contract.CreateTenant201ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// GetTenant serves GET /v1/admin/tenants/{tenant}.
func (s *server) GetTenant(ctx context.Context, req contract.GetTenantRequestObject) (contract.GetTenantResponseObject, error) {
	t, err := s.admin.Tenant(ctx, callerOf(ctx), req.Tenant)
	if err != nil {
		return nil, err
	}
	return contract.GetTenant200JSONResponse{Body: t}, nil
}

// DeleteTenant serves DELETE /v1/admin/tenants/{tenant}.
func (s *server) DeleteTenant(ctx context.Context, req contract.DeleteTenantRequestObject) (contract.DeleteTenantResponseObject, error) {
	t, err := s.admin.DeleteTenant(ctx, callerOf(ctx), req.Tenant)
	if err != nil {
		return nil, err
	}
	return contract.DeleteTenant202JSONResponse{Body: t}, nil
}

// VisitExportTenantResponse writes the export.
func (v streamed) VisitExportTenantResponse(w http.ResponseWriter) error { return v(w) }

// ExportTenant serves GET /v1/admin/tenants/{tenant}/export.
func (s *server) ExportTenant(ctx context.Context, req contract.ExportTenantRequestObject) (contract.ExportTenantResponseObject, error) {
	return streamed(func(w http.ResponseWriter) error {
		lines := ndjson{w: w}
		return s.admin.Export(ctx, callerOf(ctx), req.Tenant, func(l admin.ExportLine) error { return lines.line(l) })
	}), nil
}
