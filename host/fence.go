package host

import (
	"context"
	"sync"
)

// fence is the number of this host's lease. Its keeper writes it, everybody
// reads it.
type fence struct {
	mu      sync.Mutex
	number  int64
	changed chan struct{} // closed and made anew with each change; nil: nobody waits
}

// Load is the number now; 0: there was no lease yet.
func (f *fence) Load() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.number
}

// Store changes the number.
func (f *fence) Store(n int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.number = n
	if f.changed != nil {
		close(f.changed)
		f.changed = nil
	}
}

// reach waits until the number is n or higher, or ctx ends.
func (f *fence) reach(ctx context.Context, n int64) {
	for {
		f.mu.Lock()
		if f.number >= n {
			f.mu.Unlock()
			return
		}
		if f.changed == nil {
			f.changed = make(chan struct{})
		}
		changed := f.changed
		f.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
