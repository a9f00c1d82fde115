// Package streamtest keeps event logs in memory, for tests of what reads or
// writes them. Logs is a stream.Log and makes snapshots, Feed a
// stream.Feed for one replica. They do what they are told, failures included:
// notices can be lost, logs trimmed, put back to an older state, or removed.
//
// It guarantees what a store guarantees (sealed events, gapless sequence
// numbers, a notice after each commit) and nothing about speed.
package streamtest

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/session-gateway/gateway/stream"
)

// MaxNotice is the most bytes of events that a notice carries.
const MaxNotice = 8 << 10

// Epoch is the time that events are stamped with.
var Epoch = time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)

var (
	_ stream.Log         = (*Logs)(nil)
	_ stream.Snapshotter = (*Logs)(nil)
)

// Logs is a set of event logs in memory. It is safe for concurrent use.
type Logs struct {
	mu        sync.Mutex
	logs      map[stream.Topic]*eventLog
	feeds     []*Feed
	failure   error
	reads     int
	snapshots int
}

type eventLog struct {
	base   stream.ID // of the event before the first one retained
	events []stream.Event
}

func (l *eventLog) head() stream.ID {
	if n := len(l.events); n > 0 {
		return l.events[n-1].ID()
	}
	return l.base
}

// New has no logs.
func New() *Logs {
	return &Logs{logs: make(map[stream.Topic]*eventLog)}
}

// Append commits events and announces them.
func (l *Logs) Append(t stream.Topic, drafts ...stream.Draft) stream.Notice {
	n := l.Commit(t, drafts...)
	l.Announce(n)
	return n
}

// Commit appends events behind the log's head, making the log if there is none.
// Nobody is told; the notice can be announced, or lost.
func (l *Logs) Commit(t stream.Topic, drafts ...stream.Draft) stream.Notice {
	l.mu.Lock()
	defer l.mu.Unlock()
	log := l.logs[t]
	if log == nil {
		log = &eventLog{}
		l.logs[t] = log
	}
	events := stream.Seal(log.head(), t.Session, Epoch, drafts)
	log.events = append(log.events, events...)
	n := stream.Notice{Topic: t, Head: log.head(), Events: events}
	if size(events) > MaxNotice {
		n.Events = nil
	}
	return n
}

func size(events []stream.Event) (n int) {
	for _, e := range events {
		n += len(e.JSON)
	}
	return n
}

// Announce tells the replicas of a commit.
func (l *Logs) Announce(n stream.Notice) {
	l.mu.Lock()
	feeds := slices.Clone(l.feeds)
	l.mu.Unlock()
	for _, f := range feeds {
		f.announce(n)
	}
}

// Trim forgets events before first.
func (l *Logs) Trim(t stream.Topic, first uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log := l.logs[t]
	for len(log.events) > 0 && log.events[0].Seq < first {
		log.base, log.events = log.events[0].ID(), log.events[1:]
	}
}

// Rewind forgets events behind seq, as a restored backup or a failover does.
func (l *Logs) Rewind(t stream.Topic, seq uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log := l.logs[t]
	for n := len(log.events); n > 0 && log.events[n-1].Seq > seq; n-- {
		log.events = log.events[: n-1 : n-1]
	}
}

// Remove forgets a log.
func (l *Logs) Remove(t stream.Topic) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.logs, t)
}

// Fail lets every read fail with err until it is nil again.
func (l *Logs) Fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failure = err
}

// Reads counts the calls of Read.
func (l *Logs) Reads() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reads
}

// Events is all that is retained of a log.
func (l *Logs) Events(t stream.Topic) []stream.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	if log := l.logs[t]; log != nil {
		return slices.Clone(log.events)
	}
	return nil
}

// find is a log, if reads work at all. l.mu is held.
func (l *Logs) find(t stream.Topic) (*eventLog, error) {
	if l.failure != nil {
		return nil, l.failure
	}
	log := l.logs[t]
	switch {
	case log != nil:
		return log, nil
	case t.Session == "": // a tenant's log always exists
		return &eventLog{}, nil
	}
	return nil, fmt.Errorf("log of %s: %w", t.Session, stream.ErrNoLog)
}

// Bounds is stream.Log.
func (l *Logs) Bounds(_ context.Context, t stream.Topic) (stream.Bounds, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, err := l.find(t)
	if err != nil {
		return stream.Bounds{}, err
	}
	b := stream.Bounds{First: log.base.Seq + 1, BasePrev: log.base.Hash, Head: log.head()}
	if n := len(log.events); n > 0 {
		b.Closed = log.events[n-1].Type == stream.TypeClosed
	}
	return b, nil
}

// Heads is stream.Log.
func (l *Logs) Heads(_ context.Context, ts []stream.Topic) ([]stream.ID, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.failure != nil {
		return nil, l.failure
	}
	heads := make([]stream.ID, len(ts))
	for i, t := range ts {
		if log := l.logs[t]; log != nil {
			heads[i] = log.head()
		}
	}
	return heads, nil
}

// Read is stream.Log.
func (l *Logs) Read(_ context.Context, t stream.Topic, after uint64, maxBytes int) ([]stream.Event, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reads++
	log, err := l.find(t)
	if err != nil {
		return nil, err
	}
	var page []stream.Event
	for _, e := range log.events {
		if e.Seq <= after {
			continue
		}
		if maxBytes -= len(e.JSON); maxBytes < 0 && len(page) > 0 {
			break
		}
		page = append(page, e)
	}
	return page, nil
}

// Snapshot is stream.Snapshotter: a document that says which event it includes.
func (l *Logs) Snapshot(_ context.Context, t stream.Topic) ([]byte, stream.ID, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	log, err := l.find(t)
	if err != nil {
		return nil, stream.ID{}, err
	}
	data := fmt.Appendf(nil, `{"session":{"id":%q},"includes":%q}`, t.Session, log.head())
	return data, log.head(), nil
}
