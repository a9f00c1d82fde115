package scheduler

import (
	"errors"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

// rules is the policy in force, plan mode's deny rules folded in.
func (t *transition) rules() *permissions.Policy {
	if on := t.s.Plan.On(); t.policy == nil || on != t.policyOn {
		t.policy = permissions.Join(t.env.Policy, planmode.Policy(t.s.Plan, t.env.PlanShell))
		t.policyOn = on
	}
	return t.policy
}

// mode is the strictest mode of the session and those above it.
func (t *transition) mode() permissions.Mode {
	if t.env.AncestorMode == "" {
		return t.s.Mode
	}
	return permissions.Strictest(t.s.Mode, t.env.AncestorMode)
}

// analysis is what rules see of a call, made once per command.
func (t *transition) analysis(i int) *permissions.Analysis {
	if t.analyses == nil {
		t.analyses = make([]*permissions.Analysis, len(t.b.Calls))
	}
	if t.analyses[i] == nil {
		t.analyses[i] = t.analyse(&t.b.Calls[i])
	}
	return t.analyses[i]
}

func (t *transition) analyse(c *Call) *permissions.Analysis {
	tool := permissions.Tool{Name: c.Tool, Kind: permissions.KindOther}
	if known := t.env.Tools.Lookup(c.Tool); known != nil {
		tool = known.Permission
	}
	return permissions.Analyse(permissions.Request{Tool: tool, Arguments: c.Arguments, Cwd: t.s.Cwd})
}

// denyByRule ends a call that a deny rule names.
func (t *transition) denyByRule(i int) {
	if d, denied := t.rules().Denied(t.analysis(i)); denied {
		t.deny(i, d)
	}
}

// deny ends a call, and says whether it was plan mode that denied it.
func (t *transition) deny(i int, d permissions.Decision) {
	c := t.touch(i)
	c.Decision = t.decision(d)
	if d.Source == permissions.SourcePlanMode {
		t.finish(i, ReasonPlanModeDenied, textPlanModeDenied(c.Tool))
		return
	}
	t.finish(i, ReasonPermissionDenied, textPermissionDenied(c.Tool, d))
}

// lookUpTool ends a call of a tool that nobody registered.
func (t *transition) lookUpTool(i int) {
	if t.env.Tools.Lookup(t.b.Calls[i].Tool) == nil {
		t.finish(i, ReasonToolNotRegistered, textNotRegistered(t.b.Calls[i].Name))
	}
}

// errNotObject says that arguments are JSON of another kind.
var errNotObject = errors.New("not a JSON object")

// checkArguments ends a call whose arguments are cut off, are no object, or
// don't fit the tool's schema.
func (t *transition) checkArguments(i int) {
	c := &t.b.Calls[i]
	if c.Fault == FaultTruncated {
		t.finish(i, ReasonOutputTruncated, textOutputTruncated)
		return
	}
	if err, bad := t.malformed[i]; bad {
		t.finish(i, ReasonInvalidToolParams, textInvalidArguments(c.Tool, err))
		return
	}
	validate := t.env.Tools.Lookup(c.Tool).Validate
	if validate == nil {
		return
	}
	if err := validate([]byte(c.Arguments)); err != nil {
		t.finish(i, ReasonInvalidToolParams, textInvalidArguments(c.Tool, err))
	}
}

// decide gives a call its decision, or ends it.
func (t *transition) decide(i int) {
	c := t.touch(i)
	switch {
	case c.Tool == ToolExitPlanMode:
		c.Decision = t.decision(alwaysAsk)
	case t.env.Tools.Lookup(c.Tool).Permission.Gateway:
		c.Decision = t.decision(neverAsk)
		t.noteDecided(i)
	default:
		t.judge(i, t.verdict(i))
	}
}

// question puts a call to whoever has to agree: hooks first, then a person. The
// gateway's own tools are put to no hook; leaving plan mode is a person's alone.
func (t *transition) question(i int) {
	c := &t.b.Calls[i]
	switch {
	case c.Tool == ToolExitPlanMode:
		t.requestExit(i)
	case t.env.Tools.Lookup(c.Tool).Permission.Gateway:
	case len(t.env.Hooks) > 0 && c.Hooks == nil && !c.Approved:
		t.awaitHooks(i)
	case c.Decision.Effect == permissions.Ask && !c.Approved:
		t.askAbout(i)
	}
}

// What is decided of the gateway's own tools once no deny rule names them.
var (
	neverAsk  = permissions.Decision{Effect: permissions.Allow, Tier: permissions.TierMode, Source: permissions.SourceMode}
	alwaysAsk = permissions.Decision{Effect: permissions.Ask, Tier: permissions.TierAsk, Source: permissions.SourcePlanMode}
)

// settle does what a decision says of a call that was decided before. Hooks are
// not asked again: what they said of the call stands.
func (t *transition) settle(i int, d permissions.Decision) {
	t.judge(i, d)
	if c := &t.b.Calls[i]; c.State != StateDone && d.Effect == permissions.Ask && !c.Approved {
		t.askAbout(i)
	}
}

// judge gives a call of the host's its decision. It ends one that is denied, or
// that somebody would have to be asked about where nobody can be.
func (t *transition) judge(i int, d permissions.Decision) {
	if d.Effect == permissions.Deny {
		t.deny(i, d)
		return
	}
	c := t.touch(i)
	c.Decision = t.decision(d)
	switch {
	case d.Effect == permissions.Allow || c.Approved:
		t.noteDecided(i)
	case !t.s.Approver:
		t.finish(i, ReasonApprovalUnavailable, textApprovalUnavailable)
	}
}

// askAbout puts a call of the host's to a person.
func (t *transition) askAbout(i int) {
	t.ask(i, Approval{Kind: ApprovalTool, Subject: t.analysis(i).Subject()})
}

// noteDecided spares a call that starts in the command that decided it a
// second look: nothing that it depends on can have changed but the mode.
func (t *transition) noteDecided(i int) {
	if t.decided == nil {
		t.decided = make([]int64, len(t.b.Calls))
	}
	t.decided[i] = t.s.ModeRevision + 1
}

// verdict is the engine's, or a grant's where the engine would ask.
func (t *transition) verdict(i int) permissions.Decision {
	a := t.analysis(i)
	d := t.rules().Decide(a, t.mode())
	if d.Effect != permissions.Ask {
		return d
	}
	tool := t.env.Tools.Lookup(t.b.Calls[i].Tool)
	if t.env.Grants.Granted(tool.Permission.Name, tool.Fingerprint, a.Key()) {
		return permissions.Decision{Effect: permissions.Allow, Tier: permissions.TierAllow, Source: permissions.SourceGrant}
	}
	return d
}

// ask opens a question about a call.
func (t *transition) ask(i int, a Approval) {
	c := t.touch(i)
	a.Number, a.Position, a.Tool = len(t.b.Approvals)+1, i, c.Tool
	a.ModeRevision, a.Status, a.Requested = t.s.ModeRevision, ApprovalPending, t.env.Now
	a.Approvers = t.env.Approvers
	if t.s.Lease != nil {
		a.Runner = t.s.Lease.By
	}
	if t.s.ApprovalTimeout > 0 {
		a.Expires = t.env.Now.Add(t.s.ApprovalTimeout)
	}
	t.b.Approvals = append(t.b.Approvals, a)
	t.fx.Raised = append(t.fx.Raised, len(t.b.Approvals)-1)
	c.State, c.Approval, c.Deadline = StateAwaitingApproval, a.Number, a.Expires
}

func (t *transition) decision(d permissions.Decision) *Decision {
	kept := &struct {
		Decision
		pattern string // beside the decision that points to it: one allocation
	}{Decision{Effect: d.Effect, Tier: d.Tier, Source: d.Source, ModeRevision: t.s.ModeRevision}, d.Pattern}
	if kept.pattern != "" {
		kept.Pattern = &kept.pattern
	}
	return &kept.Decision
}
