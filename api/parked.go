package api

import (
	"context"
	"net/http"

	"github.com/go-chi/chi/v5"
)

// parking is where a stream waits until the layers around its handler have
// returned. A stream lives for hours, and thousands of them are idle: on the
// stack of all layers each would keep twice the memory.
type parking struct {
	ctx    context.Context // of the handler: what the layers learned of the request
	stream streamed
}

type parkingKey struct{}

// park leaves a stream to unwound; without it around, it is written at once.
func park(ctx context.Context, w http.ResponseWriter, stream streamed) error {
	p, ok := ctx.Value(parkingKey{}).(*parking)
	if !ok {
		return stream(w)
	}
	p.ctx, p.stream = ctx, stream
	return nil
}

// parked says that a stream waits for the layers to be done.
func parked(ctx context.Context) bool {
	p, ok := ctx.Value(parkingKey{}).(*parking)
	return ok && p.stream != nil
}

// unwound runs the layers, and then the stream that was parked.
type unwound struct {
	*chi.Mux // the layers
	server   *server
}

// ServeHTTP answers a request.
func (u unwound) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p := u.admit(w, r)
	if p.stream == nil {
		return
	}
	if err := p.stream(w); err != nil {
		u.server.fail(w, r.WithContext(p.ctx), err) //nolint:contextcheck // it descends from r's
	}
}

// admit lets the layers answer a request, or find the stream that answers it.
func (u unwound) admit(w http.ResponseWriter, r *http.Request) *parking {
	p := &parking{}
	u.Mux.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), parkingKey{}, p)))
	return p
}
