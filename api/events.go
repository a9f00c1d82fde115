package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

// streamed is an answer that is written while it is made.
type streamed func(w http.ResponseWriter) error

// VisitStreamEventsResponse writes the stream.
func (v streamed) VisitStreamEventsResponse(w http.ResponseWriter) error { return v(w) }

// StreamEvents serves GET /v1/sessions/{sid}/events.
func (s *server) StreamEvents(ctx context.Context, req contract.StreamEventsRequestObject) (contract.StreamEventsResponseObject, error) {
	cursor, err := stream.ParseCursor(valueOr(req.Params.LastEventID, valueOr(req.Params.After, "")))
	if err != nil {
		return nil, err
	}
	filter, err := filterOf(req.Params.Types)
	if err != nil {
		return nil, err
	}
	topic, err := s.service.Topic(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	lease, err := s.leaseOf(ctx, req)
	if err != nil {
		return nil, err
	}
	return s.streamed(ctx, func(w http.ResponseWriter) error {
		return lease.while(ctx, func(ctx context.Context) error {
			return s.hub.Serve(ctx, w, stream.Request{Topic: topic, Cursor: cursor, Filter: filter})
		})
	}), nil
}

// filterOf reads the `types` parameter.
func filterOf(types *string) (stream.Filter, error) {
	filter, err := stream.ParseFilter(valueOr(types, ""))
	if err != nil {
		return filter, invalidQuery([]sessions.Field{{Path: "types", Detail: "must be prefixes of event types"}})
	}
	return filter, nil
}

// streamed answers what serve writes. A stream that was cut off can't be
// answered any more; its reader has a cursor and comes back.
func (s *server) streamed(ctx context.Context, serve streamed) streamed {
	return func(w http.ResponseWriter) error {
		return park(ctx, w, func(w http.ResponseWriter) error {
			err := serve(w)
			if !errors.Is(err, stream.ErrStarted) {
				return err
			}
			s.log.LogAttrs(ctx, slog.LevelDebug, "stream cut off",
				slog.String("request_id", requestOf(ctx).id), slog.Any("error", err))
			return nil
		})
	}
}
