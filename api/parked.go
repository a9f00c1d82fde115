package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/api/internal/detached"
	"github.com/session-gateway/gateway/stream"
)

// Handler answers the requests of every route in openapi.yaml.
type Handler struct {
	*chi.Mux // the layers
	server   *server
	streams  detached.Responses
}

func newHandler(s *server) *Handler {
	return &Handler{Mux: s.routes(), server: s, streams: detached.Responses{Ended: s.streamEnded, Panicked: s.streamPanicked}}
}

// ServeHTTP runs the layers, and then the stream that they parked. A stream
// lives for hours, and thousands of them are idle: with the stack of all layers
// and all that they know of the request, each would take several times the
// memory. Over HTTP/1.1 it leaves net/http, which keeps much for each connection;
// over HTTP/2, where the connection is shared, it leaves the goroutine.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor > 1 && r.Method == http.MethodGet {
		(&aside{handler: h, w: w, r: r, ctx: r.Context()}).serve() //nolint:contextcheck // the steps have it from the struct
		return
	}
	h.serveDetached(w, r)
}

func (h *Handler) serveDetached(w http.ResponseWriter, r *http.Request) {
	q := h.admit(w, r)
	if q.parked == nil {
		return
	}
	if h.streams.Detach(q.outlived(context.Background()), w, r, detachable{q.parked}) { //nolint:contextcheck // the request's context ends with its handler
		return
	}
	h.server.streamInPlace(q.outlived(context.WithValue(r.Context(), requestKey{}, q)), w, q.parked)
}

// detachable is a stream as detached responses write it.
type detachable struct{ stream.Stream }

// Run writes the stream that has begun.
func (d detachable) Run(ctx context.Context) error { return stream.Run(ctx, d.Stream) }

// Shutdown waits for the streams that the server does not know of any more, and
// cuts off what is left of them when ctx ends. It is for after [http.Server.Shutdown].
func (h *Handler) Shutdown(ctx context.Context) error { return h.streams.Shutdown(ctx) }

// admit lets the layers answer a request, or find the stream that answers it.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) *request {
	q := &request{}
	h.Mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, q)))
	return q
}

// streamKey is the key of the id of the request that a stream came from: all
// that is known of it as long as the stream runs.
type streamKey struct{}

func (q *request) outlived(ctx context.Context) context.Context {
	return context.WithValue(ctx, streamKey{}, q.id)
}

// streamOf names the stream that ctx belongs to.
func streamOf(ctx context.Context) slog.Attr {
	id, _ := ctx.Value(streamKey{}).(string)
	return slog.String("request_id", id)
}

// streamInPlace writes a stream on its handler's goroutine.
func (s *server) streamInPlace(ctx context.Context, w http.ResponseWriter, opened stream.Stream) {
	err := opened.Begin(w)
	if err == nil {
		err = stream.Run(ctx, opened)
	}
	s.streamFailed(ctx, w, err)
}

// streamFailed answers a stream that has not begun, where there is still time.
func (s *server) streamFailed(ctx context.Context, w http.ResponseWriter, err error) {
	if err != nil && !errors.Is(err, stream.ErrStarted) {
		s.fail(w, new(http.Request).WithContext(ctx), err)
		return
	}
	s.streamEnded(ctx, err)
}

// streamEnded writes down that a stream was cut off. That can't be answered any
// more; its reader has a cursor and comes back.
func (s *server) streamEnded(ctx context.Context, err error) {
	if err == nil {
		return
	}
	s.log.LogAttrs(ctx, slog.LevelDebug, "stream cut off",
		streamOf(ctx), slog.Any("error", err))
}

// streamPanicked writes down what a stream panicked with.
func (s *server) streamPanicked(ctx context.Context, v any) {
	s.log.LogAttrs(ctx, slog.LevelError, "stream panicked",
		streamOf(ctx),
		slog.String("panic", fmt.Sprint(v)), slog.String("stack", string(debug.Stack())))
}
