package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/internal/casetest"
)

const (
	maxCalls   = 5           // of one batch
	thinkTime  = time.Second // of a model, at most, between two batches
	waitRounds = 60          // polls of one batch before it is called stuck
)

// model is a model client: it sends batches one after the other and waits for
// each to end.
type model struct {
	caller
	*room
	batch int       // how many were sent
	again callInput // the last batch's first call, to be sent again
}

// open makes the session.
func (m *model) open(ctx context.Context) error {
	spec := map[string]any{"tools": casetest.StandardTools(), "claim_timeout_s": 3600, "idle_ttl_s": 86400}
	a, s, err := m.post(ctx, "/v1/sessions", spec)
	if err != nil {
		return err
	}
	if a.Status != http.StatusCreated {
		return fmt.Errorf("%w: create session: %d %s", errRefused, a.Status, a.Body)
	}
	made := decode[casetest.Session](&m.caller, a)
	m.sid = made.ID
	m.watchers = newWatchers(m.room)
	m.world.histories.add(m.mode(), s, readMode{}, modeSeen{made.ApprovalMode, made.ModeRevision})
	m.world.tally.count("sessions")
	return nil
}

// live sends batches until the session is gone or the world rests, which it
// awaits in any case.
func (m *model) live(ctx context.Context) error {
	for !m.world.resting() && !m.lost() {
		m.world.linger(ctx, time.Duration(m.chance.Int64N(int64(thinkTime))))
		if m.world.resting() {
			break
		}
		if err := m.turn(ctx); err != nil {
			return err
		}
	}
	<-m.world.rest // a session that lost something has no more turns; until all is healed it can lose more
	return m.leave(ctx)
}

// leave waits for a batch that a rolled back history opened again.
func (m *model) leave(ctx context.Context) error {
	a, _, err := m.get(ctx, "/v1/sessions/"+m.sid)
	if err != nil || a.Status != http.StatusOK {
		return err
	}
	if s := decode[casetest.Session](&m.caller, a); s.OpenBatchID != nil {
		if m.world.promise == nothingLost {
			m.world.wrong("session %s: %s had ended and is open again", m.sid, *s.OpenBatchID)
		}
		return m.await(ctx, *s.OpenBatchID)
	}
	return nil
}

// turn is one batch from its submission to its end.
func (m *model) turn(ctx context.Context) error {
	m.batch++
	calls, intent := m.think()
	body := map[string]any{"calls": calls, "turn_id": fmt.Sprintf("turn_%d", m.batch)}
	a, s, err := m.post(ctx, "/v1/sessions/"+m.sid+"/batches", body)
	if err != nil {
		if intent != nil {
			m.world.histories.open(m.mode(), s, intent)
		}
		return err
	}
	switch a.Status {
	case http.StatusAccepted:
	case http.StatusNotFound:
		m.stale(ctx, a.Status)
		return nil
	case http.StatusConflict:
		return m.conflict(ctx, a)
	default:
		m.world.wrong("session %s: submit: %d %s", m.sid, a.Status, a.Body)
		return nil
	}
	b := decode[casetest.Batch](&m.caller, a)
	m.accept(b, calls)
	if intent != nil {
		m.world.histories.add(m.mode(), s, intent, intent.outcome(b))
	}
	m.offerOpen(b)
	if m.chance.IntN(12) == 0 {
		if err := m.abort(ctx, b.ID); err != nil {
			return err
		}
	}
	return m.await(ctx, b.ID)
}

// conflict is a batch that is open: only a history that was rolled back can
// bring one back.
func (m *model) conflict(ctx context.Context, a casetest.Answer) error {
	var p struct {
		Code    string `json:"code"`
		BatchID string `json:"batch_id"`
	}
	if err := json.Unmarshal(a.Body, &p); err != nil || p.Code != "batch_in_progress" {
		m.world.wrong("session %s: submit: %s", m.sid, a.Body)
		return nil //nolint:nilerr // it is noted; the model goes on
	}
	if m.world.promise == nothingLost {
		m.world.wrong("session %s: %s had ended and is open again", m.sid, p.BatchID)
	}
	return m.await(ctx, p.BatchID)
}

func (m *model) accept(b casetest.Batch, calls []callInput) {
	m.world.tally.count("batches accepted")
	m.world.tally.add("calls accepted", len(calls))
	seen := &accepted{}
	for _, c := range calls {
		seen.ids = append(seen.ids, c.ID)
	}
	m.note(func() { m.batches[b.ID] = seen })
}

// await polls a batch until it has ended, and reminds everybody of what it
// waits for.
func (m *model) await(ctx context.Context, bid string) error {
	for range waitRounds {
		a, _, err := m.get(ctx, "/v1/sessions/"+m.sid+"/batches/"+bid+"?wait="+longestPoll)
		if err != nil {
			return err
		}
		if a.Status != http.StatusOK {
			if m.stale(ctx, a.Status) {
				continue
			}
			return nil
		}
		b := decode[casetest.Batch](&m.caller, a)
		if b.Status != casetest.StatusRunning {
			m.ended(b)
			return nil
		}
		m.offerOpen(b)
	}
	m.world.wrong("session %s: batch %s did not end", m.sid, bid)
	return nil
}

func (m *model) ended(b casetest.Batch) {
	m.note(func() {
		if seen := m.batches[b.ID]; seen != nil {
			seen.last = &b
		}
	})
}

func (m *model) abort(ctx context.Context, bid string) error {
	a, _, err := m.post(ctx, "/v1/sessions/"+m.sid+"/batches/"+bid+"/abort", nil)
	if err != nil {
		return err
	}
	m.world.tally.count("aborts")
	switch a.Status {
	case http.StatusOK:
	case http.StatusNotFound:
		m.stale(ctx, a.Status)
	default:
		m.world.wrong("session %s: abort %s: %d %s", m.sid, bid, a.Status, a.Body)
	}
	return nil
}
