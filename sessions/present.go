package sessions

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
	"time"

	"github.com/session-gateway/gateway/internal/spans"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

// sessionView is the session document, tools and rules included.
func (d *document) sessionView() Session {
	v := d.sessionEvent()
	tools, rules, last := d.tools, d.rules, d.head.String()
	v.Tools, v.Rules, v.LastEventID = &tools, &rules, &last
	return v
}

// sessionEvent is the session as events carry it.
func (d *document) sessionEvent() Session {
	s, sp := &d.state.Session, &d.spec
	v := Session{
		ID: d.topic.Session, Tenant: d.topic.Tenant, Status: d.status,
		Runtime: sp.Runtime, SDK: sp.SDK, Agent: sp.Agent, ParentSessionID: optional(sp.Parent),
		ApprovalMode: s.Mode, EffectiveMode: d.effectiveMode(), ApprovalModeLocked: sp.Locked, PreviousMode: optional(s.Previous),
		ModeRevision: s.ModeRevision, Cwd: sp.Cwd, Modules: Modules{PlanMode: sp.PlanModule}, PlanShell: optional(sp.PlanShell),
		Approvals: sp.Approvals, Approvers: sp.Approvers, ApprovalTimeoutS: sp.ApprovalTimeoutS, ClaimTimeoutS: sp.ClaimTimeoutS,
		ToolsRevision: d.toolsRevision, RulesRevision: d.rulesRevision,
		MaxToolCalls: sp.MaxToolCalls, ToolCallsUsed: s.Used, Loop: sp.Loop, Limits: sp.Limits,
		Labels: d.labels, IdleTTLS: sp.IdleTTLS, Plan: d.planState(),
		OpenApprovals: []string{}, Hosts: []string{},
		CreatedAt: scheduler.Timestamp{Time: sp.CreatedAt}, UpdatedAt: scheduler.Timestamp{Time: d.updated},
		ClosedAt: timestamp(d.closed),
	}
	if s.Lease != nil {
		v.Hosts = append(v.Hosts, s.Lease.Host)
	}
	if sp.StructuredSchema != nil {
		v.StructuredOutput = &StructuredOutput{Schema: sp.StructuredSchema}
	}
	if s.Open != nil {
		v.OpenTurnID = &s.Open.ID
	}
	if b := d.openBatch(); b != nil {
		v.OpenBatchID = &b.ID
		for k := range b.Approvals {
			if b.Approvals[k].Status == scheduler.ApprovalPending {
				v.OpenApprovals = append(v.OpenApprovals, newApprovalID(d.topic.Session, b.Number, k+1))
			}
		}
	}
	return v
}

func (d *document) planState() PlanState {
	p := d.state.Session.Plan
	return PlanState{
		Active: p.Active, Inherited: p.Inherited, Text: p.Text, Revision: p.Revision,
		EnteredBy: optional(p.EnteredBy), EnteredAt: timestamp(p.EnteredAt),
	}
}

func (d *document) planView() Plan {
	s := &d.state.Session
	v := Plan{
		Active: s.Plan.Active, Inherited: s.Plan.Inherited, Text: s.Plan.Text, Revision: s.Plan.Revision,
		Reminder: planmode.ReminderFor(d.spec.SDK),
	}
	if a := s.LastApproved; a != nil {
		v.LastApproved = &LastApproved{Text: a.Text, By: a.By, At: scheduler.Timestamp{Time: a.At}}
	}
	return v
}

// batchView is a batch as routes answer it.
func (d *document) batchView(b *scheduler.Batch) Batch {
	v := d.batchEvent(b)
	for i := range b.Calls {
		v.Calls[i].Result = b.Calls[i].Result
		if r := b.Calls[i].Rendered; r != nil {
			v.Calls[i].Rendered = &Rendered{Output: r.Output, OutputRef: r.Ref}
		}
	}
	return v
}

// batchEvent is a batch as events carry it: without results.
func (d *document) batchEvent(b *scheduler.Batch) Batch {
	v := Batch{
		ID: b.ID, SessionID: d.topic.Session, TurnID: optional(b.TurnID), HostID: optional(b.HostID),
		ResponseID: optional(b.ResponseID), Format: b.Format, Status: string(b.Status), Stop: b.Stop,
		Calls: make([]Call, len(b.Calls)), CallsSHA256: callsHash(b), Offloaded: offloaded(b),
		CreatedAt: scheduler.Timestamp{Time: b.Created}, CompletedAt: timestamp(b.Completed),
	}
	for i := range b.Calls {
		v.Calls[i] = d.callView(b, i)
	}
	return v
}

