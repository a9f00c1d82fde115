package stream

import (
	"container/list"
	"sync"
)

// budget keeps the rings of a replica within its bytes. The log that was
// written to longest ago gives first: its readers have most likely read it.
type budget struct {
	limit int

	mu     sync.Mutex
	used   int
	recent list.List // of *topic that may hold bytes, newest first
}

// charge notes that a topic's ring grew.
func (b *budget) charge(t *topic, grown int) {
	b.mu.Lock()
	b.used += grown
	switch {
	case grown <= 0:
	case t.recent == nil:
		t.recent = b.recent.PushFront(t)
	default:
		b.recent.MoveToFront(t.recent)
	}
	b.mu.Unlock()
	b.enforce()
}

// enforce sheds until the rings fit.
func (b *budget) enforce() {
	for t := b.victim(); t != nil; t = b.victim() {
		freed, empty := t.shed()
		b.release(t, freed, empty)
	}
}

func (b *budget) victim() *topic {
	b.mu.Lock()
	defer b.mu.Unlock()
	last := b.recent.Back()
	if b.used <= b.limit || last == nil {
		return nil
	}
	return last.Value.(*topic)
}

// release notes that a topic's ring shrank.
func (b *budget) release(t *topic, freed int, empty bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= freed
	if empty && t.recent != nil {
		b.recent.Remove(t.recent)
		t.recent = nil
	}
}

// room is how much more the rings may hold.
func (b *budget) room() int { return max(0, b.limit-b.bytes()) }

func (b *budget) bytes() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.used
}
