package chaos

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/internal/casetest"
)

// room is one session with everybody in it, and what they were told.
type room struct {
	in    *world
	seed  uint64
	index uint64
	sid   string

	hosts, persons []chan job // what there is to do; whoever is busy hears of it again
	watchers       []*watcher

	losses int // acknowledged and not there in the end; the auditor's

	mu      sync.Mutex // guards the rest
	absent  bool       // somebody was told that something of it does not exist
	batches map[string]*accepted
	answers map[string]casetest.Approval   // acknowledged answers, by approval
	grants  map[position]map[string]bool   // who was granted a call
	reports map[position]map[string]string // acknowledged outputs, by host
	modes   map[int]string                 // acknowledged mode changes, by revision
}

// position is a call.
type position struct {
	batch string
	at    int
}

// job is a call to run or an approval to answer.
type job struct {
	call     position
	approval string
	again    bool // somebody waits for it; it is not new
}

// accepted is a batch that was acknowledged with a 202.
type accepted struct {
	ids  []string        // of its calls
	last *casetest.Batch // as it was seen terminal
}

// jobsKept is how many jobs wait for one party; those beyond come again.
const jobsKept = 64

func newRoom(w *world, seed, index uint64) *room {
	r := &room{
		in: w, seed: seed, index: index, batches: map[string]*accepted{},
		answers: map[string]casetest.Approval{}, grants: map[position]map[string]bool{},
		reports: map[position]map[string]string{}, modes: map[int]string{},
	}
	for range hostNames {
		r.hosts = append(r.hosts, make(chan job, jobsKept))
	}
	for range personNames {
		r.persons = append(r.persons, make(chan job, jobsKept))
	}
	return r
}

// caller is a party of this room.
func (r *room) caller(name string, part uint64) caller {
	id := strconv.FormatUint(r.index, 10) + "." + strconv.FormatUint(part, 10)
	return caller{world: r.in, name: name, id: id, chance: chanceFor(r.seed, r.index, part)}
}

// run lets everybody do their part until the world rests and all is done.
func (r *room) run(ctx context.Context) error {
	m := &model{caller: r.caller(modelName, 0), room: r}
	if err := m.open(ctx); err != nil {
		return err
	}
	var watching, working errgroup.Group
	for _, w := range r.watchers {
		watching.Go(func() error { return w.follow(ctx) })
	}
	over := make(chan struct{})
	r.employ(ctx, over, &working)
	err := m.live(ctx)
	close(over)
	err = errors.Join(err, working.Wait())
	if err == nil {
		err = r.settle(ctx)
	}
	return errors.Join(err, watching.Wait())
}

// employ starts who works on what the model sends, until the room is over.
func (r *room) employ(ctx context.Context, over <-chan struct{}, g *errgroup.Group) {
	for i, name := range hostNames {
		h := &host{caller: r.caller(name, 10+uint64(i)), room: r, done: map[position]bool{}}
		g.Go(func() error { return serve(ctx, over, r.hosts[i], h.do) })
	}
	for i, name := range personNames {
		p := &person{caller: r.caller(name, 20+uint64(i)), room: r, done: map[string]bool{}}
		g.Go(func() error { return serve(ctx, over, r.persons[i], p.do) })
	}
	boss := &person{caller: r.caller(personNames[0], 30), room: r}
	g.Go(func() error { return boss.changeModes(ctx) })
}

// serve does jobs until the room is over.
func serve(ctx context.Context, over <-chan struct{}, jobs <-chan job, do func(context.Context, job)) error {
	for {
		select {
		case <-over:
			return nil
		case <-ctx.Done():
			return fmt.Errorf("work: %w", ctx.Err())
		case j := <-jobs:
			do(ctx, j)
		}
	}
}

// offer tells the hosts or the persons of a job.
func (r *room) offer(j job) {
	to := r.hosts
	if j.approval != "" {
		to = r.persons
	}
	for _, c := range to {
		select {
		case c <- j:
		default: // busy; whoever waits for it will say so again
		}
	}
}

// offerOpen offers what a batch waits for.
func (r *room) offerOpen(b casetest.Batch) {
	for _, c := range b.Calls {
		switch c.State {
		case casetest.StateDispatched, casetest.StateClaimed:
			r.offer(job{call: position{b.ID, c.Position}, again: true})
		case casetest.StateAwaitingApproval:
			r.offer(job{approval: c.ApprovalID, again: true})
		}
	}
}

// settle tells the watchers which event is the last. Everybody rests, so all is
// healed: nobody is told any more of what only a replaced primary has.
func (r *room) settle(ctx context.Context) error {
	c := r.caller(viewer, 40)
	end, err := r.lastEvent(ctx, &c)
	if err != nil {
		return err
	}
	for _, w := range r.watchers {
		w.endAt(end)
	}
	return nil
}

// lastEvent is the id of the log's last event, as a gateway tells it.
func (r *room) lastEvent(ctx context.Context, c *caller) (string, error) {
	for {
		a, _, err := c.get(ctx, "/v1/sessions/"+r.sid)
		switch {
		case err != nil:
			return "", err
		case a.Status == http.StatusOK:
			return decode[casetest.Session](c, a).LastEventID, nil
		case !r.stale(ctx, a.Status):
			return nowhere, nil
		}
	}
}

// stale notes that something acknowledged is said not to be there. It answers
// whether this may be what a replaced primary says; then it waits a little.
func (r *room) stale(ctx context.Context, status int) bool {
	switch r.in.promise {
	case nothingLost:
		r.in.wrong("session %s: something acknowledged is not found (%d)", r.sid, status)
	case ackedKept:
		r.in.tally.count("answers of a replaced primary")
		return pause(ctx, retryEvery) == nil
	case lossAnnounced:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.absent = true
	return false
}

// lost says whether somebody was told that something acknowledged is gone.
func (r *room) lost() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.absent
}

// note changes the records.
func (r *room) note(change func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change()
}

// batchIDs are the acknowledged batches, in order.
func (r *room) batchIDs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.batches))
}
