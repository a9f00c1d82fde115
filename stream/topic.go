package stream

import (
	"container/list"
	"context"
	"sync"
	"time"
)

// topic is what a replica holds of one watched log.
type topic struct {
	key Topic

	// opening lets one reader at a time read history while the ring has no
	// head, so that a crowd that arrives at once costs one read.
	opening chan struct{}

	mu     sync.Mutex
	ring   ring
	target ID            // the newest head heard of; beyond ring.head there is a gap
	wake   chan struct{} // closed and replaced when there is something to see
	gen    uint64        // counts the restarts; readers of an older one are reset
	why    Reason        // of the last restart, or of the end
	gone   bool          // there is nothing to read here any more
	queued bool          // waits for a fetch

	readers   int       // guarded by Hub.mu
	idleSince time.Time // guarded by Hub.mu

	recent *list.Element // guarded by budget.mu
}

func newTopic(key Topic) *topic {
	return &topic{key: key, opening: make(chan struct{}, 1), wake: make(chan struct{})}
}

// broadcast wakes every reader. t.mu is held.
func (t *topic) broadcast() {
	close(t.wake)
	t.wake = make(chan struct{})
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
		return ID{}, false
	}
	if t.target.Seq > t.ring.head.Seq {
		return t.target, true
	}
	return t.ring.head, true
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

// generation is the count of restarts and the reason of the last.
func (t *topic) generation() (uint64, Reason) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.gen, t.why
}

// offer gives the ring frames in order. The verdict is follows when nothing is
// wrong; the generation is the one that it was found in.
func (t *topic) offer(frames []*frame, limit int) (v verdict, gen uint64, grown int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before, head := t.ring.bytes, t.ring.head
	for _, f := range frames {
		switch v = t.ring.judge(f.id, f.prev); v {
		case follows:
			t.ring.push(f)
			continue
		case known:
			v = follows
			continue
		case older: // a page may begin before the ring does
			continue
		case gap:
			t.want(frames[len(frames)-1].id)
		case diverged:
		}
		break
	}
	return v, t.gen, t.settle(before, head, limit)
}

// adopt lets an unset ring begin with a page of history that reaches the head.
func (t *topic) adopt(base ID, frames []*frame, limit int) (grown int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ring.set || t.gone {
		return 0
	}
	t.ring.start(base, false)
	for _, f := range frames {
		t.ring.push(f)
	}
	return t.settle(0, base, limit)
}

// settle ends a change of the ring: bounds it, wakes readers if there is more
// to read, and says by how much it grew. t.mu is held.
func (t *topic) settle(before int, head ID, limit int) int {
	t.ring.shrink(limit)
	if t.ring.head != head {
		t.broadcast()
	}
	return t.ring.bytes - before
}

// judgeHead compares a head that was announced without its events.
func (t *topic) judgeHead(head ID) (verdict, uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.ring.set || head.Seq > t.ring.head.Seq {
		t.want(head)
		return gap, t.gen
	}
	return t.ring.judgeHeld(head), t.gen
}

// learn tells the topic what the log's bounds are.
func (t *topic) learn(b Bounds) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ring.set || t.gone {
		t.want(b.Head)
		return
	}
	t.ring.start(b.Head, b.Closed)
	t.broadcast()
}

// restart forgets the ring and lets every reader be reset, unless that has
// happened since gen. It says how many bytes were let go.
func (t *topic) restart(gen uint64, why Reason) (freed int, done bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.gen != gen || t.gone {
		return 0, false
	}
	t.gen++
	t.why = why
	return t.clear(), true
}

// end lets every reader end, and tells them why.
func (t *topic) end(why Reason) (freed int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.gone, t.why = true, why
	return t.clear()
}

// clear empties the topic. t.mu is held.
func (t *topic) clear() (freed int) {
	freed = t.ring.bytes
	t.ring, t.target = ring{}, ID{}
	t.broadcast()
	return freed
}

// shed lets go of the older half of what the ring holds.
func (t *topic) shed() (freed int, empty bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.ring.bytes
	t.ring.shrink(before / 2)
	return before - t.ring.bytes, t.ring.bytes == 0
}

// reason is why the topic was restarted or ended.
func (t *topic) reason() Reason {
	_, why := t.generation()
	return why
}
