package stream

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// topic is what a replica holds of one watched log.
type topic struct {
	key  Topic
	bell *bell // rings when there is something to see

	// opening lets one reader at a time read history while the ring has no
	// head, so that a crowd that arrives at once costs one read.
	opening chan struct{}

	mu     sync.Mutex
	ring   ring
	target ID     // the newest head heard of; beyond ring.head there is a gap
	gen    uint64 // counts the restarts; readers of an older one are reset
	why    Reason // of the last restart, or of the end
	gone   bool   // there is nothing to read here any more
	queued bool   // waits for a fetch
	unsure bool   // heads were compared before the ring had one

	readers   int       // guarded by Hub.mu
	idleSince time.Time // guarded by Hub.mu

	recent *list.Element // guarded by budget.mu
}

func newTopic(key Topic, b *bell) *topic {
	return &topic{key: key, bell: b, opening: make(chan struct{}, 1)}
}

// want notes a head that the log is known to have. t.mu is held.
func (t *topic) want(head ID) {
	if head.Seq > t.target.Seq {
		t.target = head
	}
}

// missing is the head to read on from when the ring lacks events. When it
// lacks none, the fetch that asks is over.
func (t *topic) missing() (ID, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queued = t.behind()
	return t.ring.head, t.queued
}

// giveUp ends a fetch that failed; the next one may be queued.
func (t *topic) giveUp() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queued = false
}

// behind says that the ring lacks events. t.mu is held.
func (t *topic) behind() bool {
	return !t.gone && t.ring.set && t.target.Seq > t.ring.head.Seq
}

// missedComparison says, once, that heads were compared before the ring had one.
func (t *topic) missedComparison() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	missed := t.unsure && t.ring.set
	t.unsure = t.unsure && !missed
	return missed
}

// short says that the ring ends before a place.
func (t *topic) short(of ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ring.set && t.ring.head.Seq < of.Seq
}

// known is the newest place that the log is known to have had.
func (t *topic) known() (ID, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ring.set || t.gone {
		t.unsure = !t.gone
		return ID{}, false
	}
	return t.newest(), true
}

// newest is the newest place heard of; the ring is set. t.mu is held.
func (t *topic) newest() ID {
	if t.target.Seq > t.ring.head.Seq {
		return t.target
	}
	return t.ring.head
}

// open waits for the turn to read history while the ring has no head. The
// second value says that there is no need any more.
func (t *topic) open(ctx context.Context) (release func(), done bool, err error) {
	if t.started() {
		return func() {}, false, nil
	}
	select {
	case t.opening <- struct{}{}:
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	return func() { <-t.opening }, t.started(), nil
}

func (t *topic) started() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ring.set || t.gone
}

// follows says that the ring has a head.
func (t *topic) follows() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ring.set && !t.gone
}

// isGone says that there is nothing to read here any more.
func (t *topic) isGone() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gone
}

// generation is the count of restarts and the reason of the last.
func (t *topic) generation() (uint64, Reason) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gen, t.why
}

// reason is why the topic was restarted or ended.
func (t *topic) reason() Reason {
	_, why := t.generation()
	return why
}
