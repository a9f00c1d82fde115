package api_test

import (
	"context"
	"encoding/json"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

func turnDocument() sessions.Turn {
	return sessions.Turn{
		ID: tid, SessionID: sid, Status: "open", By: "alice", StartedAt: at,
		Input: scheduler.RawJSON(`[{"type":"text","text":"<b>"}]`),
	}
}

func (f *fake) turn(id string, idem sessions.Idempotency, note func()) (sessions.Reply[sessions.Turn], error) {
	_, err := f.changed(id, func() { f.idem = idem; note() })
	return sessions.Reply[sessions.Turn]{Value: turnDocument(), Replayed: f.replayed}, err
}

func (f *fake) StartTurn(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string, input json.RawMessage) (sessions.Reply[sessions.Turn], error) {
	return f.turn(id, idem, func() { f.input = string(input) })
}

func (f *fake) Turns(_ context.Context, _ tenants.Caller, id string, _ int, _ string) (sessions.Page[sessions.Turn], error) {
	return sessions.Page[sessions.Turn]{Data: []sessions.Turn{turnDocument()}}, f.found(id)
}

func (f *fake) Turn(_ context.Context, _ tenants.Caller, id, of string) (sessions.Turn, error) {
	if err := f.found(id); err != nil {
		return sessions.Turn{}, err
	}
	return turnDocument(), f.found(of)
}

func (f *fake) Say(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string, m sessions.Message) (sessions.Reply[sessions.Said], error) {
	_, err := f.changed(id, func() { f.idem = idem })
	return sessions.Reply[sessions.Said]{Value: sessions.Said{TurnID: tid, TextBytes: len(m.Text)}, Replayed: f.replayed}, err
}

func (f *fake) CompleteTurn(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string, _ sessions.TurnCompletion) (sessions.Reply[sessions.Turn], error) {
	return f.turn(id, idem, func() {})
}

func (f *fake) CancelTurn(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string) (sessions.Reply[sessions.Turn], error) {
	return f.turn(id, idem, func() {})
}

func (f *fake) Interrupt(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string) (sessions.Reply[sessions.Interruption], error) {
	_, err := f.changed(id, func() { f.idem = idem })
	return sessions.Reply[sessions.Interruption]{Value: sessions.Interruption{SessionID: sid}}, err
}

func (f *fake) RespondToCall(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string, _ sessions.Response) (sessions.Reply[sessions.Approval], error) {
	_, err := f.changed(id, func() { f.idem = idem })
	return sessions.Reply[sessions.Approval]{Value: approvalDocument()}, err
}

func (f *fake) CheckModelRequest(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string, r sessions.ModelRequest) (sessions.Reply[sessions.ModelRequestCheck], error) {
	_, err := f.changed(id, func() { f.idem, f.asked = idem, r })
	check := sessions.ModelRequestCheck{BatchID: bid, Format: r.Format, Verdict: "conforming", Violations: []providers.Violation{}}
	return sessions.Reply[sessions.ModelRequestCheck]{Value: check, Replayed: f.replayed}, err
}

func (f *fake) Explain(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string, in sessions.Submission) (sessions.Reply[sessions.Explanation], error) {
	_, err := f.changed(id, func() { f.idem, f.submission = idem, in })
	out := sessions.Explanation{Mode: permissions.ModeDefault, ModeRevision: 1}
	for i, c := range in.Calls {
		out.Calls = append(out.Calls, sessions.ExplainedCall{
			Position: i, ID: c.ID, Name: c.Name, Tool: c.Name, Kind: permissions.KindOther, Outcome: scheduler.OutcomeAsks,
			Parts: []string{}, Subjects: []sessions.ExplainedSubject{{
				Type: permissions.FindingNone, As: "other", Views: []string{}, Clarity: permissions.ClarityUnknown,
			}},
		})
	}
	return sessions.Reply[sessions.Explanation]{Value: out, Replayed: f.replayed}, err
}
