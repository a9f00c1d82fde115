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
		return backend{}, errors.Join(err, w.tell.close())
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
	hub := stream.NewHub(stream.Config{
		Log: s, Feed: s, Snapshots: service, Tenants: service, Logger: w.log, Now: s.Now, OnDiverged: service.Forget,
		OnDelivered: w.tell.metrics.Delivered,
	})
	sources := &metrics.Sources{Streams: hub, Store: s, Log: w.log}
	w.tell.metrics.Watch(sources)
	ready := &readiness{store: s}
	auth := w.newAuthenticator(directory)
	pass := passes.New(passes.Config{Client: s.Client(), Directory: directory, Now: s.Now})
	meter, err := quota.New(quota.Config{
		Client: s.Client(), Settings: directory.Settings, Tenant: tenants.Limits(w.cfg.TenantLimits),
		Key: tenants.Limits(w.cfg.KeyLimits), Replica: ulid.Make().String(), Logger: w.log, Now: s.Now,
		SessionsOf: s.CountSessions,
	})
	if err != nil {
		return backend{}, err
	}
	host, _, err := net.SplitHostPort(w.cfg.Listen)
	if err != nil {
		return backend{}, err
	}
	manage := admin.New(admin.Config{
		Store: known, Directory: directory, Sessions: service, SharedKeys: store.SharedKeys, Logger: w.log, Now: s.Now,
	})
	pages, err := console.Handler()
	if err != nil {
		return backend{}, err
	}
	handler, err := api.New(api.Config{
		Service: service, Admin: manage, Auth: auth, Passes: pass, Quotas: meter, Hub: hub, Ready: ready.check, Logger: w.log,
		Loopback: loopback(host), Hosts: w.cfg.PublicHost, HostCertificates: w.cfg.ClientCA != "",
		Origins: w.cfg.CORSOrigin, SecureCookies: w.cfg.TLSCert != "" || w.cfg.BehindProxy,
		Pages:   map[string]http.Handler{console.Prefix: pages},
		Metrics: w.tell.metrics.Handler(), Observer: w.tell.metrics.Request, Span: w.tell.span(),
	})
	if err != nil {
		return backend{}, err
	}
	return backend{
		handler: handler,
		parts: []part{
			func(ctx context.Context) error { return s.Run(ctx, sinks{hub, service}) },
			known.Run,
			manage.Run,
			hub.Run,
			service.Run,
			webhooks.Run,
			sources.Run,
			auth.tokens.Run,
			meter.Run,
		},
		metrics: w.tell.metrics.Handler(),
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

// tenants reads all tenants into the replica's copy. Nobody is served without
// a key that is known.
func (w wiring) tenants(ctx context.Context, s *store.Store) (*tenants.Directory, *tenantstore.Store, error) {
	directory, err := w.callers.directory()
	if err != nil {
		return nil, nil, err
	}
	known := tenantstore.New(tenantstore.Config{
		Client: s.Client(), Directory: directory, Logger: w.log, Now: s.Now, Seeds: w.callers.file.Tenants,
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
