package host

import (
	"context"
	"sync"
)

// maxParallel is how many calls run at once: as many as the gateway lets run of
// one group.
const maxParallel = 10

// place is a call: a position of a batch.
type place struct {
	batch    string
	position int
}

// calls are the calls on offer and at work. The maps belong to mu.
type calls struct {
	*Host
	slots chan struct{} // one for each call at work

	mu      sync.Mutex
	running map[place]*run
	// granted are the calls of open batches that this process was given. The
	// gateway answers a claim that is repeated as it did the first time, so the
	// claim alone does not say that a call was not run yet.
	granted map[place]bool
}

// run is one call at work.
type run struct{ cancel context.CancelCauseFunc }

func newCalls(h *Host) *calls {
	return &calls{
		Host: h, slots: make(chan struct{}, maxParallel),
		running: map[place]*run{}, granted: map[place]bool{},
	}
}

// take notes a call as at work, unless it is or has been.
func (c *calls) take(ctx context.Context, at place) (context.Context, *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[at] != nil || c.granted[at] {
		return nil, nil
	}
	own, cancel := context.WithCancelCause(ctx)
	r := &run{cancel: cancel}
	c.running[at] = r
	return own, r
}

// grant notes that a call was given to this process. It gives false if it was
// before.
func (c *calls) grant(at place) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.granted[at] {
		return false
	}
	c.granted[at] = true
	return true
}

// forget takes a call off the list when its work is done.
func (c *calls) forget(at place, r *run) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.cancel(nil)
	if c.running[at] == r { // else it was ended, and may have been offered again
		delete(c.running, at)
	}
}

// end ends a call that the gateway has ended or taken back.
func (c *calls) end(at place) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(at, errCallOver)
}

func (c *calls) drop(at place, why error) {
	if r := c.running[at]; r != nil {
		r.cancel(why)
		delete(c.running, at)
	}
}

// endBatch ends what is left of a batch. Nothing of it is offered any more.
func (c *calls) endBatch(bid string) {
	c.endAll(errCallOver, func(at place) bool { return at.batch == bid })
}

// keep ends every call that is not open.
func (c *calls) keep(open map[place]bool) {
	c.endAll(errCallOver, func(at place) bool { return !open[at] })
}

// endAll ends the calls that over says so of, and forgets who was granted them.
func (c *calls) endAll(why error, over func(place) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for at := range c.running {
		if over(at) {
			c.drop(at, why)
		}
	}
	for at := range c.granted {
		if over(at) {
			delete(c.granted, at)
		}
	}
}
