package streamtest

import (
	"sync"

	"github.com/session-gateway/gateway/stream"
)

var _ stream.Feed = (*Feed)(nil)

// Feed tells one replica of commits in the buckets that it watches.
type Feed struct {
	mu      sync.Mutex
	watched map[uint16]bool
	sink    stream.Sink
}

// NewFeed is the feed of one more replica.
func (l *Logs) NewFeed() *Feed {
	f := &Feed{watched: make(map[uint16]bool)}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.feeds = append(l.feeds, f)
	return f
}

// Attach names who is told.
func (f *Feed) Attach(sink stream.Sink) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sink = sink
}

// Watch is stream.Feed.
func (f *Feed) Watch(bucket uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watched[bucket] = true
}

// Unwatch is stream.Feed.
func (f *Feed) Unwatch(bucket uint16) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.watched, bucket)
}

// Watched counts the buckets that are watched.
func (f *Feed) Watched() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.watched)
}

func (f *Feed) announce(n stream.Notice) {
	f.mu.Lock()
	sink, watched := f.sink, f.watched[n.Topic.Bucket]
	f.mu.Unlock()
	if sink != nil && watched {
		sink.Notify(n)
	}
}
