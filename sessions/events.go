package sessions

import (
	"slices"
	"unicode/utf8"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
)

// MaxEventData is from what size on an event carries previews of outputs and
// arguments; the batch holds the whole. It keeps frames cheap to share and a
// page of the log full of events.
const MaxEventData = 32 << 10

// previewChars is how much of an output or of arguments a preview shows.
const previewChars = 1024

// The event types.
const (
	eventSessionCreated    = "session.created"
	eventSessionUpdated    = "session.updated"
	eventSessionClosed     = "session.closed"
	eventModeChanged       = "mode.changed"
	eventPlanEntered       = "plan.entered"
	eventPlanUpdated       = "plan.updated"
	eventPlanExited        = "plan.exited"
	eventHostAttached      = "host.attached"
	eventHostLost          = "host.lost"
	eventBatchStarted      = "batch.started"
	eventBatchCompleted    = "batch.completed"
	eventCallDispatched    = "call.dispatched"
	eventCallClaimed       = "call.claimed"
	eventCallProgress      = "call.progress"
	eventCallCancelled     = "call.cancelled"
	eventCallLate          = "call.late"
	eventCallResult        = "call.result"
	eventHookRequested     = "hook.requested"
	eventHookResolved      = "hook.resolved"
	eventApprovalRequested = "approval.requested"
	eventApprovalVoted     = "approval.voted"
	eventApprovalResolved  = "approval.resolved"
)

type modeEvent struct {
	From         permissions.Mode `json:"from"`
	To           permissions.Mode `json:"to"`
	By           string           `json:"by"`
	ModeRevision int64            `json:"mode_revision"`
}

