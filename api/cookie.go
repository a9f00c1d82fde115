package api

import (
	"crypto/subtle"
	"net/http"
	"time"
)

// Names of the console's cookie. Browsers take one that starts with __Host-
// from its own host only, over TLS, and for every path.
const (
	secureCookie   = "__Host-gateway"
	loopbackCookie = "gateway_console"
)

func (s *server) cookieName() string {
	if s.secure {
		return secureCookie
	}
	return loopbackCookie
}

// cookieOf is the value of the console's cookie; empty without one.
func (s *server) cookieOf(r *http.Request) string {
	c, err := r.Cookie(s.cookieName())
	if err != nil { // there is none
		return ""
	}
	return c.Value
}

// cookie is a Set-Cookie header. An empty value takes the cookie away.
func (s *server) cookie(value string, expires time.Time) string {
	c := &http.Cookie{ //nolint:gosec // Secure is what can be: on loopback without TLS browsers would drop it
		Name: s.cookieName(), Value: value, Path: "/", Expires: expires.UTC(),
		Secure: s.secure, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	}
	if value == "" {
		c.Expires, c.MaxAge = time.Time{}, -1
	}
	return c.String()
}

// sameSecret compares in constant time.
func sameSecret(given, want string) bool {
	return subtle.ConstantTimeCompare([]byte(given), []byte(want)) == 1
}
