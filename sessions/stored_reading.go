package sessions

import (
	"encoding/json"
	"fmt"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

func decodeField[T any](fields store.Fields, name string, into *T) error {
	text, ok := fields[name]
	if !ok {
		return nil
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return fmt.Errorf("decode field %s: %w", name, err)
	}
	return nil
}

func (s storedSpec) spec() spec {
	return spec{
		Runtime: s.Runtime, SDK: s.SDK, Agent: s.Agent, Parent: s.Parent, Ancestors: s.Ancestors, Locked: s.Locked,
		Cwd: s.Cwd, PlanModule: s.PlanModule, PlanShell: s.PlanShell, Approvals: s.Approvals, Approvers: s.Approvers, ApproversAbove: s.ApproversAbove, ApprovalTimeoutS: s.ApprovalTimeoutS,
		ClaimTimeoutS: s.ClaimTimeoutS, StructuredSchema: s.StructuredSchema, MaxToolCalls: s.MaxToolCalls,
		Loop:     Loop{IdenticalCalls: s.IdenticalCalls, CallsPerTurn: s.CallsPerTurn},
		Limits:   Limits{ToolOutputChars: s.ToolOutputChars, BatchOutputChars: s.BatchOutputChars},
		IdleTTLS: s.IdleTTLS, CreatedAt: fromMillis(s.CreatedAt),
	}
}

// decodeDocument reads a session out of its record. What the record leaves out
// of the session's hash is the kept copy's; nil: nothing is.
func decodeDocument(ref store.Ref, r *store.Record, kept *document) (*document, error) {
	d := &document{topic: ref.Topic, head: r.Head, newer: r.Newer, modeValue: r.Mode}
	for _, err := range []error{
		d.decodeSession(r.Doc, kept), d.decodeMemory(r.Memory, ref.Recall), d.decodeAncestors(r.Ancestors), d.decodeOpen(r.Open),
	} {
		if err != nil {
			return nil, fmt.Errorf("session %s: %w", ref.Topic.Session, err)
		}
	}
	d.state.Session.Plan.Inherited = d.inherited()
	d.takeLease(r.Lease)
	return d, nil
}

// decodeOpen reads the open batch, if there is one.
func (d *document) decodeOpen(fields store.Fields) error {
	if len(fields) == 0 {
		return nil
	}
	b, message, err := decodeBatch(fields)
	if err != nil {
		return fmt.Errorf("open batch: %w", err)
	}
	d.state.Batch, d.message = b, message
	return nil
}

func (d *document) decodeSession(fields store.Fields, kept *document) error {
	var hot storedHot
	if err := decodeField(fields, fieldHot, &hot); err != nil {
		return err
	}
	if kept != nil {
		if hot.Settled != kept.settled {
			return errSettledChanged
		}
		d.takeSettled(kept)
	} else if err := d.decodeSettled(fields); err != nil {
		return err
	}
	d.takeHot(hot)
	for _, err := range []error{
		decodeField(fields, fieldNotices, &d.state.Session.Notices), d.decodeHost(fields), d.decodeOpenTurn(fields, hot.TurnText),
	} {
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *document) takeHot(h storedHot) {
	d.status, d.batches, d.updated, d.closed = h.Status, h.Batches, fromMillis(h.Updated), fromMillis(h.Closed)
	d.turns, d.settled = h.Turns, h.Settled
	d.toolsRevision, d.rulesRevision, d.memory.next = h.ToolsRevision, h.RulesRevision, h.Remembered
	d.batchFrom, d.marks = h.BatchFrom, readMarks(h.Marks)
	s := &d.state.Session
	s.Settings = d.spec.settings()
	s.Mode, s.Previous, s.ModeRevision, s.Used, s.Fences = h.Mode, h.Previous, h.ModeRevision, h.Used, h.Fences
	s.Plan = planmode.State{
		Active: h.Mode == permissions.ModePlan, Text: s.Plan.Text, Revision: h.PlanRevision,
		EnteredBy: h.EnteredBy, EnteredAt: fromMillis(h.EnteredAt),
	}
	s.Turn = scheduler.Turn{
		ID: h.TurnID, Calls: h.TurnCalls,
		Row: scheduler.Row{Key: h.RowKey, Count: h.RowCount, Result: h.RowResult},
	}
}

func (d *document) decodeAncestors(as []store.Ancestor) error {
	for _, a := range as {
		if a.Missing {
			d.ancestors = append(d.ancestors, ancestor{id: a.Session, missing: true})
			continue
		}
		var m storedMode
		if err := json.Unmarshal([]byte(a.Mode), &m); err != nil {
			return fmt.Errorf("mode of ancestor: %w", err)
		}
		above := ancestor{id: a.Session, value: a.Mode, mode: m.Mode, closed: m.Status != statusActive}
		if err := decodeField(a.Doc, fieldRules, &above.rules); err != nil {
			return err
		}
		d.ancestors = append(d.ancestors, above)
	}
	return nil
}
