package detached

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Responses are the responses that were detached from one server, which neither
// waits for them nor ends them when it shuts down: [Responses.Shutdown] does.
type Responses struct {
	// Ended is told when a response is over, and the error that broke it off.
	Ended func(ctx context.Context, err error)
	// Panicked is told what an answer panicked with; its response breaks off.
	Panicked func(ctx context.Context, v any)

	mu   sync.Mutex
	over bool // nothing is detached any more
	open map[*Response]context.CancelFunc
	wg   sync.WaitGroup
}

// Answer writes one response.
type Answer interface {
	// Begin writes what there is at once, on the goroutine of the request. An
	// error ends the response.
	Begin(w http.ResponseWriter) error
	// Run writes the rest, on a goroutine of its own with a small stack. Its
	// context ends when the client leaves.
	Run(ctx context.Context) error
}

// Detach takes over the connection of r and lets answer respond; the caller
// must return, and not touch w and r again. Run gets the values of ctx. Where
// this can't be done nothing has happened, and it answers false.
func (s *Responses) Detach(ctx context.Context, w http.ResponseWriter, r *http.Request, answer Answer) bool {
	if r.ProtoMajor != 1 || r.ProtoMinor == 0 || s.closing() {
		return false
	}
	header := w.Header().Clone()
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return false
	}
	s.start(ctx, &Response{conn: conn, header: header}, answer)
	return true
}

func (s *Responses) closing() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}

// start begins the response and leaves the rest to goroutines of its own.
func (s *Responses) start(ctx context.Context, r *Response, answer Answer) {
	left := false
	defer func() {
		if !left { // it failed or panicked
			_ = r.conn.Close() // the client may have closed it already
		}
	}()
	if err := answer.Begin(r); err != nil {
		s.Ended(ctx, err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	left = s.leave(ctx, r, answer)
}

// leave starts the response's two goroutines, unless it is too late. Its run
// ends at once then, to let go of what it has. s.mu is held.
func (s *Responses) leave(ctx context.Context, r *Response, answer Answer) bool {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if s.over {
		cancel()
		s.Ended(ctx, answer.Run(ctx))
		return false
	}
	if s.open == nil {
		s.open = make(map[*Response]context.CancelFunc)
	}
	s.open[r] = cancel
	s.wg.Go(func() {
		r.awaitLeave()
		cancel()
	})
	s.wg.Go(func() { s.run(ctx, r, answer) })
	return true
}

// run writes the rest of a response, and closes its connection.
func (s *Responses) run(ctx context.Context, r *Response, answer Answer) {
	defer s.end(r)
	defer s.recovered(ctx)
	err := answer.Run(ctx)
	if err == nil {
		err = r.finish()
	}
	s.Ended(ctx, err)
}

// recovered keeps a panic from ending the program, as net/http does.
func (s *Responses) recovered(ctx context.Context) {
	if v := recover(); v != nil {
		s.Panicked(ctx, v)
	}
}

// end closes the connection, which also ends awaitLeave.
func (s *Responses) end(r *Response) {
	_ = r.conn.Close() // the client may have closed it already
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open[r]()
	delete(s.open, r)
}

// Shutdown detaches nothing more and waits until all responses have ended. Those
// that have not when ctx ends are cut off, and the error of ctx is answered.
func (s *Responses) Shutdown(ctx context.Context) error {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.wg.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
	}
	for _, conn := range s.cut() {
		_ = conn.Close() // it is being given up
	}
	<-ended
	return ctx.Err()
}

// cut ends the contexts of all responses and gives their connections.
func (s *Responses) cut() []net.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	conns := make([]net.Conn, 0, len(s.open))
	for r, cancel := range s.open {
		cancel()
		conns = append(conns, r.conn)
	}
	return conns
}
