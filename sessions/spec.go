package sessions

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// The values of a session's `agent`.
const (
	agentMain     = "main"
	agentSubagent = "subagent"
	agentTeammate = "teammate"
)

// The bounds of a session's fields.
const (
	MaxDepth       = 8 // of sessions above a session
	MaxLabels      = 32
	MaxLabelBytes  = 256
	MaxTimeoutS    = 30 * 24 * 60 * 60
	MaxCwdBytes    = 4096
	maxOutputChars = 4 << 20 // what a host may send at most
	maxLoopCount   = 100_000
	maxBudget      = 1 << 30
)

// What a session has whose creator says nothing else.
const (
	defaultApprovalTimeoutS = 30 * 60      // people look away from a screen that long
	defaultClaimTimeoutS    = 5 * 60       // a host that is there takes a call at once
	defaultIdleTTLS         = 24 * 60 * 60 // back the next day
	defaultIdenticalCalls   = 5            // more of the same in a row is a loop
	defaultCallsPerTurn     = 1000
	defaultToolOutputChars  = 25_000
	defaultBatchOutputChars = 200_000
)

// resolve fills in what a specification leaves out.
func (in *Spec) resolve(parent *document) (spec, permissions.Mode) {
	sp := spec{
		Runtime: or(in.Runtime, scheduler.RuntimeCore), SDK: or(in.SDK, false), Agent: or(in.Agent, agentMain),
		Locked: or(in.ApprovalModeLocked, false), Cwd: or(in.Cwd, "/"), PlanModule: true,
		ApprovalTimeoutS: or(in.ApprovalTimeoutS, defaultApprovalTimeoutS),
		ClaimTimeoutS:    or(in.ClaimTimeoutS, defaultClaimTimeoutS),
		MaxToolCalls:     in.MaxToolCalls, IdleTTLS: or(in.IdleTTLS, defaultIdleTTLS),
		Loop:   Loop{IdenticalCalls: defaultIdenticalCalls, CallsPerTurn: defaultCallsPerTurn},
		Limits: Limits{ToolOutputChars: defaultToolOutputChars, BatchOutputChars: defaultBatchOutputChars},
	}
	sp.PlanShell = planShellBelow(parent, or(in.PlanShell, ""))
	sp.Approvals, sp.Approvers = or(in.Approvals, approvalsDefault(sp.Runtime)), in.Approvers
	if parent != nil {
		sp.Parent = parent.topic.Session
		sp.Ancestors = append([]string{sp.Parent}, parent.spec.Ancestors...)
		sp.Agent = or(in.Agent, agentSubagent)
		sp.ApproversAbove = parent.spec.approvers()
	}
	if in.Modules != nil {
		sp.PlanModule = or(in.Modules.PlanMode, true)
	}
	if in.StructuredOutput != nil {
		sp.StructuredSchema = in.StructuredOutput.Schema
	}
	if l := in.Loop; l != nil {
		sp.Loop = Loop{or(l.IdenticalCalls, sp.Loop.IdenticalCalls), or(l.CallsPerTurn, sp.Loop.CallsPerTurn)}
	}
	if l := in.Limits; l != nil {
		sp.Limits = Limits{or(l.ToolOutputChars, sp.Limits.ToolOutputChars), or(l.BatchOutputChars, sp.Limits.BatchOutputChars)}
	}
	return sp, or(in.ApprovalMode, permissions.ModeDefault)
}

func or[T any](v *T, fallback T) T {
	if v == nil {
		return fallback
	}
	return *v
}

// approvalsDefault: nobody watches a headless session.
func approvalsDefault(r scheduler.Runtime) string {
	if r == scheduler.RuntimeHeadless {
		return approvalsNone
	}
	return approvalsFrontend
}

