package sessions

import (
	"time"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// webhook is what a hook is sent. It is made of what is stored, so that every
// replica tells the same under the same id; only the session and an approval
// are told as they stand by then.
type webhook struct {
	Type      tenants.HookEvent   `json:"type"`
	Timestamp scheduler.Timestamp `json:"timestamp"` // when it happened
	Data      webhookData         `json:"data"`
}

type webhookData struct {
	Tenant   string         `json:"tenant"`
	Session  webhookSession `json:"session"`
	BatchID  string         `json:"batch_id"`
	TurnID   *string        `json:"turn_id"`
	Call     *webhookCall   `json:"call,omitempty"`
	Result   *resultEvent   `json:"result,omitempty"`
	Batch    *Batch         `json:"batch,omitempty"`
	Results  []resultEvent  `json:"results,omitempty"`
	Approval *Approval      `json:"approval,omitempty"`
}

type webhookSession struct {
	ID              string            `json:"id"`
	ParentSessionID *string           `json:"parent_session_id"`
	Runtime         scheduler.Runtime `json:"runtime"`
	Agent           string            `json:"agent"`
	EffectiveMode   permissions.Mode  `json:"effective_mode"`
	Cwd             string            `json:"cwd"`
	Labels          map[string]string `json:"labels"`
}

type webhookCall struct {
	Position         int                  `json:"position"`
	CallID           string               `json:"call_id"`
	Name             string               `json:"name"`
	Tool             string               `json:"tool"`
	Kind             permissions.Kind     `json:"kind"`
	ReadOnly         bool                 `json:"read_only"`
	Arguments        scheduler.RawJSON    `json:"arguments"`
	ArgumentsPreview bool                 `json:"arguments_preview,omitempty"`
	Decision         *scheduler.Decision  `json:"decision"`
	ExpiresAt        *scheduler.Timestamp `json:"expires_at,omitempty"` // of the question
}

// webhookBody is the body of a webhook about a batch.
func (d *document) webhookBody(b *scheduler.Batch, n notice) []byte {
	v := webhook{Type: n.Event, Data: webhookData{
		Tenant: d.topic.Tenant, Session: d.webhookSession(), BatchID: b.ID, TurnID: optional(b.TurnID),
	}}
	d.fillWebhook(&v, b, n)
	return []byte(encode(v))
}

func (d *document) fillWebhook(v *webhook, b *scheduler.Batch, n notice) {
	in := &narration{d: d, batch: b}
	switch n.Event {
	case tenants.HookPreToolUse:
		// Whole: who judges a preview passes what stands behind it.
		call := d.webhookCall(&b.Calls[n.Place], n.Place)
		v.Timestamp.Time, v.Data.Call = b.Calls[n.Place].HooksAsked, &call
		call.ExpiresAt = timestamp(hookDeadline(&b.Calls[n.Place], n.Hook))
	case tenants.HookPostToolUse:
		call, result := d.webhookCall(&b.Calls[n.Place], n.Place), shortResult(b, n.Place)
		call.Arguments, call.ArgumentsPreview = previewJSON(call.Arguments)
		v.Timestamp, v.Data.Call, v.Data.Result = result.FinishedAt, &call, &result
	case tenants.HookPostToolBatch:
		batch := in.batchData()
		v.Timestamp.Time, v.Data.Batch = b.Completed, &batch
		for i := range b.Calls {
			v.Data.Results = append(v.Data.Results, shortResult(b, i))
		}
	case tenants.HookApprovalRequested:
		approval := in.approvalData(n.Place)
		v.Timestamp.Time, v.Data.Approval = b.Approvals[n.Place].Requested, &approval
	}
}

func (d *document) webhookSession() webhookSession {
	return webhookSession{
		ID: d.topic.Session, ParentSessionID: optional(d.spec.Parent), Runtime: d.spec.Runtime, Agent: d.spec.Agent,
		EffectiveMode: d.effectiveMode(), Cwd: d.spec.Cwd, Labels: d.labels,
	}
}

func (d *document) webhookCall(c *scheduler.Call, position int) webhookCall {
	v := webhookCall{
		Position: position, CallID: c.ID, Name: c.Name, Tool: c.Tool, Kind: permissions.KindOther,
		Arguments: argumentsJSON(c.Arguments), Decision: c.Decision,
	}
	if tool := d.registry.Lookup(c.Tool); tool != nil {
		v.Kind, v.ReadOnly = tool.Permission.Kind, tool.Permission.ReadOnly
	}
	return v
}

// hookDeadline is until when a hook may answer about a call.
func hookDeadline(c *scheduler.Call, hook string) (at time.Time) {
	for _, h := range c.Hooks {
		if h.ID == hook {
			at = h.Deadline
		}
	}
	return at
}
