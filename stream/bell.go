package stream

import "sync"

// waiter is a reader that waits. However often it is called until it looks, it
// looks once.
type waiter struct {
	called chan struct{} // has one element when it was called
	place  int           // among those who wait for its bell, from 1; guarded by bell.mu
}

func newWaiter() waiter { return waiter{called: make(chan struct{}, 1)} }

// call does not block.
func (w *waiter) call() { signal(w.called) }

// bell calls readers. Whoever means to wait enters itself before looking for
// something to do, so that no ring in between is lost. Logs that are read
// together share one.
type bell struct {
	mu      sync.Mutex
	waiting []*waiter // until the next ring
}

func (b *bell) enter(w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.place == 0 {
		b.waiting = append(b.waiting, w)
		w.place = len(b.waiting)
	}
}

func (b *bell) leave(w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w.place == 0 {
		return
	}
	end := len(b.waiting) - 1
	last := b.waiting[end]
	b.waiting[w.place-1], last.place = last, w.place
	b.waiting[end], w.place = nil, 0
	b.waiting = b.waiting[:end]
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, w := range b.waiting {
		w.place = 0
		w.call()
	}
	clear(b.waiting)
	b.waiting = b.waiting[:0]
}
