package api

import (
	"context"
	"net/http"
	"sync"

	"github.com/session-gateway/gateway/stream"
)

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
	id      string // of the request
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
	defer func() { a.failure = recover() }()
	if a.stream == nil {
		a.begin()
	} else {
		a.advance()
	}
}

// begin lets the layers answer the request, or begins the stream that they found.
func (a *aside) begin() {
	r := a.r
	p := a.handler.admit(a.w, r)
	if p.stream == nil {
		return
	}
	a.r, a.stream, a.id = nil, p.stream, p.request.id
	r.Header = nil // it would be kept as long as the stream
	if err := a.stream.Begin(a.w); err != nil {
		a.handler.server.streamFailed(a.known(), a.w, err)
		return
	}
	a.advance()
}

// advance lets the stream go on.
func (a *aside) advance() {
	var err error
	if a.open, err = a.stream.Advance(a.ctx); !a.open {
		a.handler.server.streamEnded(a.known(), err)
	}
}

// known is the context of what is said of the stream.
func (a *aside) known() context.Context {
	return context.WithValue(a.ctx, requestKey{}, &request{id: a.id})
}
