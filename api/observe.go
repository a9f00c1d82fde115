package api

import (
	"net/http"
	"time"
)

// Exchange is a request and how it was answered, for whoever counts.
type Exchange struct {
	Route  string // the path template; empty where there is no such route
	Method string // one of those that routes have, or OTHER
	Status int
	Took   time.Duration
	Stream bool // the answer has only begun: Took says nothing
}

// otherMethod stands for the methods that no route has: anybody can make them up.
const otherMethod = "OTHER"

// observe tells of a request that the layers are done with. A stream goes on
// without them.
func (s *server) observe(t *tracked, r *http.Request, began time.Time) {
	if s.observer == nil {
		return
	}
	x := Exchange{Method: r.Method, Status: t.status, Took: time.Since(began), Stream: parked(r.Context())}
	if q := requestOf(r.Context()); q.operation != nil {
		x.Route = q.operation.route.Path
	} else if !routedMethod(r.Method) {
		x.Method = otherMethod
	}
	if x.Status == 0 {
		x.Status = http.StatusOK
	}
	s.observer(x)
}

func routedMethod(method string) bool {
	switch method {
	case http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}
