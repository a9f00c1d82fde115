package sessions

import (
	"context"
	"crypto/rand"
	"errors"
	"path"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
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
	httpCreated    = 201
	httpOK         = 200
	httpAccepted   = 202
)

// Create makes a session.
func (s *Service) Create(ctx context.Context, c tenants.Caller, idem Idempotency, in Spec) (Reply[Session], error) {
	if err := s.store.Admit(ctx); err != nil {
		return Reply[Session]{}, storeProblem(err)
	}
	parent, err := s.parent(ctx, c, in.ParentSessionID)
	if err != nil {
		return Reply[Session]{}, err
	}
	for attempt := 0; attempt < maxAttempts; attempt++ {
		cmd := command[Session]{
			caller: c, topic: s.newTopic(c, idem, parent, attempt), idem: idem, status: httpCreated,
			answer: func(c *change) Session { return c.doc.sessionView() },
		}
		stored, err := replay[Session](ctx, s, &cmd)
		if stored != nil || err != nil {
			return deref(stored), err
		}
		doc, err := s.newDocument(c, cmd.topic, parent, in)
		if err != nil {
			return Reply[Session]{}, err
		}
		reply, err := finish(ctx, s, &cmd, &change{doc: doc, now: doc.spec.CreatedAt}, true)
		switch {
		case errors.Is(err, store.ErrIdempotent):
			stored, err := replay[Session](ctx, s, &cmd)
			return deref(stored), err
		case errors.Is(err, store.ErrConflict):
			// the parent changed meanwhile, or the id outlived its record
			if parent, err = s.parent(ctx, c, in.ParentSessionID); err != nil {
				return Reply[Session]{}, err
			}
		default:
			return reply, storeProblem(err)
		}
	}
	return Reply[Session]{}, refuse(CodeBusy, "the parent session changes too fast; try again")
}

// parent is the session above the new one, or nil.
func (s *Service) parent(ctx context.Context, c tenants.Caller, sid *string) (*document, error) {
	if sid == nil {
		return nil, nil //nolint:nilnil // a root session has none
	}
	d, err := s.readable(ctx, c, *sid)
	if err != nil {
		return nil, err
	}
	if d.status != statusActive {
		return nil, refuse(CodeSessionClosed, "the parent session is closed")
	}
	if len(d.spec.Ancestors) >= MaxDepth {
		var wrong fields
		wrong.add("/parent_session_id", "there are %d sessions above this one already", MaxDepth)
		return nil, wrong.problem()
	}
	return d, nil
}

// newTopic places a session: a root one in one of the tenant's buckets, a child
// in its root's. With an idempotency key the id follows from it.
func (s *Service) newTopic(c tenants.Caller, idem Idempotency, parent *document, attempt int) stream.Topic {
	id := ulid.MustNew(ulid.Timestamp(s.now()), rand.Reader)
	if idem.Key != "" {
		id = derivedULID("session", c.Principal(), idem.Key, strconv.Itoa(attempt))
	}
	buckets := store.BucketsOf(c.Tenant)
	bucket := buckets[int(id[len(id)-1])%len(buckets)]
	if parent != nil {
		bucket = parent.topic.Bucket
	}
	return stream.Topic{Bucket: bucket, Tenant: c.Tenant, Session: newSessionID(bucket, id)}
}

// newDocument checks a specification and makes the session of it.
func (s *Service) newDocument(c tenants.Caller, t stream.Topic, parent *document, in Spec) (*document, error) {
	sp, mode := in.resolve(parent)
	sp.CreatedAt = s.now()
	tools, problem := declare(in.Tools)
	if problem != nil {
		return nil, problem
	}
	if problem := in.check(sp, mode); problem != nil {
		return nil, problem
	}
	d := &document{
		topic: t, spec: sp, status: statusActive, labels: in.Labels, tools: tools, toolsRevision: 1, rulesRevision: 1,
		grants: map[string]grant{},
	}
	if d.labels == nil {
		d.labels = map[string]string{}
	}
	if in.Rules != nil {
		d.rules = *in.Rules
	}
	d.rules = whole(d.rules)
	d.state.Session = scheduler.Session{Settings: sp.settings(), Mode: mode, ModeRevision: 1}
	if mode == permissions.ModePlan {
		d.state.Session.Plan = planmode.State{Active: true, EnteredBy: c.Subject, EnteredAt: sp.CreatedAt}
	}
	if parent != nil {
		d.ancestors = append([]ancestor{parent.asAncestor()}, parent.ancestors...)
	}
	d.state.Session.Plan.Inherited = d.inherited()
	return d, s.compile(d)
}

// asAncestor is the document as those below it see it.
func (d *document) asAncestor() ancestor {
	return ancestor{
		id: d.topic.Session, value: d.modeValue, mode: d.state.Session.Mode,
		closed: d.status != statusActive, rules: d.rules,
	}
}

// resolve fills in what a specification leaves out.
func (in *Spec) resolve(parent *document) (spec, permissions.Mode) {
	sp := spec{
		Runtime: or(in.Runtime, scheduler.RuntimeCore), SDK: or(in.SDK, false), Agent: or(in.Agent, agentMain),
		Locked: or(in.ApprovalModeLocked, false), Cwd: or(in.Cwd, "/"), PlanModule: true,
		ApprovalTimeoutS: or(in.ApprovalTimeoutS, 1800), ClaimTimeoutS: or(in.ClaimTimeoutS, 300),
		MaxToolCalls: in.MaxToolCalls, IdleTTLS: or(in.IdleTTLS, 86400),
		Loop:   Loop{IdenticalCalls: 5, CallsPerTurn: 1000},
		Limits: Limits{ToolOutputChars: 25000, BatchOutputChars: 200000},
	}
	sp.Approvals = or(in.Approvals, approvalsDefault(sp.Runtime))
	if parent != nil {
		sp.Parent = parent.topic.Session
		sp.Ancestors = append([]string{sp.Parent}, parent.spec.Ancestors...)
		sp.Agent = or(in.Agent, agentSubagent)
	}
	if in.Modules != nil {
		sp.PlanModule = or(in.Modules.PlanMode, true)
	}
	if in.StructuredOutput != nil {
		sp.StructuredSchema = in.StructuredOutput.Schema
	}
	if l := in.Loop; l != nil {
		sp.Loop = Loop{IdenticalCalls: or(l.IdenticalCalls, 5), CallsPerTurn: or(l.CallsPerTurn, 1000)}
	}
	if l := in.Limits; l != nil {
		sp.Limits = Limits{ToolOutputChars: or(l.ToolOutputChars, 25000), BatchOutputChars: or(l.BatchOutputChars, 200000)}
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
func (in *Spec) check(sp spec, mode permissions.Mode) *Problem {
	var wrong fields
	checkChoices(&wrong, sp, mode)
	checkNumbers(&wrong, sp)
	checkLabels(&wrong, in.Labels)
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
	return wrong.problem()
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
	if !path.IsAbs(sp.Cwd) || len(sp.Cwd) > MaxCwdBytes || strings.ContainsFunc(sp.Cwd, isControl) {
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
		if k == "" || len(k) > MaxLabelBytes || len(v) > MaxLabelBytes || strings.ContainsFunc(k+v, isControl) || strings.Contains(k, "=") {
			wrong.add("/labels", "a label has a key without = and a value, at most %d bytes each, without control characters", MaxLabelBytes)
			return
		}
	}
}

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