// callView is a call without its result.
func (d *document) callView(b *scheduler.Batch, i int) Call {
	c := &b.Calls[i]
	v := Call{
		Position: i, ID: c.ID, IDAssigned: c.IDAssigned, Name: c.Name, Tool: c.Tool, State: c.State,
		HostID: optional(c.Host), Decision: c.Decision,
	}
	if c.Approval > 0 {
		id := newApprovalID(d.topic.Session, b.Number, c.Approval)
		v.ApprovalID = &id
	}
	if c.State != scheduler.StateDone {
		timeout := d.timeoutOf(c.Tool)
		v.Arguments, v.TimeoutS = argumentsJSON(c.Arguments), &timeout
		v.Traceparent = spans.Within(b.Trace, spans.Execution(b.ID, i))
	}
	return v
}

// timeoutOf is how long a call of a tool may take, in seconds.
func (d *document) timeoutOf(tool string) int {
	if t := d.registry.Lookup(tool); t != nil {
		return int(t.Timeout / time.Second)
	}
	return 0
}

// argumentsJSON embeds arguments in JSON: as they are, or as a string where
// the model's text is no JSON.
func argumentsJSON(text string) scheduler.RawJSON {
	if json.Valid([]byte(text)) {
		return scheduler.RawJSON(text)
	}
	return scheduler.RawJSON(encode(text))
}

// callsHash identifies what was submitted, so that a host whose answer was lost
// can tell its own batch from another's.
func callsHash(b *scheduler.Batch) string {
	h := sha256.New()
	for i := range b.Calls {
		c := &b.Calls[i]
		id := c.ID
		if c.IDAssigned {
			id = ""
		}
		h.Write([]byte(encode([]string{id, c.Name, c.Arguments})))
		h.Write([]byte{'\n'})
	}
	return hex.EncodeToString(h.Sum(nil))
}

func offloaded(b *scheduler.Batch) []Offloaded {
	var out []Offloaded
	for i := range b.Calls {
		if r := b.Calls[i].Rendered; r != nil {
			out = append(out, Offloaded{Position: i, OutputRef: r.Ref, Size: b.Calls[i].Size})
		}
	}
	return out
}

func (d *document) approvalView(b *scheduler.Batch, k int) Approval {
	a := &b.Approvals[k]
	c := &b.Calls[a.Position]
	v := Approval{
		ID: newApprovalID(d.topic.Session, b.Number, k+1), SessionID: d.topic.Session, BatchID: b.ID,
		CallID: c.ID, Position: a.Position, Tool: a.Tool, Kind: string(a.Kind), Subject: a.Subject,
		Arguments: argumentsJSON(c.Arguments), ModeRevision: a.ModeRevision, Status: string(a.Status),
		RequestedAt: scheduler.Timestamp{Time: a.Requested}, ExpiresAt: timestamp(a.Expires), ResolvedAt: timestamp(a.Resolved),
		ResolvedBy: optional(a.By), OptionID: optional(a.Option), Feedback: optional(a.Feedback),
		Required: a.Approvers.Required(), Votes: voteViews(a.Votes),
	}
	for _, o := range a.Options() {
		v.Options = append(v.Options, ApprovalOption{ID: o.ID, Kind: o.Kind, Label: o.Label})
	}
	if p := a.Plan; p != nil {
		v.Plan = &ApprovalPlan{Text: p.Text, SHA256: p.SHA256, Revision: p.Revision, PreviousMode: p.PreviousMode}
	}
	return v
}

func (d *document) grantViews() []Grant {
	out := make([]Grant, 0, len(d.grants))
	for id, g := range d.grants {
		out = append(out, Grant{ID: id, Tool: g.Tool, Subject: g.Subject, GrantedBy: g.By, GrantedAt: scheduler.Timestamp{Time: g.At}})
	}
	slices.SortFunc(out, func(a, b Grant) int {
		if c := a.GrantedAt.Compare(b.GrantedAt.Time); c != 0 {
			return c
		}
		return cmp.Compare(a.ID, b.ID)
	})
	return out
}

func optional[T ~string](s T) *T {
	if s == "" {
		return nil
	}
	return &s
}

func timestamp(t time.Time) *scheduler.Timestamp {
	if t.IsZero() {
		return nil
	}
	return &scheduler.Timestamp{Time: t}
}
