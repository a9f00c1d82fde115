package stream

import "slices"

// ring holds the newest frames of one log. It is pure: no lock, no clock, no
// I/O. Its owner decides what to do with its verdicts.
//
// It is contiguous: every frame's previous hash is the hash of the one before
// it, the first one's is base's. A ring that is not set knows nothing yet.
type ring struct {
	set    bool
	base   ID // the place before the oldest frame held
	head   ID // the place of the newest frame, base when none is held
	closed bool
	frames []*frame
	bytes  int
}

// verdict is what a ring thinks of a place that it is told of.
type verdict uint8

const (
	follows  verdict = iota // right behind the head
	known                   // held, the same
	older                   // before what is held; the ring can't tell
	gap                     // beyond the head with something missing between
	diverged                // another history
)

// judge compares an event with what is held.
func (r *ring) judge(id ID, prev Hash) verdict {
	switch {
	case !r.set || id.Seq > r.head.Seq+1:
		return gap
	case id.Seq == r.head.Seq+1 && prev == r.head.Hash:
		return follows
	case id.Seq == r.head.Seq+1:
		return diverged
	}
	return r.judgeHeld(id)
}

func (r *ring) judgeHeld(id ID) verdict {
	h, held := r.hashAt(id.Seq)
	switch {
	case !held:
		return older
	case h == id.Hash:
		return known
	}
	return diverged
}

// hashAt is the hash at a place from base to head.
func (r *ring) hashAt(seq uint64) (Hash, bool) {
	switch {
	case !r.set || seq < r.base.Seq || seq > r.head.Seq:
		return Hash{}, false
	case seq == r.base.Seq:
		return r.base.Hash, true
	}
	return r.frames[seq-r.base.Seq-1].id.Hash, true
}

// start gives an unset ring its place.
func (r *ring) start(at ID, closed bool) {
	*r = ring{set: true, base: at, head: at, closed: closed}
}

// push takes a frame that judge said follows.
func (r *ring) push(f *frame) {
	r.frames = append(r.frames, f)
	r.bytes += f.size()
	r.head, r.closed = f.id, f.last
}

// prepend takes frames, one stretch of history, that lie before what is held
// and lead to it: the newest of them, until limit bytes are held.
func (r *ring) prepend(frames []*frame, limit int) {
	end := r.base.Seq + 1 - min(frames[0].id.Seq, r.base.Seq+1)
	if !r.set || end == 0 || end > uint64(len(frames)) || frames[end-1].id != r.base {
		return
	}
	at := end
	for at > 0 && r.bytes+frames[at-1].size() <= limit {
		at--
		r.bytes += frames[at].size()
		r.base = frames[at].before()
	}
	if at < end {
		r.frames = slices.Concat(frames[at:end], r.frames)
	}
}

// shrink lets go of the oldest frames until at most limit bytes are held.
func (r *ring) shrink(limit int) {
	for r.bytes > limit {
		f := r.frames[0]
		r.frames[0] = nil // the array behind the slice must not keep it alive
		r.frames = r.frames[1:]
		r.base = f.id
		r.bytes -= f.size()
	}
	if len(r.frames) == 0 {
		r.frames = nil
	}
}

// relation is where a reader stands relative to a ring.
type relation uint8

const (
	nowhere   relation = iota // the ring is not set
	below                     // what comes next is not held any more
	within                    // frames follow
	atHead                    // nothing to read
	above                     // the ring is behind the reader
	elsewhere                 // on another history
)

func (r *ring) where(pos ID) relation {
	switch {
	case !r.set:
		return nowhere
	case pos.Seq < r.base.Seq:
		return below
	case pos.Seq > r.head.Seq:
		return above
	}
	switch h, _ := r.hashAt(pos.Seq); {
	case h != pos.Hash:
		return elsewhere
	case pos.Seq == r.head.Seq:
		return atHead
	}
	return within
}

// after copies frames that follow seq into buf, and says how many. It stops at
// chunkBytes, but gives at least one.
func (r *ring) after(seq uint64, buf []*frame) int {
	return copyChunk(buf, r.frames[seq-r.base.Seq:])
}

// copyChunk copies the first frames of src, at most about chunkBytes of them.
func copyChunk(buf, src []*frame) int {
	n, size := 0, 0
	for n < len(buf) && n < len(src) && size < chunkBytes {
		buf[n] = src[n]
		size += len(src[n].data)
		n++
	}
	return n
}
