package api

import (
	"context"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

// openTenant serves GET /v1/events.
func (s *server) openTenant(ctx context.Context, asked askedStream) (stream.Stream, error) {
	cursor, err := stream.ParseTenantCursor(asked.cursor)
	if err != nil {
		return nil, refusal(sessions.CodeBadCursor, "The cursor must be the id of a frame of this stream, or latest.")
	}
	filter, err := filterOf(asked.types)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	return s.placing(ctx, func() (stream.Stream, error) {
		return s.hub.OpenTenant(ctx, stream.TenantRequest{
			Tenant: caller.Tenant, Buckets: s.service.TenantLogs(caller), Cursor: cursor, Filter: filter,
			Rights: s.tenantRights(ctx),
		})
	})
}