type callEvent struct {
	Position int    `json:"position"`
	CallID   string `json:"call_id"`
	HostID   string `json:"host_id,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// hookRequestEvent is a call that was put to hooks.
type hookRequestEvent struct {
	Position  int                  `json:"position"`
	CallID    string               `json:"call_id"`
	Tool      string               `json:"tool"`
	Hooks     []string             `json:"hooks"`
	ExpiresAt *scheduler.Timestamp `json:"expires_at"` // of the first of them
}

// hookVerdictEvent is what a hook said, or what its silence means.
type hookVerdictEvent struct {
	Position int                   `json:"position"`
	CallID   string                `json:"call_id"`
	Hook     string                `json:"hook"`
	Verdict  scheduler.HookVerdict `json:"verdict"`
	TimedOut bool                  `json:"timed_out"`
	Reason   string                `json:"reason,omitempty"`
}

type dispatchEvent struct {
	Position         int               `json:"position"`
	CallID           string            `json:"call_id"`
	Name             string            `json:"name"`
	Tool             string            `json:"tool"`
	Arguments        scheduler.RawJSON `json:"arguments"`
	ArgumentsPreview bool              `json:"arguments_preview,omitempty"`
	TimeoutS         int               `json:"timeout_s"`
	HostID           string            `json:"host_id,omitempty"`
}

type resultEvent struct {
	scheduler.Result
	OutputPreview bool `json:"output_preview,omitempty"`
}

// narration is the events of one commit in the making.
type narration struct {
	d      *document
	batch  *scheduler.Batch // that the command worked on
	drafts []stream.Draft
}

func (n *narration) add(kind string, data any) { n.addTo(kind, "", data) }

func (n *narration) addTo(kind, batch string, data any) {
	n.drafts = append(n.drafts, stream.Draft{Type: kind, BatchID: batch, Data: []byte(encode(data))})
}

// tell turns a command's effects into events, in the order of a commit: the
// batch's start, hosts, mode and plan, claims and progress, verdicts of hooks,
// per position what was cancelled and how it ended, questions to hooks and
// people, dispatches, the batch's end.
func (n *narration) tell(fx *scheduler.Effects) {
	if fx.Submitted {
		n.addTo(eventBatchStarted, n.batch.ID, n.batchData())
	}
	n.tellHosts(fx)
	n.tellMode(fx)
	n.tellCalls(fx)
	n.tellApprovals(fx)
	for _, i := range fx.Dispatched {
		n.addTo(eventCallDispatched, n.batch.ID, n.dispatchData(i))
	}
	if fx.Completed {
		n.addTo(eventBatchCompleted, n.batch.ID, n.batchData())
	}
}

func (n *narration) tellMode(fx *scheduler.Effects) {
	m := fx.ModeChange
	if m != nil {
		n.add(eventModeChanged, modeEvent{From: m.From, To: m.To, By: m.By, ModeRevision: n.d.state.Session.ModeRevision})
	}
	switch plan := n.d.planState(); {
	case m != nil && m.To == permissions.ModePlan:
		n.add(eventPlanEntered, plan)
	case m != nil && m.From == permissions.ModePlan:
		n.add(eventPlanExited, plan)
	case fx.PlanUpdated:
		n.add(eventPlanUpdated, plan)
	}
}

func (n *narration) tellCalls(fx *scheduler.Effects) {
	for _, i := range fx.Claimed {
		c := &n.batch.Calls[i]
		n.addTo(eventCallClaimed, n.batch.ID, callEvent{Position: i, CallID: c.ID, HostID: c.Host})
	}
	if n.batch == nil {
		return
	}
	n.tellProgress(fx)
	for _, w := range fx.Heard {
		n.addTo(eventHookResolved, n.batch.ID, hookVerdictEvent{
			Position: w.Position, CallID: n.batch.Calls[w.Position].ID, Hook: w.Hook, Verdict: w.Verdict, TimedOut: w.TimedOut, Reason: w.Reason,
		})
	}
	cancelled := map[int]string{}
	for _, c := range fx.Cancelled {
		cancelled[c.Position] = c.Reason
	}
	ended := slices.Sorted(slices.Values(fx.Ended))
	for i := range n.batch.Calls {
		if reason, ok := cancelled[i]; ok {
			n.addTo(eventCallCancelled, n.batch.ID, callEvent{Position: i, CallID: n.batch.Calls[i].ID, Reason: reason})
		}
		if _, ok := slices.BinarySearch(ended, i); ok {
			n.addTo(eventCallResult, n.batch.ID, n.resultData(i))
		}
	}
	for _, i := range fx.Late {
		n.addTo(eventCallLate, n.batch.ID, callEvent{Position: i, CallID: n.batch.Calls[i].ID})
	}
}

func (n *narration) tellApprovals(fx *scheduler.Effects) {
	if n.batch == nil {
		return
	}
	for _, i := range fx.Hooked {
		n.addTo(eventHookRequested, n.batch.ID, n.hookData(i))
	}
	for k := range n.batch.Approvals {
		if slices.Contains(fx.Raised, k) {
			n.addTo(eventApprovalRequested, n.batch.ID, n.approvalData(k))
		}
		if slices.Contains(fx.Voted, k) {
			n.addTo(eventApprovalVoted, n.batch.ID, n.approvalData(k))
		}
		if slices.Contains(fx.Resolved, k) {
			n.addTo(eventApprovalResolved, n.batch.ID, n.approvalData(k))
		}
	}
}

func (n *narration) batchData() Batch {
	v := n.d.batchEvent(n.batch)
	if len(encode(v)) <= MaxEventData {
		return v
	}
	for i := range v.Calls {
		v.Calls[i].Arguments, v.Calls[i].ArgumentsPreview = previewJSON(v.Calls[i].Arguments)
	}
	return v
}

func (n *narration) dispatchData(i int) dispatchEvent {
	c := &n.batch.Calls[i]
	v := dispatchEvent{
		Position: i, CallID: c.ID, Name: c.Name, Tool: c.Tool, Arguments: argumentsJSON(c.Arguments),
		TimeoutS: n.d.timeoutOf(c.Tool),
	}
	if !n.batch.Abandoned {
		v.HostID = n.batch.HostID
	}
	if len(encode(v)) > MaxEventData {
		v.Arguments, v.ArgumentsPreview = previewJSON(v.Arguments)
	}
	return v
}

// resultData is a result, its output a preview when it is too large. The
// reminder is never cut.
func (n *narration) resultData(i int) resultEvent {
	v := resultEvent{Result: *n.batch.Calls[i].Result}
	if v.Tool == scheduler.ToolEnterPlanMode || len(encode(v)) <= MaxEventData {
		return v
	}
	return shortResult(n.batch, i)
}

// shortResult is a result with no more than a preview of its output.
func shortResult(b *scheduler.Batch, position int) resultEvent {
	v := resultEvent{Result: *b.Calls[position].Result}
	v.Output, v.OutputPreview = preview(v.Output)
	if v.Error != nil {
		short := *v.Error
		short.Message, _ = preview(short.Message)
		v.Error = &short
	}
	return v
}

func (n *narration) hookData(i int) hookRequestEvent {
	c := &n.batch.Calls[i]
	v := hookRequestEvent{Position: i, CallID: c.ID, Tool: c.Tool, ExpiresAt: timestamp(c.Deadline)}
	for _, h := range c.Hooks {
		v.Hooks = append(v.Hooks, h.ID)
	}
	return v
}

func (n *narration) approvalData(k int) Approval {
	v := n.d.approvalView(n.batch, k)
	if len(encode(v)) > MaxEventData {
		v.Arguments, v.ArgumentsPreview = previewJSON(v.Arguments)
	}
	return v
}

// preview is the start of a text; false when it is all of it.
func preview(s string) (string, bool) {
	if utf8.RuneCountInString(s) <= previewChars {
		return s, false
	}
	return string([]rune(s)[:previewChars]), true
}

// previewJSON is the start of a JSON text as a JSON string.
func previewJSON(text scheduler.RawJSON) (scheduler.RawJSON, bool) {
	short, cut := preview(string(text))
	if !cut {
		return text, false
	}
	return scheduler.RawJSON(encode(short)), true
}
