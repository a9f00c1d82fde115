package api

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/sessions"
)

// Exchange is a request and how it was answered, for whoever counts.
type Exchange struct {
	Route  string // the path template; empty where there is no such route
	Method string // one of those that routes have, or OTHER
	Status int
	Took   time.Duration
	Stream bool // the answer has only begun: Took says nothing
	// Problems are the codes that were answered: one at most, but by JSON-RPC.
	Problems []sessions.Code
	// RequestID is the caller's or ours; it has no bound and is no label.
	RequestID string
}

// otherMethod stands for the methods that no route has: anybody can make them up.
const otherMethod = "OTHER"

// attend begins the request's span, if there is to be one. What it gives tells
// of the request when the layers are done with it; a stream goes on without them.
func (s *server) attend(t *tracked, r *http.Request) (*http.Request, func()) {
	began, end := time.Now(), func(Exchange) {}
	if s.span != nil {
		var ctx context.Context
		ctx, end = s.span(r)
		r = r.WithContext(ctx)
	}
	return r, func() {
		x := exchangeOf(t, r)
		x.Took = time.Since(began)
		end(x)
		if s.observer != nil {
			s.observer(x)
		}
	}
}

func exchangeOf(t *tracked, r *http.Request) Exchange {
	q := requestOf(r.Context())
	x := Exchange{Method: r.Method, Status: cmp.Or(t.status, http.StatusOK), Stream: q.parked != nil, Problems: q.problems, RequestID: q.id}
	if q.operation != nil {
		x.Route = q.operation.route.Path
	} else if !routedMethod(r.Method) {
		x.Method = otherMethod
	}
	return x
}

func routedMethod(method string) bool {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}
