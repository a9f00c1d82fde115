package api

import (
	"context"
	"net/http"
	"net/url"
	"regexp"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/passes"
)

// request is what the middleware learns of a request, layer by layer. It
// belongs to the goroutine that serves the request.
type request struct {
	id        string
	route     string // method and path
	operation *operation
	caller    tenants.Caller
	bodyHash  [32]byte
	signIn    *passes.SignIn // of the cookie that was shown; nil without one
	query     url.Values     // as validate read it
	bones     []byte         // the body without its opaque parts
	parked    stream.Stream  // that answers the request, once the layers have returned
	problems  []sessions.Code
}

// tell notes a problem for whoever counts them.
func (q *request) tell(code sessions.Code) { q.problems = append(q.problems, code) }

type requestKey struct{}

// requestOf is the request that ctx belongs to. Outside of the middleware's
// reach it is an empty one, which has no rights.
func requestOf(ctx context.Context) *request {
	if q, ok := ctx.Value(requestKey{}).(*request); ok {
		return q
	}
	return &request{}
}

func callerOf(ctx context.Context) tenants.Caller { return requestOf(ctx).caller }

// idempotency binds the caller's key to this route and body.
func idempotency(ctx context.Context, key *string) sessions.Idempotency {
	if key == nil {
		return sessions.Idempotency{}
	}
	q := requestOf(ctx)
	return sessions.Idempotency{Key: *key, Route: q.route, BodyHash: q.bodyHash}
}

// replayed is the value of Idempotency-Replayed; nil leaves the header out.
func replayed(yes bool) *bool {
	if !yes {
		return nil
	}
	return &yes
}

// requestIDPattern are the ids that are taken from a caller: short, and
// harmless wherever they are written.
var requestIDPattern = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,128}$`)

// identify names the request and says so in the answer.
func (s *server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		if !requestIDPattern.MatchString(id) {
			id = s.newID("req")
		}
		h := w.Header()
		h.Set("X-Request-Id", id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer") // addresses may hold a ticket
		h.Set("Cache-Control", "no-store")      // answers hold what only this key may see
		q := requestOf(r.Context())
		q.id, q.route = id, r.Method+" "+r.URL.Path
		next.ServeHTTP(w, r)
	})
}
