package stream

import (
	"log/slog"
	"sync"
)

// Notify takes what a commit announced. It does not block.
func (h *Hub) Notify(n Notice) {
	t := h.lookup(n.Topic)
	if t == nil {
		return
	}
	frames, err := encodeAll(n.Topic, n.Events)
	if err != nil {
		// The log is asked instead; what it holds decides.
		h.cfg.Logger.Error("unusable notice", n.Topic.attr(), slog.Any("error", err))
		frames = nil
	}
	stamp(frames, n.Events)
	if len(frames) == 0 {
		v, gen := t.judgeHead(n.Head)
		h.act(t, v, gen)
		return
	}
	h.offer(t, frames)
}

// Resync compares the heads of the watched logs of these buckets soon. It does
// not block.
func (h *Hub) Resync(buckets []uint16) { h.resync.add(buckets) }

// offer gives a topic's ring frames and acts on what comes of it.
func (h *Hub) offer(t *topic, frames []*frame) {
	v, gen, grown := t.offer(frames, h.cfg.RingBytes)
	h.charge(t, grown)
	h.act(t, v, gen)
}

func (h *Hub) act(t *topic, v verdict, gen uint64) {
	switch v {
	case follows, known:
	case gap:
		h.enqueue(t)
	case older:
		// A notice that is late, or one of a history that was cut shorter.
		// The ring can't tell; the log's head can.
		h.Resync([]uint16{t.key.Bucket})
	case diverged:
		h.restart(t, gen, ReasonDiverged)
	}
}

// resyncs are the buckets whose heads are to be compared.
type resyncs struct {
	ready chan struct{} // has one element when buckets may not be empty

	mu      sync.Mutex
	buckets map[uint16]bool
}

func (r *resyncs) add(buckets []uint16) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buckets == nil {
		r.buckets = make(map[uint16]bool, len(buckets))
	}
	for _, b := range buckets {
		r.buckets[b] = true
	}
	signal(r.ready)
}

func (r *resyncs) take() map[uint16]bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := r.buckets
	r.buckets = nil
	return b
}

// queue is the topics whose gaps are to be read, each at most once.
type queue struct {
	ready chan struct{} // has one element when topics may not be empty

	mu     sync.Mutex
	topics []*topic
}

func (q *queue) push(t *topic) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.topics = append(q.topics, t)
	signal(q.ready)
}

// pop takes the first topic, and signals again if there are more.
func (q *queue) pop() *topic {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.topics) == 0 {
		return nil
	}
	t := q.topics[0]
	q.topics[0] = nil
	if q.topics = q.topics[1:]; len(q.topics) > 0 {
		signal(q.ready)
	}
	return t
}

func signal(ready chan struct{}) {
	select {
	case ready <- struct{}{}:
	default: // signalled already
	}
}
