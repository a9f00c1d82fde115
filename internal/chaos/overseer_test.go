package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/session-gateway/gateway/internal/casetest"
)

const typeTenantSnapshot = "tenant.snapshot"

// overseer is a frontend that follows all sessions over the tenant's stream.
type overseer struct {
	caller
	replica int
	ready   chan struct{} // closed when it has its first snapshot
	done    chan struct{} // closed when it has seen the ends
	failed  error         // why it did not; after done

	mu     sync.Mutex // guards the rest
	cursor string     // the last id that came
	reset  bool       // a snapshot is due
	seen   stretch
	ends   map[string]uint64 // the last event of each session; nil: not known
	over   bool              // all of them came
	stop   context.CancelFunc
}

// stretch is what came without being told that something is missing.
type stretch struct {
	whole  bool // it begins before there was anything
	events map[string][]event
}

// oversee starts an overseer before there are sessions.
func (w *world) oversee(ctx context.Context, seed uint64) *overseer {
	o := &overseer{
		caller: caller{world: w, name: viewer, id: "overseer", chance: chanceFor(seed, 70)},
		ready:  make(chan struct{}), done: make(chan struct{}), seen: stretch{whole: true, events: map[string][]event{}},
	}
	go func() {
		defer close(o.done)
		o.failed = o.follow(ctx)
	}()
	select {
	case <-o.ready:
	case <-o.done:
	}
	return o
}

// follow reads until the last event of every session came.
func (o *overseer) follow(ctx context.Context) error {
	for !o.finished() {
		o.replica++
		err := o.visit(ctx)
		if ctx.Err() != nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			return fmt.Errorf("watch all sessions, the end of %s did not come, last error %w: %w", o.missing(), err, ctx.Err())
		}
		if err != nil && !errors.Is(err, io.EOF) {
			o.world.tally.count("streams that broke")
			_ = pause(ctx, retryEvery) // follow looks at ctx itself
		}
	}
	return nil
}

// visit reads from one replica until it is time to leave.
func (o *overseer) visit(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	o.mu.Lock()
	o.stop, o.reset = stop, false // a reset without its snapshot did not happen
	o.mu.Unlock()
	impatient := time.AfterFunc(silence, stop)
	defer impatient.Stop()
	body, err := o.stream(ctx, o.replica, "/v1/events", o.cursor)
	if err != nil {
		return err
	}
	defer func() { _ = body.Close() }() // it is left for good
	o.world.tally.count("stream connects")
	frames := newFrameReader(body)
	hop := choose(hopAfter, 10*hopAfter) // it gets the events of all sessions
	for got := 0; got < hop && !o.finished(); got++ {
		f, err := frames.next()
		if err != nil {
			return err
		}
		impatient.Reset(silence)
		o.take(f)
	}
	return nil
}

// take writes a frame down.
func (o *overseer) take(f frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch f.event {
	case casetest.TypeReset:
		o.reset = true
		o.judge(resetReason(o.world, f))
		return
	case casetest.TypeError:
		o.world.tally.count("stream errors " + f.data)
		return
	case typeTenantSnapshot:
		o.begin()
	case "":
	default:
		o.note(f)
	}
	if f.id != "" {
		o.cursor = f.id
	}
}

// judge wants a reset to have a reason. The logs are short: who was away for
// long may find them trimmed.
func (o *overseer) judge(why string) {
	o.world.tally.count("resets of the tenant's stream: " + why)
	if o.world.promise == nothingLost && why != "trimmed" {
		o.world.wrong("the tenant's stream is reset: %s", why)
	}
}

// begin goes on from a snapshot. o.mu is held.
func (o *overseer) begin() {
	if o.cursor == "" {
		close(o.ready)
		return
	}
	if !o.reset {
		o.world.wrong("the tenant's stream began anew without a reset")
	}
	o.reset, o.seen = false, stretch{events: map[string][]event{}}
}

