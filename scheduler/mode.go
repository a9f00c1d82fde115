package scheduler

import (
	"slices"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

// byModel is who turned plan mode on when the model did.
const byModel = "model"

// turnOn enters plan mode. That a person left it by hand is not told any more
// where it has not been told yet: it would contradict the reminder.
func (t *transition) turnOn(by string) {
	t.s.Notices = slices.DeleteFunc(t.s.Notices, func(n string) bool { return n == planmode.TextManualExit })
	t.s.Previous = t.s.Mode
	t.s.Plan.Active, t.s.Plan.EnteredBy, t.s.Plan.EnteredAt = true, by, t.env.Now
	t.changeMode(permissions.ModePlan, by)
}

// turnOff leaves plan mode for another mode. The text stays.
func (t *transition) turnOff(to permissions.Mode, by string) {
	t.s.Previous = ""
	t.s.Plan.Active, t.s.Plan.EnteredBy, t.s.Plan.EnteredAt = false, "", zeroTime
	t.changeMode(to, by)
}

func (t *transition) changeMode(to permissions.Mode, by string) {
	t.fx.ModeChange = &ModeChange{From: t.s.Mode, To: to, By: by}
	t.s.Mode = to
	t.s.ModeRevision++
}

// setPlan takes over a plan with another text.
func (t *transition) setPlan(p planmode.State) {
	if p.Revision != t.s.Plan.Revision {
		t.s.Plan = p
		t.fx.PlanUpdated = true
	}
}

// SetMode is a person's change of the approval mode. Open questions about a
// plan go stale and the session's calls are decided again, all in one commit.
// The mode that is on already changes nothing.
func SetMode(env Env, s State, to permissions.Mode, by string) (State, Effects) {
	t, out := begin(env, s)
	switch from := t.s.Mode; {
	case from == to:
		return *out, t.fx
	case to == permissions.ModePlan:
		t.turnOn(by)
	case from == permissions.ModePlan:
		t.turnOff(to, by)
		t.s.Notices = append(t.s.Notices, planmode.TextManualExit)
	default:
		t.changeMode(to, by)
	}
	t.dropStaleExits()
	t.decideAgain()
	return *out, t.fx
}

// SetPlan changes the plan's text; questions about the old text go stale.
func SetPlan(env Env, s State, p planmode.State) (State, Effects) {
	t, out := begin(env, s)
	t.setPlan(p)
	t.dropStaleExits()
	t.advance()
	return *out, t.fx
}

// Redecide judges the open calls again after rules, tools or grants changed:
// env holds the new ones.
func Redecide(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	t.decideAgain()
	return *out, t.fx
}

// dropStaleExits ends the questions about a plan that is not what a person was
// shown any more.
func (t *transition) dropStaleExits() {
	if t.b == nil {
		return
	}
	for k := range t.b.Approvals {
		a := &t.b.Approvals[k]
		if a.Status == ApprovalPending && a.Plan != nil && !a.Plan.Holds(t.s.Plan, t.s.ModeRevision) {
			t.finish(a.Position, ReasonApprovalStale, textApprovalStale)
		}
	}
}

// decideAgain applies what is in force now to the calls that have not started.
// What a new verdict does depends on the call's state:
//
//	queued       deny: ends    ask: awaits approval           allow: stays
//	awaiting     deny: ends    ask: stays                     allow: stays, the question was put
//	dispatched   deny: ends    ask: withdrawn, awaits         allow: stays
//	claimed      runs on
func (t *transition) decideAgain() {
	if t.b == nil || t.b.Status != BatchRunning {
		return
	}
	for i := range t.b.Calls {
		switch t.b.Calls[i].State {
		case StateQueued:
			t.decideQueuedAgain(i)
		case StateDispatched:
			t.stillAllowed(i)
		case StateAwaitingApproval, StateAwaitingHook:
			t.denyAgain(i)
		case StateClaimed, StateDone:
		}
	}
	t.advance()
}

// decideQueuedAgain leaves asking to a call's turn where the runtime does.
func (t *transition) decideQueuedAgain(i int) {
	if t.b.Calls[i].Decision == nil {
		t.denyAgain(i)
		return
	}
	t.stillAllowed(i)
}

// denyAgain ends a call that is denied or unknown now, or does not fit its schema.
func (t *transition) denyAgain(i int) {
	for _, check := range []func(int){t.denyByRule, t.lookUpTool, t.checkArguments} {
		if check(i); t.b.Calls[i].State == StateDone {
			return
		}
	}
}
