package api

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"

	"github.com/session-gateway/gateway/stream"
)

// nowhere is the address of requests that are forgotten. It is never changed.
var nowhere = &url.URL{}

// aside serves a request beside the goroutine that it came on. Over HTTP/2 that
// goroutine has to stay for as long as its stream does, and a stack that was
// large once hardly becomes small again. So all it does is wait: what takes
// room is done on goroutines that come and go.
type aside struct {
	handler *Handler
	w       http.ResponseWriter
	r       *http.Request // nil once the layers are done with it
	ctx     context.Context
	stream  stream.Stream
	open    bool
	failure any // what the last step panicked with
	step    sync.WaitGroup
}

// serve answers a request, and writes the stream that it may turn out to be.
func (a *aside) serve() {
	for a.do(); a.open; a.do() {
		a.stream.Wait()
	}
}

// do lets another goroutine take the next step, and passes on its panic.
func (a *aside) do() {
	a.step.Add(1)
	go a.take()
	a.step.Wait()
	if a.failure != nil {
		panic(a.failure)
	}
}

func (a *aside) take() {
	defer a.step.Done()
	defer func() { a.failure = a.failed(recover()) }()
	if a.stream == nil {
		a.begin()
	} else {
		a.advance()
	}
}

// failed writes down what a stream panicked with, and gives what tells the
// server to break it off. The layers see to their own panics.
func (a *aside) failed(v any) any {
	if err, ok := v.(error); v == nil || ok && errors.Is(err, http.ErrAbortHandler) {
		return v
	}
	a.handler.server.streamPanicked(a.ctx, v)
	return http.ErrAbortHandler
}

// begin lets the layers answer the request, or begins the stream that they found.
func (a *aside) begin() {
	q := a.handler.admit(a.w, a.r)
	if q.parked == nil {
		return
	}
	forget(a.r)
	a.r, a.stream, a.ctx = nil, q.parked, q.outlived(a.ctx)
	if err := a.stream.Begin(a.w); err != nil {
		a.handler.server.streamFailed(context.WithValue(a.ctx, requestKey{}, q), a.w, err)
		return
	}
	a.advance()
}

// advance lets the stream go on.
func (a *aside) advance() {
	var err error
	if a.open, err = a.stream.Advance(a.ctx); !a.open {
		a.handler.server.streamEnded(a.ctx, err)
	}
}

// forget drops what a request said: the server keeps the request as long as its
// stream, and never looks at that again.
func forget(r *http.Request) { r.Header, r.URL, r.RequestURI = nil, nowhere, "" }
