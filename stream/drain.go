package stream

import (
	"sync"
	"time"
)

// drain is how the hub asks its streams to end.
type drain struct {
	once   sync.Once
	begun  chan struct{}
	window time.Duration // set before begun is closed
}

// Drain refuses new streams from now on and lets each open one end at its own
// moment within window, with a `retry:` hint. The first call counts.
func (h *Hub) Drain(window time.Duration) {
	h.drain.once.Do(func() {
		h.drain.window = window
		close(h.drain.begun)
		for _, t := range h.all(nil) {
			t.bell.ring()
		}
	})
}

func (d *drain) on() bool {
	select {
	case <-d.begun:
		return true
	default:
		return false
	}
}
