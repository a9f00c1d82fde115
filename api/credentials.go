package api

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/passes"
)

// Passes lends browsers what stands for a key.
type Passes interface {
	NewTicket(ctx context.Context, c tenants.Caller, session string) (passes.Ticket, error)
	OpenTicket(ctx context.Context, secret, session string) (tenants.Caller, error)
	NewSignIn(ctx context.Context, c tenants.Caller) (passes.SignIn, error)
	Console(ctx context.Context, secret string) (tenants.Caller, passes.SignIn, error)
	SignOut(ctx context.Context, secret string) error
}

var _ Passes = (*passes.Store)(nil)

// ticketParameter is the one credential that a query string may hold: it is
// good for one stream, once, and for a minute.
const ticketParameter = "ticket"

// csrfHeader carries what only our own pages can read, with writes by cookie.
const csrfHeader = "X-CSRF-Token"

// authenticate finds out who the request speaks for.
func (s *server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		if q.operation.public {
			next.ServeHTTP(w, r)
			return
		}
		caller, err := s.identity(r)
		if err != nil {
			s.log.LogAttrs(r.Context(), slog.LevelDebug, "nobody let in",
				slog.String("request_id", q.id), slog.Any("error", err))
			s.fail(w, r, notLetIn(err))
			return
		}
		q.caller = caller
		next.ServeHTTP(w, r)
	})
}

// identity reads the first credential that there is: what a page was given
// never stands in the way of what its user sends.
func (s *server) identity(r *http.Request) (tenants.Caller, error) {
	if r.Header.Get("Authorization") != "" {
		bearer := bearerOf(r.Header)
		if bearer == "" {
			return tenants.Caller{}, errNobody()
		}
		return s.auth.Authenticate(r.Context(), bearer)
	}
	op, query := requestOf(r.Context()).operation, r.URL.Query()
	switch cookie := s.cookieOf(r); {
	case op.query[ticketParameter] && query.Has(ticketParameter):
		return s.passes.OpenTicket(r.Context(), query.Get(ticketParameter), chi.URLParam(r, "sid"))
	case cookie != "":
		return s.signedIn(r, cookie)
	case len(query) > 0:
		return tenants.Caller{}, refusal(codeUnauthenticated,
			"Send a valid key as Authorization: Bearer <key>. Query strings end up in logs: no key is read from them.")
	}
	return tenants.Caller{}, errNobody()
}

// signedIn is who a cookie signed in. A browser sends it with whatever asks, so
// a write must also carry what the cookie's own page was told.
func (s *server) signedIn(r *http.Request, cookie string) (tenants.Caller, error) {
	caller, in, err := s.passes.Console(r.Context(), cookie)
	if err != nil {
		return tenants.Caller{}, err
	}
	if !safe(r.Method) && !sameSecret(r.Header.Get(csrfHeader), in.CSRF) {
		return tenants.Caller{}, refusal(codeCSRFRefused, "Send the sign-in's csrf_token as "+csrfHeader+".")
	}
	requestOf(r.Context()).signIn = &in
	return caller, nil
}

func safe(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// notLetIn is what whoever was not let in is told: nothing of why, but that the
// store was to blame, or what a page has to send.
func notLetIn(err error) error {
	var p *sessions.Problem
	switch {
	case errors.As(err, &p):
		return p
	case errors.Is(err, passes.ErrUnavailable):
		return refusal(sessions.CodeUnavailable, "Come back in a moment.")
	}
	return errNobody()
}

func errNobody() error {
	return refusal(codeUnauthenticated, "Send a valid key as Authorization: Bearer <key>.")
}

func bearerOf(h http.Header) string {
	scheme, key, _ := strings.Cut(h.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(key)
}
