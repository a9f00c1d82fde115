package stream

import "errors"

// follower is a place in one log, and how it goes on from there. take never
// blocks; load reads the log.
//
// The handover from history to live needs no queue: the follower registers with
// the ring, reads the log until the ring holds what comes next, and at each
// step takes only what follows its own place. So nothing is seen twice and
// nothing is skipped, whatever happens in between.
type follower struct {
	hub    *Hub
	t      *topic
	cursor Cursor
	pos    ID     // of the last event taken
	fixed  bool   // pos was found in the log, its hash is whole
	gen    uint64 // of the topic that pos belongs to
	lost   Reason // this reader alone must be reset
	page   []*frame
}

// errUnstable says that resets don't lead anywhere.
var errUnstable = errors.New("resets without an event between them")

func (h *Hub) follow(t *topic, c Cursor) follower {
	gen, _ := t.generation()
	return follower{hub: h, t: t, cursor: c, pos: c.id(), gen: gen}
}

// wants is what the follower needs now.
func (f *follower) wants() need {
	if f.paging() {
		return needNone
	}
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	return f.standing()
}

func (f *follower) paging() bool { return len(f.page) > 0 }

// take copies the next frames into buf, and says what else it needs. When that
// is events, w is called as soon as there may be some.
func (f *follower) take(buf []*frame, w *waiter) (n int, what need) {
	if f.paging() {
		n = copyChunk(buf, f.page)
		f.page = f.page[n:]
		f.pos = buf[n-1].id
		return n, needNone
	}
	f.page = nil
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if what = f.standing(); what != needNone {
		f.t.bell.enter(w)
		return 0, what
	}
	n = f.t.ring.after(f.pos.Seq, buf)
	f.pos = buf[n-1].id
	return n, needNone
}

// standing is what the follower needs where it stands; none when the ring
// holds what comes next. t.mu is held.
func (f *follower) standing() need {
	switch {
	case f.t.gone:
		return needFarewell
	case f.lost != "" || f.gen != f.t.gen:
		return needReset
	case !f.fixed && !f.locate():
		return needHistory
	}
	switch f.t.ring.where(f.pos) {
	case nowhere, below:
		return needHistory
	case elsewhere:
		return needRing
	case above:
		f.t.want(f.pos)
		return needFetch
	case atHead:
		if f.t.ring.closed {
			return needEnd
		}
		return needEvents
	case within:
	}
	return needNone
}

// locate looks the cursor up in the ring, so that most readers who come back
// cost no read of the log. t.mu is held.
func (f *follower) locate() bool {
	r := &f.t.ring
	if f.cursor.kind == fromLatest {
		if r.set {
			f.fix(f.t.newest())
		}
		return r.set
	}
	h, held := r.hashAt(f.pos.Seq)
	if !held || !f.agrees(h) {
		return false
	}
	f.fix(ID{Seq: f.pos.Seq, Hash: h})
	return true
}

func (f *follower) fix(pos ID) { f.pos, f.fixed = pos, true }

// agrees says whether a hash at the follower's place is the one it has.
func (f *follower) agrees(h Hash) bool {
	if f.fixed {
		return h == f.pos.Hash
	}
	return [shortHash]byte(h[:shortHash]) == [shortHash]byte(f.pos.Hash[:shortHash])
}

// settle sees to what the topic has to do for the follower.
func (f *follower) settle(what need) {
	switch what {
	case needFetch:
		f.hub.enqueue(f.t)
	case needRing:
		f.hub.restart(f.t, f.gen, ReasonDiverged)
	case needNone, needEvents, needHistory, needReset, needEnd, needFarewell: // the reader's
	}
}

// broken is why the follower can't go on from its place, and the topic's
// generation to go on with.
func (f *follower) broken() (gen uint64, why Reason) {
	gen, why = f.t.generation()
	if f.lost != "" {
		why = f.lost
	}
	return gen, why
}

// resume goes on from what a snapshot includes.
func (f *follower) resume(includes ID, gen uint64) {
	f.page, f.lost, f.gen = nil, "", gen
	// The snapshot's id is a cursor like one that a client brings: the log has
	// to confirm it, and if it does not, that is no news for other readers.
	f.cursor, f.pos, f.fixed = cursorAt(includes), includes, false
}