// note takes an event of a session. o.mu is held.
func (o *overseer) note(f frame) {
	var e struct {
		Seq uint64
		SID string `json:"session_id"`
	}
	if err := json.Unmarshal([]byte(f.data), &e); err != nil {
		o.world.wrong("an event of the tenant's stream that can't be read: %s", f.data)
		return
	}
	before := o.seen.events[e.SID]
	if n := len(before); n > 0 && before[n-1].seq() >= e.Seq {
		o.world.wrong("session %s: on the tenant's stream %d came after %d", e.SID, e.Seq, before[n-1].seq())
	}
	o.seen.events[e.SID] = append(before, event{strconv.FormatUint(e.Seq, 10), f.event, f.data})
}

// seq is an event's number in its session.
func (e event) seq() uint64 { return seqOf(e.id) }

// finished says whether the last event of every session came, and notes it.
func (o *overseer) finished() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.over = o.over || o.ends != nil && o.missing() == ""
	return o.over
}

// missing is a session whose last event has not come; empty: there is none.
// o.mu is held.
func (o *overseer) missing() string {
	for sid, end := range o.ends {
		seen := o.seen.events[sid]
		if len(seen) == 0 || seen[len(seen)-1].seq() != end {
			return sid
		}
	}
	return ""
}

// conclude lets something happen in every session, and waits until the overseer
// has seen that. A reset may hide it, so it happens again after a while.
func (o *overseer) conclude(ctx context.Context, rooms []*room) error {
	for round := 1; ; round++ {
		if o.goOn() {
			if err := o.mark(ctx, rooms, round); err != nil {
				return err
			}
		}
		again := time.NewTimer(time.Duration(round) * silence)
		select {
		case <-o.done:
			again.Stop()
			return o.failed
		case <-again.C:
		}
	}
}

// goOn lets the overseer read on, unless it has seen the ends.
func (o *overseer) goOn() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ends = nil
	return !o.over
}

// mark changes the labels of each session, and tells the overseer where they end.
func (o *overseer) mark(ctx context.Context, rooms []*room, round int) error {
	ends := map[string]uint64{}
	for _, r := range rooms {
		c := r.caller(personNames[0], 80)
		a, _, err := c.ask(ctx, casetest.Call{
			Method: http.MethodPatch, Path: "/v1/sessions/" + r.sid,
			Body: map[string]any{"labels": map[string]string{"round": strconv.Itoa(round)}},
		})
		switch {
		case err != nil:
			return err
		case a.Status == http.StatusOK:
			ends[r.sid] = seqOf(decode[casetest.Session](&c, a).LastEventID)
		default:
			r.stale(ctx, a.Status)
		}
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ends = ends
	o.stop() // it looks again whether it is there
	return nil
}

// inOverview says whether a tenant's stream shows events of a type.
func inOverview(kind string) bool {
	return strings.HasPrefix(kind, "session.") || strings.HasPrefix(kind, "approval.") || kind == "batch.completed"
}

// checkOverview wants what came over the tenant's stream to be the log's part of
// it: all of it or, behind a reset, all from its first event on.
func (a *auditor) checkOverview() {
	seen := a.overview.events[a.sid]
	a.world.tally.add("events delivered", len(seen))
	from := uint64(1)
	if !a.overview.whole && len(seen) > 0 {
		from = seen[0].seq()
	}
	for _, e := range a.log {
		if e.seq() < from || !inOverview(e.kind) {
			continue
		}
		if len(seen) == 0 || seen[0].seq() != e.seq() || seen[0].json != e.json {
			a.world.wrong("session %s: %s %s is not on the tenant's stream, but %v", a.sid, e.id, e.kind, seen[:min(1, len(seen))])
			return
		}
		seen = seen[1:]
	}
	if len(seen) > 0 {
		a.world.wrong("session %s: the tenant's stream told of %v, which is not in the log", a.sid, seen[0])
	}
}
