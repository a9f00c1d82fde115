package chaos

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/session-gateway/gateway/internal/casetest"
)

// entry is a batch as the log tells it.
type entry struct {
	results   results
	completed bool
}

// checkLog wants one start, one result per position and one end of every
// batch, in this order.
func (a *auditor) checkLog() map[string]*entry {
	ledger := map[string]*entry{}
	for _, e := range a.log {
		var said struct {
			BatchID string          `json:"batch_id"`
			Data    json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal([]byte(e.json), &said); err != nil {
			a.world.wrong("session %s: event %s can't be read: %v", a.sid, e.id, err)
			continue
		}
		if said.BatchID != "" {
			a.enter(ledger, e, said.BatchID, said.Data)
		}
	}
	for bid, b := range ledger {
		if !b.completed {
			a.world.wrong("session %s: %s never ended", a.sid, bid)
		}
	}
	return ledger
}

func (a *auditor) enter(ledger map[string]*entry, e event, bid string, data json.RawMessage) {
	b := ledger[bid]
	switch {
	case e.kind == "batch.started" && b == nil:
		ledger[bid] = &entry{results: results{}}
	case e.kind == "batch.started" || b == nil || b.completed && e.kind != "call.late":
		a.world.wrong("session %s: %s %s is out of order", a.sid, e.kind, e.id)
	case e.kind == "batch.completed":
		b.completed = true
	case e.kind == "call.result":
		a.enterResult(b, e, data)
	}
}

func (a *auditor) enterResult(b *entry, e event, data json.RawMessage) {
	var r struct{ Position int }
	if err := json.Unmarshal(data, &r); err != nil {
		a.world.wrong("session %s: result %s can't be read: %v", a.sid, e.id, err)
		return
	}
	if _, twice := b.results[r.Position]; twice {
		a.world.wrong("session %s: %s is a second result of call %d", a.sid, e.id, r.Position)
	}
	b.results[r.Position] = data
}

// checkBatches wants every accepted batch to be in the log and on the shelf,
// with one result per call, in the order of its calls.
func (a *auditor) checkBatches(ctx context.Context, ledger map[string]*entry) error {
	for _, bid := range a.batchIDs() {
		told, kept := a.batches[bid], ledger[bid]
		if kept == nil {
			a.loss("batch %s", bid)
			continue
		}
		got, s, err := a.get(ctx, "/v1/sessions/"+a.sid+"/batches/"+bid)
		if err != nil {
			return err
		}
		if got.Status != http.StatusOK {
			a.world.wrong("session %s: %s is in the log: %d", a.sid, bid, got.Status)
			continue
		}
		a.checkBatch(decode[casetest.Batch](&a.caller, got), told, kept, s)
	}
	return nil
}

func (a *auditor) checkBatch(b casetest.Batch, told *accepted, kept *entry, s span) {
	if len(b.Calls) != len(told.ids) || len(kept.results) != len(told.ids) {
		a.world.wrong("session %s: %s: %d calls were accepted, %d are there, with %d results in the log",
			a.sid, b.ID, len(told.ids), len(b.Calls), len(kept.results))
		return
	}
	for i, c := range b.Calls {
		if c.Result == nil || c.Position != i || c.Result.Position != i || c.Result.CallID != told.ids[i] {
			a.world.wrong("session %s: %s: call %d is not what was sent, or has no result", a.sid, b.ID, i)
			return
		}
		a.world.tally.count("results, one per call")
		if !sameJSON(c.Result.Raw, kept.results[i]) {
			a.world.wrong("session %s: %s: the result of call %d is %s, the log says %s", a.sid, b.ID, i, c.Result.Raw, kept.results[i])
		}
		a.checkResult(position{b.ID, i}, *c.Result, s)
	}
	a.checkTold(b, told)
}

// checkTold wants results to be what they were when the batch ended.
func (a *auditor) checkTold(b casetest.Batch, told *accepted) {
	if told.last == nil {
		return
	}
	for i, c := range told.last.Calls {
		if c.Result == nil || !sameJSON(c.Result.Raw, b.Calls[i].Result.Raw) {
			a.loss("the result of call %d of %s", i, b.ID)
		}
	}
}

// checkResult wants what a host was told was taken to be the result.
func (a *auditor) checkResult(at position, r casetest.Result, s span) {
	final := endedAside
	for _, host := range hostNames {
		if r.Output == outputOf(host, at) {
			final = r.Output
		}
	}
	for host, output := range a.reports[at] {
		if output != final {
			a.loss("%s reported %q for %v, the result is %s", host, output, at, r.Raw)
		}
	}
	o := object{a.room, callLedger, at.String()}
	if a.world.histories.has(o) {
		a.world.histories.add(o, s, readCall{}, result{final})
	}
}

// checkGrants wants no call to be given to two hosts.
func (a *auditor) checkGrants() {
	for at, hosts := range a.grants {
		if len(hosts) > 1 && a.world.promise == lossAnnounced {
			a.world.tally.count("calls run twice after a failover")
			a.losses++
		} else if len(hosts) > 1 {
			a.world.wrong("session %s: %v was granted to two hosts", a.sid, at)
		}
	}
}

// checkModes wants every acknowledged change of the mode to be in the log.
func (a *auditor) checkModes() {
	logged := map[int]string{}
	for _, e := range a.log {
		var m struct {
			Data struct {
				To           string
				ModeRevision int `json:"mode_revision"`
			}
		}
		if e.kind == "mode.changed" && json.Unmarshal([]byte(e.json), &m) == nil {
			logged[m.Data.ModeRevision] = m.Data.To
		}
	}
	for revision, mode := range a.modes {
		if revision > firstRevision && logged[revision] != mode {
			a.loss("mode %s, revision %d", mode, revision)
		}
	}
}

// checkAnswers wants every acknowledged answer to stand.
func (a *auditor) checkAnswers(ctx context.Context) error {
	for aid, told := range a.answers {
		got, s, err := a.get(ctx, "/v1/approvals/"+aid)
		if err != nil {
			return err
		}
		if got.Status != http.StatusOK {
			a.loss("approval %s", aid)
			continue
		}
		now := decode[asked](&a.caller, got)
		if now.seen() != (asked{Approval: told}).seen() {
			a.loss("answer %s to %s, now %s by %s", deref(told.OptionID), aid, now.Status, deref(now.ResolvedBy))
		}
		a.world.histories.add(object{a.room, approvalRegister, aid}, s, readApproval{}, now.seen())
	}
	return nil
}

// sameJSON compares values, not bytes.
func sameJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
