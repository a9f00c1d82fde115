package api

import (
	"context"
	"strconv"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/tenants"
)

// GetTenantSettings serves GET /v1/admin/tenants/{tenant}/settings.
func (s *server) GetTenantSettings(
	ctx context.Context, req contract.GetTenantSettingsRequestObject,
) (contract.GetTenantSettingsResponseObject, error) {
	set, err := s.admin.Settings(ctx, callerOf(ctx), req.Tenant)
	if err != nil {
		return nil, err
	}
	return contract.GetTenantSettings200JSONResponse{
		Body: set, Headers: contract.GetTenantSettings200ResponseHeaders{ETag: settingsTag(set)},
	}, nil
}

// PutTenantSettings serves PUT /v1/admin/tenants/{tenant}/settings.
func (s *server) PutTenantSettings(
	ctx context.Context, req contract.PutTenantSettingsRequestObject,
) (contract.PutTenantSettingsResponseObject, error) {
	revision, err := expectedRevision(req.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	set, err := s.admin.PutSettings(ctx, callerOf(ctx), req.Tenant, *req.Body, revision)
	if err != nil {
		return nil, err
	}
	return contract.PutTenantSettings200JSONResponse{
		Body: set, Headers: contract.PutTenantSettings200ResponseHeaders{ETag: settingsTag(set)},
	}, nil
}

func settingsTag(set tenants.Settings) string {
	return `"` + strconv.FormatUint(set.Revision, 10) + `"`
}
