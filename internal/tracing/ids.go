package tracing

import (
	"context"
	"crypto/rand"

	"go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/session-gateway/gateway/internal/spans"
)

// ids gives a span the id that its context asks for, and others one by chance.
type ids struct{}

var _ trace.IDGenerator = ids{}

type spanKey struct{}

// as asks for a span's id.
func as(ctx context.Context, id spans.ID) context.Context {
	return context.WithValue(ctx, spanKey{}, id)
}

// NewIDs is for the first span of a trace.
func (g ids) NewIDs(ctx context.Context) (t oteltrace.TraceID, s oteltrace.SpanID) {
	_, _ = rand.Read(t[:]) // it never fails
	return t, g.NewSpanID(ctx, t)
}

// NewSpanID is for a further span.
func (ids) NewSpanID(ctx context.Context, _ oteltrace.TraceID) (s oteltrace.SpanID) {
	if id, asked := ctx.Value(spanKey{}).(spans.ID); asked {
		return oteltrace.SpanID(id)
	}
	_, _ = rand.Read(s[:]) // it never fails
	return s
}
