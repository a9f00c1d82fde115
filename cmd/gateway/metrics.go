package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

// metricsTimeout bounds a scrape's reading and writing.
const metricsTimeout = 10 * time.Second

// metricsListener serves /metrics alone, on an address that need not face the
// public. It goes on until the very end of a stop, when the other listener
// takes nobody any more, so that a stop can be watched.
type metricsListener struct {
	net.Listener
	server *http.Server
}

// listenMetrics binds the address of --metrics-listen; nil, nil without one.
func listenMetrics(ctx context.Context, addr string, metrics http.Handler, failed *log.Logger) (*metricsListener, error) {
	if addr == "" {
		return nil, nil //nolint:nilnil // nothing to serve
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("--metrics-listen: %w", err)
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", metrics)
	return &metricsListener{Listener: l, server: &http.Server{
		Handler: routes, ReadTimeout: metricsTimeout, WriteTimeout: metricsTimeout,
		IdleTimeout: idleTimeout, MaxHeaderBytes: maxHeaderBytes, ErrorLog: failed,
	}}, nil
}

// close lets go of the address when nothing is going to run.
func (m *metricsListener) close() error {
	if m == nil {
		return nil
	}
	return m.Close()
}

// run serves until ctx ends.
func (m *metricsListener) run(ctx context.Context) error {
	defer context.AfterFunc(ctx, func() { _ = m.server.Close() })() // a scrape that is cut is made again
	if err := m.server.Serve(m.Listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}
