package sessions

import (
	"context"
	"errors"
	"strings"

	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// Plan is the plan with the reminder that this session's model is given.
func (s *Service) Plan(ctx context.Context, c tenants.Caller, sid string) (Plan, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return Plan{}, err
	}
	return d.planView(), nil
}

// PatchPlan appends to or replaces the plan's text. Questions about the old
// text go stale in the same commit.
func (s *Service) PatchPlan(ctx context.Context, c tenants.Caller, sid string, p PlanPatch) (Plan, error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Plan{}, err
	}
	reply, err := run(ctx, s, command[Plan]{
		caller: c, topic: t, reads: pendingReads,
		decide: func(ch *change) error { return ch.patchPlan(p) },
		answer: func(ch *change) Plan { return ch.doc.planView() },
	})
	return reply.Value, err
}

func (c *change) patchPlan(p PlanPatch) error {
	var wrong fields
	switch {
	case (p.Append == nil) == (p.Text == nil):
		wrong.add("", "exactly one of append and text has to be given")
	case p.Append != nil && strings.TrimSpace(*p.Append) == "":
		wrong.add("/append", "is blank")
	}
	if problem := wrong.problem(); problem != nil {
		return problem
	}
	plan := c.doc.state.Session.Plan
	if p.IfMatch != nil && *p.IfMatch != plan.Revision {
		return refuse(CodePreconditionFailed, "the plan has revision %d", plan.Revision).with("revision", plan.Revision)
	}
	plan, path, err := p.to(plan)
	if errors.Is(err, planmode.ErrTextTooLong) {
		wrong.add(path, "%s", err)
		return wrong.problem()
	}
	c.apply(scheduler.SetPlan(c.doc.env(c), c.doc.state, plan))
	return nil
}

// to is the plan after the patch, and which member of the patch did it.
func (p PlanPatch) to(plan planmode.State) (planmode.State, string, error) {
	if p.Append != nil {
		plan, err := plan.Append(*p.Append)
		return plan, "/append", err
	}
	plan, err := plan.Replace(*p.Text)
	return plan, "/text", err
}
