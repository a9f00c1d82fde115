package stream

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

// adopt lets an unset ring begin with a page of history. What the log has
// behind it, up to its head, is to be fetched.
func (t *topic) adopt(frames []*frame, head ID, limit int) (grown int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ring.set || t.gone {
		return 0
	}
	base := frames[0].before()
	t.ring.start(base, false)
	for _, f := range frames {
		t.ring.push(f)
	}
	t.want(head)
	return t.settle(0, base, limit)
}

// prepend lets the ring begin earlier, with what of a page lies before it, as
// far as there is room.
func (t *topic) prepend(frames []*frame, limit int) (grown int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before := t.ring.bytes
	t.ring.prepend(frames, limit)
	return t.ring.bytes - before
}

// settle ends a change of the ring: bounds it, wakes readers if there is more
// to read, and says by how much it grew. t.mu is held.
func (t *topic) settle(before int, head ID, limit int) int {
	t.ring.shrink(limit)
	if t.ring.head != head {
		t.bell.ring()
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
	t.bell.ring()
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
	t.bell.ring()
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
