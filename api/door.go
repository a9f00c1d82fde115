package api

import (
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
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.knowsHost(r.Host) {
			s.fail(w, r, refusal(codeHostRefused, "This listener doesn't answer to that name."))
			return
		}
		if s.origins.Check(r) != nil {
			s.fail(w, r, refusal(codeOriginRefused, "The request was started by a page of another origin."))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// knowsHost guards loopback listeners: there nothing but the name tells our own
// pages from others. Elsewhere names belong to the proxy unless they are
// listed. An address is no name that somebody could point at us.
func (s *server) knowsHost(hostport string) bool {
	if !s.loopback && len(s.hosts) == 0 {
		return true
	}
	host := hostOf(hostport)
	if host == "localhost" || slices.Contains(s.hosts, host) {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && (addr.IsLoopback() || !s.loopback)
}

func hostOf(hostport string) string {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil { // there is no port
		host = strings.Trim(hostport, "[]")
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// authorize compares the caller's roles with the operation's.
func (s *server) authorize(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := requestOf(r.Context())
		if !q.operation.public && !q.caller.Is(q.operation.roles...) {
			s.noteRefusal(r.Context(), q.operation.id, r.URL.Path)
			s.fail(w, r, errForbidden())
			return
		}
		next.ServeHTTP(w, r)
	})
}

func errForbidden() error {
	return refusal(sessions.CodeForbidden, "The key's roles don't include one that may do this.")
}
