package api

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/session-gateway/gateway/sessions"
)

// door refuses what a browser may be tricked into sending: requests under a
// name that merely resolves to us (DNS rebinding), and writes that a page of
// another origin started.
func (s *server) door(next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.knowsHost(r.Host) {
			s.fail(w, r, refusal(codeHostRefused, "This listener answers to loopback names only."))
			return
		}
		if origins.Check(r) != nil {
			s.fail(w, r, refusal(codeOriginRefused, "The request was started by a page of another origin."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knowsHost guards loopback listeners only: there nothing but the name tells
// our own pages from others, while elsewhere names belong to the proxy.
func (s *server) knowsHost(hostport string) bool {
	if !s.loopback {
		return true
	}
	host := hostOf(hostport)
	if host == "localhost" || slices.Contains(s.hosts, host) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback()
}

func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil { // there is no port
		host = strings.Trim(hostport, "[]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// authenticate finds out whose key the request bears. Keys are read from the
// Authorization header only: query strings end up in logs.
func (s *server) authenticate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		if q.operation.public {
			next.ServeHTTP(w, r)
			return
		}
		bearer := bearerOf(r.Header)
		caller, err := s.auth.Authenticate(r.Context(), bearer)
		if err != nil || bearer == "" {
			s.log.LogAttrs(r.Context(), slog.LevelDebug, "nobody let in",
				slog.String("request_id", q.id), slog.Any("error", err))
			s.fail(w, r, errNobody())
			return
		}
		q.caller = caller
		next.ServeHTTP(w, r)
	})
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

// authorize compares the caller's roles with the operation's.
func (s *server) authorize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		if !q.operation.public && !q.caller.Is(q.operation.roles...) {
			s.fail(w, r, refusal(sessions.CodeForbidden, "The key's roles don't include one that may do this."))
			return
		}
		next.ServeHTTP(w, r)
	})
}
