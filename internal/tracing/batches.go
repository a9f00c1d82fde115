package tracing

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	oteltrace "go.opentelemetry.io/otel/trace"

	"github.com/session-gateway/gateway/internal/spans"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

var _ sessions.Observer = (*Tracing)(nil)

// Committed tells of the spans that a transition ended.
func (t *Tracing) Committed(ctx context.Context, x sessions.Transition) {
	if x.Batch == nil || x.Batch.Trace == "" {
		return
	}
	s := told{Tracing: t, Transition: x, by: oteltrace.SpanContextFromContext(ctx)}
	for _, k := range x.Effects.Resolved {
		s.approval(&x.Batch.Approvals[k])
	}
	for _, i := range x.Effects.Ended {
		s.call(i)
	}
	if x.Effects.Completed {
		s.batch()
	}
}

// Swept is no part of a trace.
func (t *Tracing) Swept(time.Duration, int) {}

// told is the spans of one transition.
type told struct {
	*Tracing
	sessions.Transition
	by oteltrace.SpanContext // the request that made it; invalid: time did
}

// span is one that has ended.
type span struct {
	name       string
	id         spans.ID // zero: any
	under      spans.ID // zero: the request that submitted the batch
	begin, end time.Time
	failed     bool
	about      []attribute.KeyValue
}

func (s told) tell(p span) {
	traceparent := s.Batch.Trace
	if p.under != (spans.ID{}) {
		traceparent = spans.Within(traceparent, p.under)
	}
	ctx := s.within(traceparent)
	if p.id != (spans.ID{}) {
		ctx = as(ctx, p.id)
	}
	options := []oteltrace.SpanStartOption{oteltrace.WithTimestamp(p.begin), oteltrace.WithAttributes(p.about...)}
	if s.by.IsValid() {
		options = append(options, oteltrace.WithLinks(oteltrace.Link{SpanContext: s.by}))
	}
	_, span := s.tracer.Start(ctx, p.name, options...)
	if p.failed {
		span.SetStatus(codes.Error, "")
	}
	span.End(oteltrace.WithTimestamp(p.end))
}

func (s told) batch() {
	s.tell(span{
		name: "batch", id: spans.Batch(s.Batch.ID), begin: s.Batch.Created, end: s.Now,
		about: []attribute.KeyValue{
			attribute.String("session.id", s.Session), attribute.String("batch.id", s.Batch.ID),
			attribute.String("runtime", string(s.Runtime)), attribute.String("status", string(s.Batch.Status)),
			attribute.Int("calls", len(s.Batch.Calls)),
		},
	})
}

func (s told) call(i int) {
	c, id := &s.Batch.Calls[i], spans.Call(s.Batch.ID, i)
	about := []attribute.KeyValue{
		attribute.Int("position", i), attribute.String("tool", c.Tool), attribute.String("status", string(c.Result.Status)),
	}
	if c.Result.Reason != nil {
		about = append(about, attribute.String("reason", string(*c.Result.Reason)))
	}
	s.tell(span{
		name: "call", id: id, under: spans.Batch(s.Batch.ID), begin: s.Batch.Created, end: s.Now,
		failed: c.Result.Status == scheduler.StatusError, about: about,
	})
	if c.Dispatched.IsZero() {
		return
	}
	taken := c.Started
	if taken.IsZero() {
		taken = s.Now
	}
	s.tell(span{name: "dispatch", under: id, begin: c.Dispatched, end: taken})
	if !c.Started.IsZero() {
		s.tell(span{
			name: "execution", id: spans.Execution(s.Batch.ID, i), under: id, begin: c.Started, end: s.Now,
			about: []attribute.KeyValue{attribute.String("execution_status", string(c.Result.ExecutionStatus))},
		})
	}
}

func (s told) approval(a *scheduler.Approval) {
	s.tell(span{
		name: "approval", under: spans.Call(s.Batch.ID, a.Position), begin: a.Requested, end: s.Now,
		about: []attribute.KeyValue{
			attribute.String("kind", string(a.Kind)), attribute.String("status", string(a.Status)),
			attribute.String("option", a.Option),
		},
	})
}