// check names what is wrong with a specification.
func (in *Spec) check(sp spec, mode permissions.Mode) fields {
	var wrong fields
	checkChoices(&wrong, sp, mode)
	checkNumbers(&wrong, sp)
	checkLabels(&wrong, in.Labels)
	if in.Approvers != nil {
		for _, f := range in.Approvers.Check() {
			wrong.add(f.Path, "%s", f.Detail)
		}
	}
	if sp.StructuredSchema != nil {
		if _, err := compileSchema(sp.StructuredSchema); err != nil {
			wrong.add("/structured_output/schema", "%s", err)
		}
	}
	if in.Rules != nil {
		if p := ruleProblem("/rules", permissions.Check(*in.Rules)); p != nil {
			wrong = append(wrong, p.Fields...)
		}
	}
	return wrong
}

func checkChoices(wrong *fields, sp spec, mode permissions.Mode) {
	switch sp.Runtime {
	case scheduler.RuntimeCore, scheduler.RuntimeACP, scheduler.RuntimeHeadless:
	default:
		wrong.add("/runtime", "is not core, acp or headless")
	}
	switch sp.Agent {
	case agentMain, agentSubagent, agentTeammate:
	default:
		wrong.add("/agent", "is not main, subagent or teammate")
	}
	if sp.Approvals != approvalsFrontend && sp.Approvals != approvalsNone {
		wrong.add("/approvals", "is not frontend or none")
	}
	if !mode.Valid() {
		wrong.add("/approval_mode", "is not plan, default, auto_edit or yolo")
	} else if mode == permissions.ModePlan && !sp.PlanModule {
		wrong.add("/approval_mode", "is plan, but the plan_mode module is off")
	}
	checkPlanShell(wrong, sp.PlanShell)
	if !path.IsAbs(sp.Cwd) || len(sp.Cwd) > MaxCwdBytes || !plain(sp.Cwd) {
		wrong.add("/cwd", "is not an absolute path of at most %d bytes", MaxCwdBytes)
	}
}

func checkNumbers(wrong *fields, sp spec) {
	budget := -1
	if sp.MaxToolCalls != nil {
		budget = *sp.MaxToolCalls
	}
	for _, n := range []struct {
		path          string
		value, lo, hi int
	}{
		{"/approval_timeout_s", sp.ApprovalTimeoutS, 0, MaxTimeoutS},
		{"/claim_timeout_s", sp.ClaimTimeoutS, 0, MaxTimeoutS},
		{"/idle_ttl_s", sp.IdleTTLS, 0, MaxTimeoutS},
		{"/max_tool_calls", budget, -1, maxBudget},
		{"/loop/identical_calls", sp.Loop.IdenticalCalls, 0, maxLoopCount},
		{"/loop/calls_per_turn", sp.Loop.CallsPerTurn, 0, maxLoopCount},
		{"/limits/tool_output_chars", sp.Limits.ToolOutputChars, 1, maxOutputChars},
		{"/limits/batch_output_chars", sp.Limits.BatchOutputChars, 1, maxOutputChars},
	} {
		if n.value < n.lo || n.value > n.hi {
			wrong.add(n.path, "is not between %d and %d", n.lo, n.hi)
		}
	}
}

func checkLabels(wrong *fields, labels map[string]string) {
	if len(labels) > MaxLabels {
		wrong.add("/labels", "more than %d", MaxLabels)
	}
	for k, v := range labels {
		if k == "" || len(k) > MaxLabelBytes || len(v) > MaxLabelBytes || !plain(k+v) || strings.Contains(k, "=") {
			wrong.add("/labels", "a label has a key without = and a value, at most %d bytes each, without control characters", MaxLabelBytes)
			return
		}
	}
}

// plain says that a text is UTF-8 without control characters.
func plain(s string) bool { return utf8.ValidString(s) && !strings.ContainsFunc(s, isControl) }

func isControl(r rune) bool { return r < 0x20 || r == 0x7f }

// whole gives rules without missing lists.
func whole(r permissions.Rules) permissions.Rules {
	for _, list := range []*[]string{&r.Deny, &r.Ask, &r.Allow} {
		if *list == nil {
			*list = []string{}
		}
	}
	return r
}
