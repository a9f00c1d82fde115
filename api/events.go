package api

import (
	"context"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

// streaming is the handler of streams that open finds from requests. It is
// written by hand: what a request says was held against the contract before, and
// to have it read by generated code costs a crowd that comes back more than to
// find its place.
func (s *server) streaming(open func(ctx context.Context, asked askedStream) (stream.Stream, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked, err := askedOf(r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		opened, err := open(r.Context(), asked)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		requestOf(r.Context()).parked = opened
	}
}

// openSession serves GET /v1/sessions/{sid}/events.
func (s *server) openSession(ctx context.Context, asked askedStream) (stream.Stream, error) {
	cursor, err := stream.ParseCursor(asked.cursor)
	if err != nil {
		return nil, err
	}
	filter, err := filterOf(asked.types)
	if err != nil {
		return nil, err
	}
	topic, err := s.logOf(ctx, asked.session)
	if err != nil {
		return nil, err
	}
	lease, err := s.leaseOf(ctx, asked)
	if err != nil {
		return nil, err
	}
	opened, err := s.placing(ctx, func() (stream.Stream, error) {
		return s.hub.Open(ctx, stream.Request{Topic: topic, Cursor: cursor, Filter: filter, Rights: s.sessionRights(ctx, asked.session)})
	})
	if err != nil {
		return nil, err
	}
	return lease.keptBy(opened), nil
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

// askedStream is what a request for a stream says.
type askedStream struct {
	session string // "" for the tenant's
	cursor  string // "" without one
	types   string
	host    *string
	fence   *int64
}

func askedOf(r *http.Request) (askedStream, error) {
	query := requestOf(r.Context()).query
	asked := askedStream{session: chi.URLParam(r, "sid"), cursor: query.Get("after"), types: query.Get("types")}
	switch last := r.Header.Values("Last-Event-ID"); len(last) {
	case 0:
	case 1: // of a browser that comes back
		asked.cursor = last[0]
	default:
		return asked, refusal(sessions.CodeInvalid, "Last-Event-ID appears twice.")
	}
	if query.Has("host_id") {
		host := query.Get("host_id")
		asked.host = &host
	}
	if query.Has("fence") {
		fence, err := strconv.ParseInt(query.Get("fence"), 10, 64)
		if err != nil {
			return asked, invalidQuery([]sessions.Field{{Path: "fence", Detail: "must be a whole number"}})
		}
		asked.fence = &fence
	}
	return asked, nil
}

// filterOf reads the `types` parameter.
func filterOf(types string) (stream.Filter, error) {
	filter, err := stream.ParseFilter(types)
	if err != nil {
		return filter, invalidQuery([]sessions.Field{{Path: "types", Detail: "must be prefixes of event types"}})
	}
	return filter, nil
}
