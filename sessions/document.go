package sessions

import (
	"time"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// The statuses of a session.
const (
	statusActive = "active"
	statusClosed = "closed"
)

// The values of a session's `approvals`.
const (
	approvalsFrontend = "frontend"
	approvalsNone     = "none"
)

// spec is what a session was created with and keeps.
type spec struct {
	Runtime          scheduler.Runtime
	SDK              bool
	Agent            string
	Parent           string
	Ancestors        []string // parent first
	Locked           bool
	Cwd              string
	PlanModule       bool
	PlanShell        tenants.PlanShell // empty: the tenant's
	Approvals        string
	Approvers        *tenants.Approvers  // its own policy, if it has one
	ApproversAbove   []tenants.Approvers // of the sessions above it, which hold too
	ApprovalTimeoutS int
	ClaimTimeoutS    int
	StructuredSchema scheduler.RawJSON // nil: no structured output
	MaxToolCalls     *int
	Loop             Loop
	Limits           Limits
	IdleTTLS         int
	CreatedAt        time.Time
}

// document is a session in memory. A document that was loaded or committed is
// never changed; commands work on a copy (see change).
type document struct {
	topic     stream.Topic
	head      stream.ID
	newer     bool   // written by a newer build: it is read, and changed by that build only
	overtaken int    // how often others had written since this replica did, less how often nobody had; see command.start
	modeValue string // what descendants check; see modeKey
	spec      spec
	settled   string // the commit that changed a settled field last; see movingFields
	status    string
	updated   time.Time
	closed    time.Time
	labels    map[string]string

	state   scheduler.State
	lease   *store.Lease // as read or written; renewals of other replicas are not in it
	batches uint64       // number of the newest batch
	turns   uint64       // number of the newest turn
	message []byte       // of the open batch, as it came

	tools         ToolSet
	toolsRevision int64
	sealed        ToolSet // removed while plan mode is on; see seal
	rules         permissions.Rules
	rulesRevision int64
	grants        map[string]grant // by id
	memory        memory
	outputs       ledger
	marks         marks
	batchFrom     uint64 // the open batch's first event; 0 without one
	ancestors     []ancestor

	registry *scheduler.Registry
	policy   *permissions.Policy
}

// ancestor is what a session is judged by of a session above it.
type ancestor struct {
	id      string
	value   string // its mode key as read; empty when missing
	mode    permissions.Mode
	closed  bool
	missing bool // can't be read
	rules   permissions.Rules
}

// underPlan says whether the ancestor's plan mode holds below it. One that is
// closed or can't be read counts as in plan mode: it is not known to be out.
func (a ancestor) underPlan() bool { return a.closed || a.missing || a.mode == permissions.ModePlan }

type grant struct {
	scheduler.Grant
	id string
}

func (d *document) clone() *document {
	c := *d
	return &c
}

// inherited says whether an ancestor puts the session under plan mode.
func (d *document) inherited() bool {
	for _, a := range d.ancestors {
		if a.underPlan() {
			return true
		}
	}
	return false
}

// ancestorMode is the strictest mode above the session; empty without parent.
func (d *document) ancestorMode() permissions.Mode {
	modes := make([]permissions.Mode, 0, len(d.ancestors))
	for _, a := range d.ancestors {
		if a.underPlan() {
			return permissions.ModePlan
		}
		modes = append(modes, a.mode)
	}
	if len(modes) == 0 {
		return ""
	}
	return permissions.Strictest(modes...)
}

func (d *document) effectiveMode() permissions.Mode {
	above := d.ancestorMode()
	if above == "" {
		return d.state.Session.Mode
	}
	return permissions.Strictest(above, d.state.Session.Mode)
}

// orphaned says that an ancestor is closed, so that the session ends too.
func (d *document) orphaned() bool {
	for _, a := range d.ancestors {
		if a.closed {
			return true
		}
	}
	return false
}

// settings is the session's part in every decision.
func (s *spec) settings() scheduler.Settings {
	limit := scheduler.Unlimited
	if s.Runtime == scheduler.RuntimeHeadless && s.MaxToolCalls != nil && *s.MaxToolCalls >= 0 {
		limit = *s.MaxToolCalls
	}
	return scheduler.Settings{
		Runtime: s.Runtime, MainAgent: s.Agent == agentMain, SDK: s.SDK,
		Approver: s.Approvals == approvalsFrontend, Locked: s.Locked, Cwd: s.Cwd,
		ApprovalTimeout: seconds(s.ApprovalTimeoutS), ClaimTimeout: seconds(s.ClaimTimeoutS),
		MaxToolCalls: limit, IdenticalCalls: s.Loop.IdenticalCalls, CallsPerTurn: s.Loop.CallsPerTurn,
		ToolOutputChars: s.Limits.ToolOutputChars, BatchOutputChars: s.Limits.BatchOutputChars,
	}
}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }

// deadline is when the session has to be looked at next; zero: never.
func (d *document) deadline(retention time.Duration) time.Time {
	if d.status == statusClosed {
		return d.closed.Add(retention)
	}
	at := d.idleAt()
	switch b := d.openBatch(); {
	case b != nil:
		at = b.Deadline()
	case d.state.Session.Open != nil:
		at = earlier(at, d.turnTimeout())
	}
	if l := d.state.Session.Lease; l != nil {
		at = earlier(at, l.Expires)
	}
	return at
}

// idleAt is when a session without an open batch ends unless something
// happens; zero: never.
func (d *document) idleAt() time.Time {
	if d.spec.IdleTTLS == 0 {
		return time.Time{}
	}
	return d.updated.Add(seconds(d.spec.IdleTTLS))
}

// turnTimeout is when the open turn ends, unless something happens before.
func (d *document) turnTimeout() time.Time { return d.updated.Add(scheduler.TurnTimeout) }

// openBatch is the batch that has not ended, or nil.
func (d *document) openBatch() *scheduler.Batch {
	if b := d.state.Batch; b != nil && b.Status == scheduler.BatchRunning {
		return b
	}
	return nil
}
