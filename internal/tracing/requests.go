package tracing

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/session-gateway/gateway/api"
)

// Request begins the span of a request, in the trace that it came with, and
// gives what ends it. Of the address only the route's template is told: paths
// hold ids, query strings may hold tickets. Probes are not traced.
func (t *Tracing) Request(r *http.Request) (context.Context, func(api.Exchange)) {
	switch r.URL.Path {
	case "/healthz", "/readyz", "/metrics":
		return r.Context(), func(api.Exchange) {}
	}
	ctx := t.propagator.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, r.Method, oteltrace.WithSpanKind(oteltrace.SpanKindServer))
	return ctx, func(x api.Exchange) {
		span.SetName(x.Method + " " + x.Route)
		span.SetAttributes(
			attribute.String("http.request.method", x.Method),
			attribute.String("http.route", x.Route),
			attribute.Int("http.response.status_code", x.Status),
			attribute.String("request.id", x.RequestID),
		)
		if x.Status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}
