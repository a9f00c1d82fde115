package main

import (
	"context"
	"net/http"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/metrics"
	"github.com/session-gateway/gateway/internal/tracing"
	"github.com/session-gateway/gateway/sessions"
)

// instruments are what tells operators how the program does.
type instruments struct {
	metrics *metrics.Metrics
	traces  *tracing.Tracing // nil: nothing is traced
}

func openInstruments(ctx context.Context, w wiring) (instruments, error) {
	b := currentBuild()
	i := instruments{metrics: metrics.New(metrics.Build{Version: b.Version, Commit: b.Commit, Go: b.Go})}
	if w.cfg.TraceEndpoint == "" {
		return i, nil
	}
	var err error
	i.traces, err = tracing.Open(ctx, tracing.Config{
		Endpoint: w.cfg.TraceEndpoint, Ratio: w.cfg.TraceRatio,
		Version: b.Version, Instance: ulid.Make().String(), Logger: w.log,
	})
	return i, err
}

// sessions observes the use cases.
func (i instruments) sessions() sessions.Observer {
	if i.traces == nil {
		return i.metrics.Sessions()
	}
	return observers{i.metrics.Sessions(), i.traces}
}

// traceparent is nil where nothing is traced.
func (i instruments) traceparent() func(context.Context) string {
	if i.traces == nil {
		return nil
	}
	return i.traces.Traceparent
}

// span is nil where nothing is traced.
func (i instruments) span() func(*http.Request) (context.Context, func(api.Exchange)) {
	if i.traces == nil {
		return nil
	}
	return i.traces.Request
}

func (i instruments) close() error {
	if i.traces == nil {
		return nil
	}
	return i.traces.Close()
}

// observers tell several.
type observers []sessions.Observer

// Committed tells each.
func (o observers) Committed(ctx context.Context, t sessions.Transition) {
	for _, observer := range o {
		observer.Committed(ctx, t)
	}
}

// Swept tells each.
func (o observers) Swept(lag time.Duration, due int) {
	for _, observer := range o {
		observer.Swept(lag, due)
	}
}
