package sessions

import (
	"sync"

	"github.com/session-gateway/gateway/stream"
)

// waiters are the long-polls of this replica, by session.
type waiters struct {
	feed stream.Feed
	mu   sync.Mutex
	byID map[stream.Topic]map[chan struct{}]bool
}

func newWaiters(feed stream.Feed) *waiters {
	return &waiters{feed: feed, byID: map[stream.Topic]map[chan struct{}]bool{}}
}

// join waits for commits of a session. The channel holds one wake-up, so that
// none is lost between a look and the wait. leave has to be called.
func (w *waiters) join(t stream.Topic) (woken <-chan struct{}, leave func()) {
	ch := make(chan struct{}, 1)
	w.mu.Lock()
	if w.byID[t] == nil {
		w.byID[t] = map[chan struct{}]bool{}
	}
	w.byID[t][ch] = true
	w.mu.Unlock()
	w.feed.Watch(t.Bucket)
	return ch, func() {
		w.feed.Unwatch(t.Bucket)
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.byID[t], ch)
		if len(w.byID[t]) == 0 {
			delete(w.byID, t)
		}
	}
}

func (w *waiters) wake(t stream.Topic) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.byID[t] {
		nudge(ch)
	}
}

func (w *waiters) wakeBuckets(buckets []uint16) {
	missed := make(map[uint16]bool, len(buckets))
	for _, b := range buckets {
		missed[b] = true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for t, chans := range w.byID {
		if missed[t.Bucket] {
			for ch := range chans {
				nudge(ch)
			}
		}
	}
}

func nudge(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default: // a wake-up is waiting already
	}
}
