package api

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/go-chi/cors"
)

// preflightAge is how long a browser may remember what it was allowed: an
// origin that is taken off the list is out after it.
const preflightAge = 10 * time.Minute

// ErrOrigin says that something is no origin that could be listed.
var ErrOrigin = errors.New("is not an origin like https://app.example")

// CheckOrigin says whether an origin may be listed: exactly as browsers write
// it, and never all of them.
func CheckOrigin(origin string) error {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || origin != u.Scheme+"://"+u.Host ||
		origin != strings.ToLower(origin) || strings.ContainsAny(origin, "*@") {
		return fmt.Errorf("%q %w", origin, ErrOrigin)
	}
	return nil
}

// crossOrigin is what pages of other origins may do: nothing, unless their
// origin is listed, and then only with a key of their own. Credentials that a
// browser adds by itself are not for them.
func crossOrigin(origins []string) (*http.CrossOriginProtection, func(http.Handler) http.Handler, error) {
	writes := http.NewCrossOriginProtection()
	for _, origin := range origins {
		if err := CheckOrigin(origin); err != nil {
			return nil, nil, err
		}
		if err := writes.AddTrustedOrigin(origin); err != nil {
			return nil, nil, fmt.Errorf("trust origin: %w", err)
		}
	}
	if len(origins) == 0 { // the library would take an empty list for everybody
		return writes, func(next http.Handler) http.Handler { return next }, nil
	}
	return writes, cors.Handler(cors.Options{
		AllowedOrigins: origins,
		AllowedMethods: []string{"GET", "POST", "PUT", "PATCH", "DELETE"},
		AllowedHeaders: []string{"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID", "X-Request-Id"},
		ExposedHeaders: []string{
			"ETag", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id",
		},
		MaxAge: int(preflightAge.Seconds()),
	}), nil
}
