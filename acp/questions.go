package acp

import (
	"maps"
	"slices"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// onQuestion asks a person. The plan that is to be approved is shown as the plan
// first.
func (m *Mapping) onQuestion(a client.Approval) []Update {
	if _, put := m.asked[a.ID]; put || a.BatchID != m.batch.id || m.open(a.Position) == nil {
		return nil
	}
	id := ToolCallID(a.BatchID, a.Position)
	m.asked[a.ID] = id
	var updates []Update
	ask := Ask{ApprovalID: a.ID, ToolCall: m.questioned(id, a), Options: options(a)}
	if a.Plan != nil {
		updates = m.showPlan(a.Plan.Text)
		ask.PlanSHA256 = a.Plan.Sha256
	}
	return append(updates, ask)
}

// questioned is the call that is asked about, with what a person has to see.
func (m *Mapping) questioned(id sdk.ToolCallId, a client.Approval) sdk.ToolCallUpdate {
	d := m.tools.describe(a.Tool, a.Arguments)
	u := sdk.ToolCallUpdate{
		Meta:       map[string]any{metaKey: map[string]any{"approval_id": a.ID, "kind": a.Kind}},
		ToolCallId: id, Title: &d.title, Kind: &d.kind, Locations: d.locations,
		Status: new(sdk.ToolCallStatusPending), RawInput: rawInput(a.Arguments), Content: textContent(a.Subject),
	}
	if a.Plan != nil {
		u.Content = textContent(a.Plan.Text)
	}
	return u
}

// options are the gateway's, in its order; kinds have the protocol's names.
func options(a client.Approval) []sdk.PermissionOption {
	out := make([]sdk.PermissionOption, len(a.Options))
	for i, o := range a.Options {
		out[i] = sdk.PermissionOption{
			OptionId: sdk.PermissionOptionId(o.ID), Name: o.Label, Kind: sdk.PermissionOptionKind(o.Kind),
		}
	}
	return out
}

func (m *Mapping) onAnswer(a client.Approval) []Update {
	if _, put := m.asked[a.ID]; !put {
		return nil
	}
	delete(m.asked, a.ID)
	w := Withdrawal{ApprovalID: a.ID, Status: a.Status}
	if a.ResolvedBy != nil {
		w.By = *a.ResolvedBy
	}
	return []Update{w}
}

// withdrawFor withdraws what is asked about a call.
func (m *Mapping) withdrawFor(id sdk.ToolCallId) []Update {
	return m.withdraw(func(_ string, about sdk.ToolCallId) bool { return about == id })
}

func (m *Mapping) withdraw(which func(approval string, about sdk.ToolCallId) bool) []Update {
	var updates []Update
	for _, a := range slices.Sorted(maps.Keys(m.asked)) {
		if which(a, m.asked[a]) {
			delete(m.asked, a)
			updates = append(updates, Withdrawal{ApprovalID: a})
		}
	}
	return updates
}
