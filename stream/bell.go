package stream

import "sync"

// bell wakes readers. Whoever means to wait takes its channel before looking
// for something to do, so that no ring in between is lost. Logs that are read
// together share one.
type bell struct {
	mu sync.Mutex
	ch chan struct{} // closed at the next ring; nil when nobody waits
}

// wait is closed as soon as the bell rings.
func (b *bell) wait() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch == nil {
		b.ch = make(chan struct{})
	}
	return b.ch
}

func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ch != nil {
		close(b.ch)
		b.ch = nil
	}
}
