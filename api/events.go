package api

import (
	"context"
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
	topic, err := s.logOf(ctx, req.Sid)
	if err != nil {
		return nil, err
	}
	lease, err := s.leaseOf(ctx, req)
	if err != nil {
		return nil, err
	}
	opened, err := s.placing(ctx, func() (stream.Stream, error) {
		return s.hub.Open(ctx, stream.Request{Topic: topic, Cursor: cursor, Filter: filter, Rights: s.sessionRights(ctx, req.Sid)})
	})
	if err != nil {
		return nil, err
	}
	return s.streaming(ctx, lease.keptBy(opened)), nil
}

// logOf is a session's log, if the caller may read it. A log that is followed
// here exists, so those who may see all of a tenant's sessions are not looked
// up: a crowd that comes back to a session costs the store nothing.
func (s *server) logOf(ctx context.Context, sid string) (stream.Topic, error) {
	caller := callerOf(ctx)
	if caller.Narrow == nil {
		if topic, err := s.service.Place(caller, sid); err != nil || s.hub.Follows(topic) {
			return topic, err
		}
	}
	return s.service.Topic(ctx, caller, sid)
}

// filterOf reads the `types` parameter.
func filterOf(types *string) (stream.Filter, error) {
	filter, err := stream.ParseFilter(valueOr(types, ""))
	if err != nil {
		return filter, invalidQuery([]sessions.Field{{Path: "types", Detail: "must be prefixes of event types"}})
	}
	return filter, nil
}

// streaming answers a stream.
func (s *server) streaming(ctx context.Context, opened stream.Stream) streamed {
	return func(w http.ResponseWriter) error {
		if park(ctx, opened) {
			return nil
		}
		if err := opened.Begin(w); err != nil {
			return err
		}
		return stream.Run(ctx, opened)
	}
}
