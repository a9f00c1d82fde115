package stream

import (
	"context"
	"errors"
)

// errVolatile says that a log changed between two reads; reading again helps.
var errVolatile = errors.New("event log changed while it was read")

// load reads what the ring does not hold: where the log stands, and a page.
func (f *follower) load(ctx context.Context) error {
	release, done, err := f.t.open(ctx)
	if err != nil {
		return err
	}
	defer release()
	if done {
		return nil
	}
	if f.fixed {
		if found, err := f.loadPage(ctx, nil); found || err != nil {
			return f.outcome(err)
		}
	}
	return f.outcome(f.loadChecked(ctx))
}

// outcome ends the topic where an error means that, for all its readers.
func (f *follower) outcome(err error) error {
	if err != nil && f.hub.fatal(f.t, err) {
		return nil
	}
	return err
}

// loadChecked compares the follower's place with the log before it reads.
func (f *follower) loadChecked(ctx context.Context) error {
	b, err := f.bounds(ctx)
	if err != nil {
		return err
	}
	f.settleCursor(b)
	switch {
	case f.lost != "":
	case f.pos.Seq > b.Head.Seq:
		f.disagree(ReasonAhead)
	case f.pos.Seq+1 < b.First:
		f.lost = ReasonTrimmed
	case f.pos.Seq == b.Head.Seq:
		f.arrive(b)
	default:
		return f.mustLoadPage(ctx, b)
	}
	return nil
}

func (f *follower) bounds(ctx context.Context) (Bounds, error) {
	ctx, cancel := context.WithTimeout(ctx, f.hub.cfg.ReadTimeout)
	defer cancel()
	return f.hub.cfg.Log.Bounds(ctx, f.t.key)
}

// settleCursor gives the cursors that name no event their place.
func (f *follower) settleCursor(b Bounds) {
	switch {
	case f.fixed || f.cursor.kind == fromID:
	case f.cursor.kind == fromLatest:
		f.fix(b.Head)
	case b.First > 1:
		f.lost = ReasonTrimmed
	default:
		f.fix(ID{})
	}
}

// arrive ends the reading of history: the follower has all that the log has.
func (f *follower) arrive(b Bounds) {
	if !f.agrees(b.Head.Hash) {
		f.disagree(ReasonDiverged)
		return
	}
	f.fix(b.Head)
	f.t.learn(b)
	f.hub.catchUp(f.t)
}

// disagree acts on a place that the log does not have. A cursor that a client
// brought is that client's matter; a place that was found in the log before
// means that the log changed, for everyone.
func (f *follower) disagree(why Reason) {
	if f.fixed {
		f.hub.restart(f.t, f.gen, ReasonDiverged)
		return
	}
	f.lost = why
}

func (f *follower) mustLoadPage(ctx context.Context, b Bounds) error {
	found, err := f.loadPage(ctx, &b)
	if err == nil && !found {
		return errVolatile
	}
	return err
}

// loadPage reads the events behind the follower's place. With bounds it is
// known where the log ends, so that an unset ring can begin with the page.
func (f *follower) loadPage(ctx context.Context, b *Bounds) (found bool, err error) {
	frames, err := f.hub.read(ctx, f.t.key, f.pos.Seq)
	if err != nil || len(frames) == 0 {
		return false, err
	}
	first := frames[0]
	switch {
	case first.id.Seq != f.pos.Seq+1:
		f.lost = ReasonTrimmed
	case !f.agrees(first.prev) || !linked(frames):
		f.disagree(ReasonDiverged)
	default:
		f.fix(ID{Seq: f.pos.Seq, Hash: first.prev})
		f.page = frames
		f.share(b)
	}
	return true, nil
}

// linked says whether frames are one stretch of one history.
func linked(frames []*frame) bool {
	for i, f := range frames[1:] {
		if f.id.Seq != frames[i].id.Seq+1 || f.prev != frames[i].id.Hash {
			return false
		}
	}
	return true
}

// share gives the ring what a page has for it.
func (f *follower) share(b *Bounds) {
	last := f.page[len(f.page)-1].id
	room := f.hub.budget.room()
	if b != nil && f.leads(b.Head, room) {
		f.hub.charge(f.t, f.t.adopt(f.page, b.Head, f.hub.cfg.RingBytes))
	}
	if room > f.hub.cfg.PageBytes {
		f.hub.charge(f.t, f.t.prepend(f.page, f.hub.cfg.RingBytes))
	}
	if f.t.short(last) {
		f.hub.offer(f.t, f.page)
	}
	f.hub.catchUp(f.t)
}

// leads says whether a ring that begins with the page can hold all that follows
// it, going by the events seen. Then the log is read once for everybody who
// comes back from here, and this reader takes what is fetched like any other.
func (f *follower) leads(head ID, room int) bool {
	size := 0
	for _, frame := range f.page {
		size += frame.size()
	}
	missing := int(head.Seq - min(head.Seq, f.page[len(f.page)-1].id.Seq))
	if missing == 0 {
		return true
	}
	return size+missing*(size/len(f.page)) <= min(room, f.hub.cfg.RingBytes)
}
