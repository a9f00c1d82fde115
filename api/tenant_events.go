package api

import (
	"context"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

// VisitStreamTenantEventsResponse writes the stream.
func (v streamed) VisitStreamTenantEventsResponse(w http.ResponseWriter) error { return v(w) }

// StreamTenantEvents serves GET /v1/events.
func (s *server) StreamTenantEvents(ctx context.Context, req contract.StreamTenantEventsRequestObject) (contract.StreamTenantEventsResponseObject, error) {
	cursor, err := stream.ParseTenantCursor(valueOr(req.Params.LastEventID, valueOr(req.Params.After, "")))
	if err != nil {
		return nil, refusal(sessions.CodeBadCursor, "The cursor must be the id of a frame of this stream, or latest.")
	}
	filter, err := filterOf(req.Params.Types)
	if err != nil {
		return nil, err
	}
	caller := callerOf(ctx)
	opened, err := s.placing(ctx, func() (stream.Stream, error) {
		return s.hub.OpenTenant(ctx, stream.TenantRequest{
			Tenant: caller.Tenant, Buckets: s.service.TenantLogs(caller), Cursor: cursor, Filter: filter,
			Rights: s.tenantRights(ctx),
		})
	})
	if err != nil {
		return nil, err
	}
	return s.streaming(ctx, opened), nil
}
