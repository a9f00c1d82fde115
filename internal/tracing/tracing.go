package tracing

import (
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
)

const (
	serviceName = "session-gateway"
	// closeTimeout is how long a stop waits for the last spans to be taken.
	closeTimeout = 3 * time.Second
)

// Config says where traces go.
type Config struct {
	Endpoint string  // http://collector:4318 or https://…; without a path: /v1/traces
	Ratio    float64 // of the traces that begin here; those that come in say themselves
	Version  string
	Instance string // which replica
	Logger   *slog.Logger
}

// Tracing is where spans are made.
type Tracing struct {
	provider   *trace.TracerProvider
	tracer     oteltrace.Tracer
	propagator propagation.TraceContext
}

// Open begins to export. Whether anybody takes the spans shows later, in the log.
func Open(ctx context.Context, cfg Config) (*Tracing, error) {
	endpoint, err := tracesURL(cfg.Endpoint)
	if err != nil {
		return nil, err
	}
	exporter, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpointURL(endpoint))
	if err != nil {
		return nil, fmt.Errorf("open trace exporter: %w", err)
	}
	// The library tells of exports that failed to one handler of the process.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) {
		cfg.Logger.Warn("traces not exported", slog.Any("error", err))
	}))
	provider := trace.NewTracerProvider(
		trace.WithBatcher(exporter),
		trace.WithSampler(trace.ParentBased(trace.TraceIDRatioBased(cfg.Ratio))),
		trace.WithIDGenerator(ids{}),
		trace.WithResource(resource.NewSchemaless(
			attribute.String("service.name", serviceName),
			attribute.String("service.version", cfg.Version),
			attribute.String("service.instance.id", cfg.Instance),
		)),
	)
	return &Tracing{provider: provider, tracer: provider.Tracer(serviceName)}, nil
}

// tracesPath is where collectors take traces by OTLP over HTTP.
const tracesPath = "/v1/traces"

// tracesURL is where traces are posted: an address without a path is a
// collector's, one with a path is taken as it is.
func tracesURL(endpoint string) (string, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return "", fmt.Errorf("trace endpoint: %w", err)
	}
	if u.Path == "" || u.Path == "/" {
		u.Path = tracesPath
	}
	return u.String(), nil
}

// Close sends what is left, for a while: the context of the program is over by
// then. Nothing is traced any more.
func (t *Tracing) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	if err := t.provider.Shutdown(ctx); err != nil {
		return fmt.Errorf("close trace exporter: %w", err)
	}
	return nil
}

// Traceparent is the trace that a context is in; empty if it is in none.
func (t *Tracing) Traceparent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	t.propagator.Inject(ctx, carrier)
	return carrier.Get(traceparentHeader)
}

const traceparentHeader = "traceparent"

// within is a context in the trace of a traceparent.
func (t *Tracing) within(traceparent string) context.Context {
	return t.propagator.Extract(context.Background(), propagation.MapCarrier{traceparentHeader: traceparent})
}
