package stream

import (
	"context"
	"errors"
)

// follower is one reader's place in a log, and how it goes on from there. It
// knows nothing of HTTP. take never blocks; load and restart read the log.
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
	resets int    // since the last event
	page   []*frame
}

// need is what a follower needs before it can take more.
type need uint8

const (
	needNone     need = iota // something was taken, there may be more
	needEvents               // it has everything; wait
	needFetch                // the ring lacks what it has; let it be read, and wait
	needHistory              // load
	needReset                // restart
	needRing                 // the ring disagrees with the place; restart the topic
	needEnd                  // the session is closed, everything was taken
	needFarewell             // there is nothing to read any more; say why
)

// errUnstable says that resets don't lead anywhere.
var errUnstable = errors.New("resets without an event between them")

func (h *Hub) follow(t *topic, c Cursor) *follower {
	gen, _ := t.generation()
	return &follower{hub: h, t: t, cursor: c, pos: c.id(), gen: gen}
}

// waits says that nothing can be done but wait.
func (n need) waits() bool { return n == needEvents || n == needFetch }

// wants is what the follower needs now.
func (f *follower) wants() need {
	if len(f.page) > 0 {
		return needNone
	}
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	return f.standing()
}

// take copies the next frames into buf, and says what else it needs. When that
// is events, wake is closed as soon as there may be some.
func (f *follower) take(buf []*frame) (n int, what need, wake <-chan struct{}) {
	if len(f.page) > 0 {
		n = copyChunk(buf, f.page)
		f.page = f.page[n:]
		f.passed(buf[n-1])
		return n, needNone, nil
	}
	f.page = nil
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if what = f.standing(); what != needNone {
		return 0, what, f.t.wake
	}
	n = f.t.ring.after(f.pos.Seq, buf)
	f.passed(buf[n-1])
	return n, needNone, nil
}

func (f *follower) passed(last *frame) { f.pos, f.resets = last.id, 0 }

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
		f.resets = 0
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
			f.fix(r.head)
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

// restart takes the state to go on from. reset is what the reader must be told.
func (f *follower) restart(ctx context.Context) (reset reset, err error) {
	if f.resets >= maxResets {
		return reset, errUnstable
	}
	gen, why := f.t.generation()
	if f.lost != "" {
		why = f.lost
	}
	ctx, cancel := context.WithTimeout(ctx, f.hub.cfg.ReadTimeout)
	defer cancel()
	data, includes, err := f.hub.cfg.Snapshots.Snapshot(ctx, f.t.key)
	if err != nil {
		return reset, f.outcome(err)
	}
	reset.why, reset.cursor = why, f.at()
	reset.state, reset.includes = data, includes
	f.resets++
	f.page, f.lost, f.gen = nil, "", gen
	// The snapshot's id is a cursor like one that a client brings: the log has
	// to confirm it, and if it does not, that is no news for other readers.
	f.cursor, f.pos, f.fixed = cursorAt(includes), includes, false
	return reset, nil
}

// at is the reader's place as it knows it itself.
func (f *follower) at() string {
	if f.fixed {
		return f.pos.String()
	}
	return f.cursor.String()
}

// reset is what a reader is told when its place can't be continued.
type reset struct {
	why      Reason
	cursor   string
	state    []byte
	includes ID
}
