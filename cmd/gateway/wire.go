package main

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"time"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// wiring is what a backend is made from.
type wiring struct {
	cfg       Config
	log       *slog.Logger
	directory *tenants.Directory
}

// wire makes the parts and connects them, from the store outwards.
func wire(ctx context.Context, w wiring) (backend, error) {
	s, err := store.Open(ctx, store.Config{
		URL: string(w.cfg.Redis), Replicas: int(w.cfg.Durability), Logger: w.log, EmbeddedMemory: int64(w.cfg.EmbeddedMaxMB) << 20,
	})
	if err != nil {
		return backend{}, err
	}
	b, err := w.onStore(s)
	if err != nil {
		return backend{}, errors.Join(err, s.Close())
	}
	return b, nil
}

func (w wiring) onStore(s *store.Store) (backend, error) {
	service, err := sessions.New(sessions.Config{
		Store: s, Feed: s, Logger: w.log, Retention: w.cfg.Retention, EventRetention: w.cfg.EventRetention,
		Settings: w.directory.Settings,
	})
	if err != nil {
		return backend{}, err
	}
	hub := stream.NewHub(stream.Config{
		Log: s, Feed: s, Snapshots: service, Tenants: service, Logger: w.log, Now: s.Now, OnDiverged: service.Forget,
	})
	ready := &readiness{store: s}
	host, _, err := net.SplitHostPort(w.cfg.Listen)
	if err != nil {
		return backend{}, err
	}
	handler, err := api.New(api.Config{
		Service: service, Auth: w.directory, Hub: hub, Ready: ready.check, Logger: w.log,
		Loopback: loopback(host), Hosts: w.cfg.PublicHost, HostCertificates: w.cfg.ClientCA != "",
	})
	if err != nil {
		return backend{}, err
	}
	return backend{
		handler: handler,
		parts: []part{
			func(ctx context.Context) error { return s.Run(ctx, sinks{hub, service}) },
			hub.Run,
			service.Run,
		},
		notReady: ready.stop,
		drain: func(window time.Duration) {
			service.Drain()
			hub.Drain(window)
		},
		close: s.Close,
	}, nil
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
