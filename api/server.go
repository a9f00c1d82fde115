package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"
	"github.com/oklog/ulid/v2"

	gateway "github.com/session-gateway/gateway"
	"github.com/session-gateway/gateway/api/internal/contract"
)

// Config is what a server is made of.
type Config struct {
	Service Service
	Admin   Administrator
	Auth    Authenticator
	Passes  Passes
	Quotas  Quotas
	Hub     Streamer
	// Ready is asked by /readyz; an error means that requests can't be served
	// now. Its text is logged, and told as Readiness.Detail says.
	Ready func(ctx context.Context) (Readiness, error)
	// Metrics serves /metrics.
	Metrics http.Handler
	// Pages serves what browsers are shown, by the path they are under, as
	// /console. They are no part of the contract and take no key.
	Pages map[string]http.Handler
	// Observer is told of every request, once it was answered or its stream has
	// begun. It must be quick. Nil: nobody is told.
	Observer func(Exchange)
	// Span begins the span of a request and gives the context of it, and what
	// ends it. Nil: nothing is traced.
	Span func(*http.Request) (context.Context, func(Exchange))
	// Logger gets what clients are not told. It never gets keys, bodies or
	// query strings.
	Logger *slog.Logger
	// Loopback says that the server listens on loopback addresses only; it then
	// answers only to loopback names and Hosts.
	Loopback bool
	Hosts    []string // further host names, without ports
	// Origins are those whose pages may call with keys, as
	// https://app.example; cookies never cross origins.
	Origins []string
	// SecureCookies says that browsers come over TLS.
	SecureCookies bool
	// HostCertificates says that whoever acts as a host has to show a client
	// certificate that names it. The TLS listener has verified it.
	HostCertificates bool
	// NewID makes an id that starts with the prefix and an underscore. Nil: ULIDs.
	NewID func(prefix string) string
}

// Validate reports everything that is missing.
func (c Config) Validate() error {
	var missing []error
	for name, absent := range map[string]bool{
		"Service": c.Service == nil, "Admin": c.Admin == nil, "Auth": c.Auth == nil, "Passes": c.Passes == nil, "Quotas": c.Quotas == nil, "Hub": c.Hub == nil,
		"Ready": c.Ready == nil, "Metrics": c.Metrics == nil, "Logger": c.Logger == nil,
	} {
		if absent {
			missing = append(missing, fmt.Errorf("api config: %s is missing", name))
		}
	}
	return errors.Join(missing...)
}

type server struct {
	service    Service
	admin      Administrator
	auth       Authenticator
	passes     Passes
	quota      Quotas
	origins    *http.CrossOriginProtection
	cors       func(http.Handler) http.Handler
	secure     bool // cookies go over TLS only
	hub        Streamer
	ready      func(ctx context.Context) (Readiness, error)
	metrics    http.Handler
	pages      map[string]http.Handler
	observer   func(Exchange)
	span       func(*http.Request) (context.Context, func(Exchange))
	log        *slog.Logger
	loopback   bool
	hosts      []string
	certified  bool // hosts show certificates
	newID      func(prefix string) string
	operations operations
	refusals   *refusals
}

var _ contract.StrictServerInterface = (*server)(nil)

// New makes the handler of every route in openapi.yaml. The http.Server around
// it must have no WriteTimeout, which would cut streams; a ReadHeaderTimeout is
// its business. Streams outlive the server's own shutdown: [Handler.Shutdown].
func New(cfg Config) (*Handler, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	doc, err := loadContract(gateway.OpenAPI)
	if err != nil {
		return nil, err
	}
	s := &server{
		service: cfg.Service, admin: cfg.Admin, auth: cfg.Auth, passes: cfg.Passes, quota: cfg.Quotas, secure: cfg.SecureCookies,
		hub: cfg.Hub, ready: cfg.Ready, log: cfg.Logger,
		metrics: cfg.Metrics, pages: cfg.Pages, observer: cfg.Observer, span: cfg.Span,
		loopback: cfg.Loopback, hosts: lower(cfg.Hosts), certified: cfg.HostCertificates, newID: cfg.NewID,
		operations: operationsOf(doc),
	}
	if s.origins, s.cors, err = crossOrigin(cfg.Origins); err != nil {
		return nil, err
	}
	if s.refusals, err = newRefusals(); err != nil {
		return nil, fmt.Errorf("make api: %w", err)
	}
	if s.newID == nil {
		s.newID = newULID
	}
	return newHandler(s), nil
}

func lower(names []string) []string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, strings.ToLower(name))
	}
	return out
}

func newULID(prefix string) string { return prefix + "_" + ulid.Make().String() }

// routes puts the layers in order. Those of With run after routing, so that
// each knows its operation: who, may they, what, is it well formed.
func (s *server) routes() *chi.Mux {
	root := chi.NewRouter()
	root.Use(s.identify, s.rescue, s.deadline, s.door, s.cors)
	root.NotFound(s.noRoute)
	root.MethodNotAllowed(s.noMethod(root))
	strict := contract.NewStrictHandlerWithOptions(s, nil, contract.StrictHTTPServerOptions{
		RequestErrorHandlerFunc:  s.undecodable,
		ResponseErrorHandlerFunc: s.fail,
	})
	checked := root.With(s.resolve, s.authenticate, s.authorize, s.limited, s.readBody, s.validate, s.certificate, s.account)
	contract.HandlerWithOptions(strict, contract.ChiServerOptions{
		BaseRouter:       checked,
		ErrorHandlerFunc: s.undecodable,
	})
	checked.Get("/v1/sessions/{sid}/events", s.streaming(s.openSession))
	checked.Get("/v1/events", s.streaming(s.openTenant))
	checked.Post(rpcPath, s.callRPC)
	checked.Get("/metrics", s.metrics.ServeHTTP)
	for path, pages := range s.pages {
		for _, pattern := range []string{path, path + "/*"} {
			root.Method(http.MethodGet, pattern, pages)
			root.Method(http.MethodHead, pattern, pages)
		}
	}
	return root
}
