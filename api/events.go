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
	filter, err := stream.ParseFilter(valueOr(req.Params.Types, ""))
	if err != nil {
		return nil, invalidQuery([]sessions.Field{{Path: "types", Detail: "must be prefixes of event types"}})
	}
	topic, err := s.service.Topic(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return streamed(func(w http.ResponseWriter) error {
		err := s.hub.Serve(ctx, w, stream.Request{Topic: topic, Cursor: cursor, Filter: filter})
		if !errors.Is(err, stream.ErrStarted) {
			return err
		}
		s.log.LogAttrs(ctx, slog.LevelDebug, "stream cut off",
			slog.String("request_id", requestOf(ctx).id), slog.Any("error", err))
		return nil // the reader has its cursor and comes back
	}), nil
}
