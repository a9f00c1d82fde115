package chaos

import (
	"context"
	"encoding/json"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/internal/casetest"
)

// auditors is how many rooms are audited at a time.
const auditors = 4

// audit compares what everybody was told with what is there in the end. One of
// them watched all rooms.
func (w *world) audit(ctx context.Context, rooms []*room, overview stretch) {
	var g errgroup.Group
	g.SetLimit(auditors)
	for _, r := range rooms {
		g.Go(func() error {
			a := &auditor{caller: r.caller(viewer, 60), room: r, overview: overview}
			return a.audit(ctx)
		})
	}
	if err := g.Wait(); err != nil {
		w.wrong("the audit did not end: %v", err)
	}
}

// auditor looks at one room.
type auditor struct {
	caller
	*room
	overview stretch
	log      []event
}

func (a *auditor) audit(ctx context.Context) error {
	session, err := a.readLog(ctx)
	if err != nil || session.ID == "" {
		return err
	}
	a.checkChain()
	for _, w := range a.watchers {
		a.checkWatcher(w)
	}
	a.checkOverview()
	ledger := a.checkLog()
	if err := a.checkBatches(ctx, ledger); err != nil {
		return err
	}
	a.checkModes()
	if err := a.checkAnswers(ctx); err != nil {
		return err
	}
	a.checkGrants()
	return nil
}

// readLog reads the whole log, on any replica, as a new client does.
func (a *auditor) readLog(ctx context.Context) (casetest.Session, error) {
	got, s, err := a.get(ctx, "/v1/sessions/"+a.sid)
	if err != nil {
		return casetest.Session{}, err
	}
	if got.Status != http.StatusOK {
		a.loss("the session itself: %d", got.Status)
		a.world.tally.count("sessions lost")
		return casetest.Session{}, nil
	}
	session := decode[casetest.Session](&a.caller, got)
	a.world.histories.add(a.mode(), s, readMode{}, modeSeen{session.ApprovalMode, session.ModeRevision})
	reader := newWatcher(a.room, 61)
	reader.replica = a.chance.IntN(replicas)
	reader.end = session.LastEventID
	if err := reader.follow(ctx); err != nil {
		return session, err
	}
	if len(reader.segments) != 1 {
		a.world.wrong("session %s: its log can't be read from the beginning", a.sid)
	}
	a.log = reader.segments[0].events
	a.world.tally.add("events in the logs", len(a.log))
	return session, nil
}

// checkChain computes every id anew.
func (a *auditor) checkChain() {
	var chain casetest.Chain
	for _, e := range a.log {
		next, err := chain.Next(e.id, []byte(e.json))
		if err != nil {
			a.world.wrong("session %s: %v", a.sid, err)
			return
		}
		chain = next
	}
}

// checkWatcher wants what a client saw to be the log: from its beginning, or
// from the snapshot after the last reset.
func (a *auditor) checkWatcher(w *watcher) {
	for i, s := range w.segments {
		a.world.tally.add("events delivered", len(s.events))
		a.checkOrder(s)
		if i == len(w.segments)-1 && !w.gone {
			a.checkSame(w, s)
		}
	}
}

// checkOrder wants a segment to be without gaps and repetitions.
func (a *auditor) checkOrder(s segment) {
	seq := seqOf(s.begin)
	for _, e := range s.events {
		if seq++; seqOf(e.id) != seq {
			a.world.wrong("session %s: event %s came where %d was due", a.sid, e.id, seq)
			return
		}
	}
}

func (a *auditor) checkSame(w *watcher, s segment) {
	from := int(seqOf(s.begin))
	if last := from + len(s.events); last > len(a.log) || seqOf(w.end) > uint64(last) {
		a.world.wrong("session %s: a client saw events up to %d, the log has %d, it ended at %s", a.sid, last, len(a.log), w.end)
		return
	}
	if from > 0 && a.log[from-1].id != s.begin {
		a.world.wrong("session %s: a snapshot is of %s, the log has %s", a.sid, s.begin, a.log[from-1].id)
	}
	for i, e := range s.events {
		if e != a.log[from+i] {
			a.world.wrong("session %s: a client saw %s %s, the log has %s %s, and nobody told it",
				a.sid, e.id, e.json, a.log[from+i].id, a.log[from+i].json)
			return
		}
	}
}

// loss notes that something acknowledged is not there.
func (a *auditor) loss(format string, args ...any) {
	a.losses++
	if a.world.promise != lossAnnounced {
		a.world.wrong("session %s: acknowledged and lost: "+format, append([]any{a.sid}, args...)...)
		return
	}
	a.world.tally.count("acknowledged and lost: " + format)
	if a.reset() {
		a.world.tally.count("acknowledged and lost, with a reset") // the rest was shown to nobody who watches
	}
}

// reset says whether any client of the room was told of a loss.
func (r *room) reset() bool {
	for _, w := range r.watchers {
		if len(w.segments) > 1 {
			return true
		}
	}
	return false
}

// results are the results of a batch in the log, by position.
type results map[int]json.RawMessage
