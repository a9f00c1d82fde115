package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/console"
	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/internal/metrics"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/admin"
	"github.com/session-gateway/gateway/tenants/passes"
	"github.com/session-gateway/gateway/tenants/quota"
	tenantstore "github.com/session-gateway/gateway/tenants/store"
)

// wiring is what a backend is made from.
type wiring struct {
	cfg     Config
	log     *slog.Logger
	callers callers
	tell    instruments
}

// wire makes the parts and connects them, from the store outwards.
func wire(ctx context.Context, w wiring) (backend, error) {
	var err error
	if w.tell, err = openInstruments(ctx, w); err != nil {
		return backend{}, err
	}
	b, err := w.onInstruments(ctx)
	if err != nil {
		return backend{}, errors.Join(err, w.tell.close()) //nolint:contextcheck // what is open is flushed, whatever stopped the start
	}
	return b, nil
}

func (w wiring) onInstruments(ctx context.Context) (backend, error) {
	s, err := store.Open(ctx, store.Config{
		URL: string(w.cfg.Redis), Replicas: int(w.cfg.Durability), Logger: w.log, EmbeddedMemory: int64(w.cfg.EmbeddedMaxMB) << 20,
		Observer: w.tell.metrics.Store(),
	})
	if err != nil {
		return backend{}, err
	}
	b, err := w.onStore(ctx, s)
	if err != nil {
		return backend{}, errors.Join(err, s.Close())
	}
	return b, nil
}

func (w wiring) onStore(ctx context.Context, s *store.Store) (backend, error) {
	directory, known, err := w.tenants(ctx, s)
	if err != nil {
		return backend{}, err
	}
	webhooks := w.newHookSender()
	signing, err := auditKey(w.cfg.AuditKey)
	if err != nil {
		return backend{}, err
	}
	service, err := sessions.New(sessions.Config{
		AuditKey: signing, AuditRetention: w.cfg.AuditRetention,
		Store: s, Feed: s, Logger: w.log, Retention: w.cfg.Retention, EventRetention: w.cfg.EventRetention,
		Settings: directory.Settings, Observer: w.tell.sessions(), Traceparent: w.tell.traceparent(),
		Hooks: webhooks,
	})
	if err != nil {
		return backend{}, err
	}
	//nolint:contextcheck // what closes it runs when the context is over
	return w.onService(core{store: s, directory: directory, known: known, service: service, webhooks: webhooks})
}

// core is what decides and keeps; the rest tells of it.
type core struct {
	store     *store.Store
	directory *tenants.Directory
	known     *tenantstore.Store
	service   *sessions.Service
	webhooks  *hooks.Sender
}

func (w wiring) onService(c core) (backend, error) {
	s, service := c.store, c.service
	hub := stream.NewHub(stream.Config{
		Log: s, Feed: s, Snapshots: service, Tenants: service, Logger: w.log, Now: s.Now, OnDiverged: service.Forget,
		OnDelivered: w.tell.metrics.Delivered,
	})
	sources := &metrics.Sources{Streams: hub, Store: s, Log: w.log}
	w.tell.metrics.Watch(sources)
	ready := &readiness{store: s}
	auth := w.newAuthenticator(c.directory)
	meter, err := w.newMeter(c)
	if err != nil {
		return backend{}, err
	}
	manage := admin.New(admin.Config{
		Store: c.known, Directory: c.directory, Sessions: service, SharedKeys: store.SharedKeys, Logger: w.log, Now: s.Now,
	})
	handler, err := w.newHandler(api.Config{
		Service: service, Admin: manage, Auth: auth, Quotas: meter, Hub: hub, Ready: ready.check,
		Passes: passes.New(passes.Config{Client: s.Client(), Directory: c.directory, Now: s.Now}),
	})
	if err != nil {
		return backend{}, err
	}
	return backend{
		handler: handler,
		parts: []part{
			func(ctx context.Context) error { return s.Run(ctx, sinks{hub, service}) },
			c.known.Run,
			manage.Run,
			hub.Run,
			service.Run,
			c.webhooks.Run,
			sources.Run,
			auth.tokens.Run,
			meter.Run,
			meter.Measure,
		},
		metrics:     w.tell.metrics.Handler(),
		certificate: w.tell.metrics.Certificate,
		notReady: func() {
			w.tell.metrics.Draining()
			ready.stop()
		},
		drain: func(window time.Duration) {
			service.Drain()
			hub.Drain(window)
		},
		streamsEnd: handler.Shutdown,
		close:      func() error { return errors.Join(s.Close(), w.tell.close()) },
	}, nil
}

func (w wiring) newMeter(c core) (*quota.Meter, error) {
	return quota.New(quota.Config{
		Client: c.store.Client(), Settings: c.directory.Settings, Tenant: tenants.Limits(w.cfg.TenantLimits),
		Key: tenants.KeyLimits(w.cfg.KeyLimits), Replica: ulid.Make().String(), Logger: w.log, Now: c.store.Now,
		SessionsOf: c.store.CountSessions, BytesOf: c.service.StoredBytes,
	})
}

// newHandler adds what comes from the configuration.
func (w wiring) newHandler(c api.Config) (*api.Handler, error) {
	host, _, err := net.SplitHostPort(w.cfg.Listen)
	if err != nil {
		return nil, err
	}
	pages, err := console.Handler()
	if err != nil {
		return nil, err
	}
	c.Logger, c.Loopback, c.Hosts, c.HostCertificates = w.log, loopback(host), w.cfg.PublicHost, w.cfg.ClientCA != ""
	c.Origins, c.SecureCookies = w.cfg.CORSOrigin, w.cfg.TLSCert != "" || w.cfg.BehindProxy
	c.Pages = map[string]http.Handler{console.Prefix: pages}
	c.Metrics, c.Observer, c.Span = w.tell.metrics.Handler(), w.tell.metrics.Request, w.tell.span()
	return api.New(c)
}

// tenants reads all tenants into the replica's copy. Nobody is served without
// a key that is known.
func (w wiring) tenants(ctx context.Context, s *store.Store) (*tenants.Directory, *tenantstore.Store, error) {
	directory, err := w.callers.directory()
	if err != nil {
		return nil, nil, err
	}
	known := tenantstore.New(tenantstore.Config{
		Client: s.Client(), Directory: directory, Logger: w.log, Now: s.Now, Replicas: confirmed{s}, Seeds: w.callers.file.Tenants,
	})
	if err := known.Load(ctx); err != nil {
		return nil, nil, err
	}
	if directory.Len() == 0 && len(w.callers.file.Issuers) == 0 {
		return nil, nil, ErrNobodyConfigured
	}
	return directory, known, nil
}

// sinks tells several of every commit.
type sinks []stream.Sink

// Notify tells each.
func (s sinks) Notify(n stream.Notice) {
	for _, sink := range s {
		sink.Notify(n)
	}
}

// Resync tells each.
func (s sinks) Resync(buckets []uint16) {
	for _, sink := range s {
		sink.Resync(buckets)
	}
}
