package acp

import (
	"encoding/json"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// batch is the newest batch that was heard of. One is open at a time, so older
// ones are over and told.
type batch struct {
	id    string
	at    time.Time
	calls []call // by position
}

// call is how far a call was told.
type call struct{ running, ended bool }

// onBatch shows a batch's calls, unless it is the one that is shown or older.
func (m *Mapping) onBatch(b client.Batch) []Update {
	if b.ID == m.batch.id || b.CreatedAt.Before(m.batch.at) {
		return nil
	}
	m.batch = batch{id: b.ID, at: b.CreatedAt, calls: make([]call, len(b.Calls))}
	updates := make([]Update, len(b.Calls))
	for i, c := range b.Calls {
		updates[i] = m.show(i, c)
	}
	return updates
}

// show tells of a call for the first time.
func (m *Mapping) show(position int, c client.Call) Update {
	status := sdk.ToolCallStatusPending
	if c.State == client.CallStateClaimed {
		status = sdk.ToolCallStatusInProgress
		m.batch.calls[position].running = true
	}
	d := m.tools.describe(c.Tool, c.Arguments)
	return Notice{sdk.SessionUpdate{ToolCall: &sdk.SessionUpdateToolCall{
		Meta:       map[string]any{metaKey: map[string]any{"call_id": c.ID, "name": c.Name, "tool": c.Tool}},
		ToolCallId: ToolCallID(m.batch.id, position),
		Title:      d.title, Kind: d.kind, Locations: d.locations, RawInput: rawInput(c.Arguments), Status: status,
	}}}
}

// metaKey is where _meta says what the protocol has no field for.
const metaKey = "session-gateway"

// open is a call that has not ended, or nil.
func (m *Mapping) open(position int) *call {
	if position < 0 || position >= len(m.batch.calls) || m.batch.calls[position].ended {
		return nil
	}
	return &m.batch.calls[position]
}

func (m *Mapping) onClaim(c client.Claimed) []Update {
	call := m.open(c.Position)
	if call == nil || call.running {
		return nil
	}
	call.running = true
	return notice(sdk.UpdateToolCall(ToolCallID(m.batch.id, c.Position), sdk.WithUpdateStatus(sdk.ToolCallStatusInProgress)))
}

func (m *Mapping) onProgress(p client.CallProgress) []Update {
	if m.open(p.Position) == nil || p.Text == nil {
		return nil
	}
	return notice(sdk.UpdateToolCall(ToolCallID(m.batch.id, p.Position), sdk.WithUpdateContent(textContent(*p.Text))))
}

// onResult ends a call. A question about it is withdrawn first: its own event
// comes later in the same commit.
func (m *Mapping) onResult(r client.Result) []Update {
	call := m.open(r.Position)
	if call == nil {
		return nil
	}
	call.ended = true
	id := ToolCallID(m.batch.id, r.Position)
	return append(m.withdrawFor(id), Notice{terminal(id, r)})
}

// terminal is the last update of a call.
func terminal(id sdk.ToolCallId, r client.Result) sdk.SessionUpdate {
	status := sdk.ToolCallStatusFailed
	if r.Status == client.ResultStatusSuccess {
		status = sdk.ToolCallStatusCompleted
	}
	return sdk.UpdateToolCall(id, sdk.WithUpdateStatus(status),
		sdk.WithUpdateContent(textContent(r.Output)), sdk.WithUpdateRawOutput(rawOutput(r)))
}

// rawOutput is a result without what a client has been told already.
func rawOutput(r client.Result) map[string]any {
	out := map[string]any{"status": r.Status, "execution_status": r.ExecutionStatus}
	if r.Reason != nil {
		out["reason"] = *r.Reason
	}
	if r.OutputRef != nil {
		out["output_ref"] = *r.OutputRef
	}
	if r.OutputPreview != nil && *r.OutputPreview {
		out["output_preview"] = true
	}
	return out
}

// onBatchEnd ends what no result was heard of, which no legal sequence leaves.
func (m *Mapping) onBatchEnd(b client.Batch) []Update {
	if b.ID != m.batch.id {
		return nil
	}
	return m.loseCalls()
}

// loseCalls ends the calls whose results will not be heard of.
func (m *Mapping) loseCalls() []Update {
	var updates []Update
	for i := range m.batch.calls {
		updates = append(updates, m.onResult(client.Result{
			Position: i, Status: client.ResultStatusError, ExecutionStatus: client.ResultExecutionStatusUnknown, Output: lostCall,
		})...)
	}
	return updates
}

const lostCall = "The gateway no longer knows this call; whether it ran is not known."

func textContent(text string) []sdk.ToolCallContent {
	if text == "" {
		return nil
	}
	return []sdk.ToolCallContent{sdk.ToolContent(sdk.TextBlock(text))}
}

// rawInput is arguments as JSON, or nothing where they are not told.
func rawInput(arguments json.RawMessage) any {
	if len(arguments) == 0 {
		return nil
	}
	return arguments
}
