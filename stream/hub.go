package stream

import (
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
)

var (
	// ErrDraining says that the replica takes no new streams; another does.
	ErrDraining = errors.New("replica is draining")
	// ErrBusy says that the replica has as many streams as it may.
	ErrBusy = errors.New("too many streams")
	// ErrUnreadable says that the log could not be read, or changed again and
	// again meanwhile. It may be readable in a moment, here or elsewhere.
	ErrUnreadable = errors.New("event log can't be read now")
)

// Hub is a replica's share in the streams: the rings of the logs that it
// watches, and the readers of them.
type Hub struct {
	cfg    Config
	budget budget
	slots  chan struct{} // one per reader that is served from the log
	queue  queue         // topics with a gap
	resync resyncs
	drain  drain
	counts counts

	mu      sync.Mutex
	topics  map[Topic]*topic
	readers int
	over    bool // Run has ended; nobody sweeps any more

	snapshots singleflight.Group // of tenants, by name; of sessions, by tenant:session

	watchMu sync.Mutex // orders the calls of Feed; never held with mu
	watched map[uint16]int
}

var _ Sink = (*Hub)(nil)

// NewHub is a hub without readers. It needs Run to go on.
func NewHub(cfg Config) *Hub {
	cfg = cfg.withDefaults()
	return &Hub{
		cfg:     cfg,
		budget:  budget{limit: cfg.BudgetBytes},
		slots:   make(chan struct{}, cfg.Pagers),
		queue:   queue{ready: make(chan struct{}, 1)},
		resync:  resyncs{ready: make(chan struct{}, 1)},
		drain:   drain{begun: make(chan struct{})},
		topics:  make(map[Topic]*topic),
		watched: make(map[uint16]int),
	}
}

// Stats is what a hub holds at a moment.
type Stats struct {
	Readers   int
	Topics    int
	RingBytes int
}

// Stats counts what the hub holds.
func (h *Hub) Stats() Stats {
	h.mu.Lock()
	defer h.mu.Unlock()
	return Stats{Readers: h.readers, Topics: len(h.topics), RingBytes: h.budget.bytes()}
}

// join registers a reader of some logs. From here on their rings collect what
// comes, and any of them wakes the reader.
func (h *Hub) join(keys ...Topic) ([]*topic, error) {
	ts, added, err := h.enter(keys)
	for _, t := range added {
		h.watch(t.key.Bucket)
	}
	return ts, err
}

func (h *Hub) enter(keys []Topic) (ts, added []*topic, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.readers >= h.cfg.Readers {
		return nil, nil, ErrBusy
	}
	h.readers++
	ts = make([]*topic, len(keys))
	shared := h.bellOf(keys)
	for i, key := range keys {
		t, found := h.topics[key]
		if !found {
			t = newTopic(key, shared)
			h.topics[key] = t
			added = append(added, t)
		}
		t.readers++
		ts[i] = t
	}
	return ts, added, nil
}

// bellOf is the bell of logs that are read together. They always are, so those
// of them that are watched already have the same. h.mu is held.
func (h *Hub) bellOf(keys []Topic) *bell {
	for _, key := range keys {
		if t := h.topics[key]; t != nil {
			return t.bell
		}
	}
	return &bell{}
}

// leave takes a reader off. Run drops its topics when nobody has come back.
func (h *Hub) leave(ts []*topic) {
	h.mu.Lock()
	h.readers--
	for _, t := range ts {
		if t.readers--; t.readers == 0 {
			t.idleSince = time.Now()
		}
	}
	over := h.over
	h.mu.Unlock()
	if over {
		h.sweep(time.Now())
	}
}

// end drops what has no readers, and lets leave drop the rest.
func (h *Hub) end() {
	h.mu.Lock()
	h.over = true
	h.mu.Unlock()
	h.sweep(time.Now())
}

func (h *Hub) lookup(key Topic) *topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.topics[key]
}

// Follows says that the hub holds a ring of the log, kept true to it: that the
// log exists.
func (h *Hub) Follows(key Topic) bool {
	t := h.lookup(key)
	return t != nil && t.follows()
}

// all is the topics that are watched, of some buckets or (with nil) of all.
func (h *Hub) all(buckets map[uint16]bool) []*topic {
	h.mu.Lock()
	defer h.mu.Unlock()
	ts := make([]*topic, 0, len(h.topics))
	for _, t := range h.topics {
		if buckets == nil || buckets[t.key.Bucket] {
			ts = append(ts, t)
		}
	}
	return ts
}

// sweep drops topics that nobody has read since before.
func (h *Hub) sweep(before time.Time) {
	h.mu.Lock()
	var idle []*topic
	for key, t := range h.topics {
		if t.readers == 0 && !t.idleSince.After(before) {
			idle = append(idle, t)
			delete(h.topics, key)
		}
	}
	h.mu.Unlock()
	for _, t := range idle {
		h.drop(t, ReasonGone)
	}
}

// charge notes that a topic's ring grew. One that was dropped meanwhile has
// given its bytes back; the budget must not hold on to it.
func (h *Hub) charge(t *topic, grown int) {
	h.budget.charge(t, grown)
	if t.isGone() {
		h.budget.release(t, 0, true)
	}
}

// drop lets go of a topic that is in the map no more.
func (h *Hub) drop(t *topic, why Reason) {
	h.budget.release(t, t.end(why), true)
	h.unwatch(t.key.Bucket)
}

// abandon ends a topic's streams and tells them why. Who comes later asks anew.
func (h *Hub) abandon(t *topic, why Reason) {
	h.mu.Lock()
	current := h.topics[t.key] == t
	if current {
		delete(h.topics, t.key)
	}
	h.mu.Unlock()
	if current {
		h.drop(t, why)
	}
}

// restart resets every reader of a topic, unless that was done since gen.
func (h *Hub) restart(t *topic, gen uint64, why Reason) {
	if now, _ := t.generation(); now != gen {
		return
	}
	if why == ReasonDiverged {
		h.cfg.Logger.Warn("event history diverged", t.key.attr())
		h.cfg.OnDiverged(t.key)
	}
	if freed, done := t.restart(gen, why); done {
		h.budget.release(t, freed, true)
	}
}

func (h *Hub) watch(bucket uint16) {
	h.watchMu.Lock()
	defer h.watchMu.Unlock()
	if h.watched[bucket]++; h.watched[bucket] == 1 {
		h.cfg.Feed.Watch(bucket)
	}
}

func (h *Hub) unwatch(bucket uint16) {
	h.watchMu.Lock()
	defer h.watchMu.Unlock()
	if h.watched[bucket]--; h.watched[bucket] == 0 {
		delete(h.watched, bucket)
		h.cfg.Feed.Unwatch(bucket)
	}
}
