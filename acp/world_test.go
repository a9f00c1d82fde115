package acp_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/session-gateway/gateway/client"
)

// world is a session as the gateway keeps it: documents, and the log of how they
// came about. It does only what a gateway may do.
type world struct {
	session   client.SessionDocument
	log       []client.Event
	turns     []client.Turn
	batches   []client.Batch
	approvals []client.Approval
	now       time.Time
}

func newWorld() *world {
	w := &world{now: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	w.session = client.SessionDocument{ID: "ses_1", Cwd: "/work", ApprovalMode: "default", Status: "active", UpdatedAt: w.now, LastEventID: "0-00000000"}
	w.tell(client.EventTypeSessionCreated, "", client.SessionSummary{ID: w.session.ID})
	return w
}

// tell adds an event to the log.
func (w *world) tell(kind client.EventType, batch string, doc any) {
	data, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	seq := len(w.log) + 1
	e := client.Event{Seq: &seq, Type: kind, SessionID: w.session.ID, Data: data, Time: w.now}
	if batch != "" {
		e.BatchID = &batch
	}
	w.log = append(w.log, e)
	w.session.LastEventID = fmt.Sprintf("%d-00000000", seq)
}

// tick lets time pass: two commits are never at the same one.
func (w *world) tick() time.Time {
	w.now = w.now.Add(time.Second)
	w.session.UpdatedAt = w.now
	return w.now
}

func (w *world) turn() *client.Turn {
	if n := len(w.turns); n > 0 && w.turns[n-1].Status == client.TurnStatusOpen {
		return &w.turns[n-1]
	}
	return nil
}

func (w *world) batch() *client.Batch {
	if n := len(w.batches); n > 0 && w.batches[n-1].Status == client.BatchStatusRunning {
		return &w.batches[n-1]
	}
	return nil
}

func (w *world) startTurn(text string) {
	t := client.Turn{
		ID: fmt.Sprintf("trn_%d", len(w.turns)), SessionID: w.session.ID, Status: client.TurnStatusOpen, StartedAt: w.tick(),
		Input: &[]map[string]any{{"type": "text", "text": text}}, Text: new(""),
	}
	w.turns = append(w.turns, t)
	w.session.OpenTurnID = &t.ID
	w.tell(client.EventTypeTurnStarted, "", client.TurnStarted{Turn: t})
}

func (w *world) say(text string) {
	w.tick()
	t := w.turn()
	t.Text = new(*t.Text + text)
	w.tell(client.EventTypeMessageDelta, "", client.MessageDelta{TurnID: t.ID, Text: text})
}

func (w *world) endTurn(reason client.TurnStopReason) {
	w.tick()
	if w.batch() != nil {
		w.abort()
	}
	t := w.turn()
	t.Status, t.StopReason = client.TurnStatusCompleted, &reason
	w.session.OpenTurnID = nil
	short := *t
	short.Input, short.Text = nil, nil
	w.tell(client.EventTypeTurnCompleted, "", short)
}

// startBatch takes calls; those of skipped end in the same commit.
func (w *world) startBatch(n int, skipped []int) {
	b := client.Batch{ID: fmt.Sprintf("bat_%d", len(w.batches)), SessionID: w.session.ID, Status: client.BatchStatusRunning, CreatedAt: w.tick()}
	for i := range n {
		b.Calls = append(b.Calls, client.Call{
			Position: i, ID: "c", Name: "read_file", Tool: "read_file", State: client.CallStateDispatched,
			Arguments: json.RawMessage(`{"path": "a.go"}`),
		})
	}
	w.batches = append(w.batches, b)
	w.session.OpenBatchID = &b.ID
	w.tell(client.EventTypeBatchStarted, b.ID, b)
	for _, i := range skipped {
		w.end(i, client.ResultStatusError)
	}
	w.complete()
}

// open is a running batch's call that has not ended, or nil.
func (w *world) open(i int) *client.Call {
	b := w.batch()
	if b == nil || i >= len(b.Calls) || b.Calls[i].State == client.CallStateDone {
		return nil
	}
	return &b.Calls[i]
}

func (w *world) claim(i int) {
	if c := w.open(i); c != nil && c.State == client.CallStateDispatched {
		w.tick()
		c.State = client.CallStateClaimed
		w.tell(client.EventTypeCallClaimed, w.batch().ID, client.Claimed{Position: i, CallID: c.ID, HostID: "h"})
	}
}

func (w *world) progress(i int) {
	if c := w.open(i); c != nil && c.State == client.CallStateClaimed {
		w.tick()
		w.tell(client.EventTypeCallProgress, w.batch().ID, client.CallProgress{Position: i, CallID: c.ID, Text: new("half")})
	}
}

func (w *world) ask(i int) {
	c := w.open(i)
	if c == nil || c.State != client.CallStateDispatched {
		return
	}
	w.tick()
	c.State = client.CallStateAwaitingApproval
	a := client.Approval{ID: fmt.Sprintf("apr_%d", len(w.approvals)), BatchID: w.batch().ID, Position: i, Tool: c.Tool, Status: client.ApprovalStatusPending, Kind: client.Tool}
	w.approvals = append(w.approvals, a)
	w.tell(client.EventTypeApprovalRequested, a.BatchID, a)
}

// answer resolves the question about a call. A rejection ends it.
func (w *world) answer(i int, status client.ApprovalStatus) {
	c := w.open(i)
	if c == nil || c.State != client.CallStateAwaitingApproval {
		return
	}
	w.tick()
	if status != client.ApprovalStatusApproved {
		w.end(i, client.ResultStatusError)
		w.complete()
		return
	}
	c.State = client.CallStateDispatched
	w.resolve(i, status)
}

func (w *world) result(i int) {
	if c := w.open(i); c != nil && c.State != client.CallStateAwaitingApproval {
		w.tick()
		w.end(i, client.ResultStatusSuccess)
		w.complete()
	}
}

func (w *world) abort() {
	w.tick()
	for i := range w.batch().Calls {
		if w.open(i) != nil {
			w.end(i, client.ResultStatusCancelled)
		}
	}
	w.complete()
}

// end gives a call its result; what was asked about it is resolved after it.
func (w *world) end(i int, status client.ResultStatus) {
	b, c := w.batch(), w.open(i)
	asked := c.State == client.CallStateAwaitingApproval
	c.State, c.Arguments = client.CallStateDone, nil
	c.Result = &client.Result{Position: i, CallID: c.ID, Tool: c.Tool, Status: status, Output: "out"}
	w.tell(client.EventTypeCallResult, b.ID, *c.Result)
	if asked {
		w.resolve(i, client.ApprovalStatusCancelled)
	}
}

func (w *world) resolve(i int, status client.ApprovalStatus) {
	b := w.batch()
	n := slices.IndexFunc(w.approvals, func(a client.Approval) bool {
		return a.BatchID == b.ID && a.Position == i && a.Status == client.ApprovalStatusPending
	})
	w.approvals[n].Status = status
	w.tell(client.EventTypeApprovalResolved, b.ID, w.approvals[n])
}

// complete ends a batch whose calls have all ended.
func (w *world) complete() {
	b := w.batch()
	if slices.ContainsFunc(b.Calls, func(c client.Call) bool { return c.State != client.CallStateDone }) {
		return
	}
	b.Status = client.BatchStatusCompleted
	w.session.OpenBatchID = nil
	short := *b
	short.Calls = slices.Clone(b.Calls)
	for i := range short.Calls {
		short.Calls[i].Result = nil
	}
	w.tell(client.EventTypeBatchCompleted, b.ID, short)
}

func (w *world) setMode(to client.Mode) {
	if to == w.session.ApprovalMode {
		return
	}
	w.tick()
	w.tell(client.EventTypeModeChanged, "", client.ModeChanged{From: w.session.ApprovalMode, To: to})
	w.session.ApprovalMode = to
}

func (w *world) plan(text string) {
	w.tick()
	w.session.Plan.Text, w.session.Plan.Active = text, true
	w.tell(client.EventTypePlanUpdated, "", w.session.Plan)
}
