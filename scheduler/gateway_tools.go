package scheduler

import (
	"encoding/json"

	"github.com/session-gateway/gateway/planmode"
)

// execute starts a call: the gateway's own tools act at once, all others are
// offered to the host.
func (t *transition) execute(i int) {
	switch t.b.Calls[i].Tool {
	case ToolEnterPlanMode:
		t.enterPlanMode(i)
	case ToolReadOutput:
		t.readOutput(i)
	default:
		t.dispatch(i)
	}
}

// start notes that the gateway executes a call itself.
func (t *transition) start(i int) {
	c := t.touch(i)
	c.Started = t.env.Now
	t.count(c)
}

// readMembers reads members of a JSON object by their exact names: a struct
// would take "Plan" for "plan", and the last of both.
func readMembers(object string, into map[string]any) error {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(object), &members); err != nil {
		return err
	}
	for name, target := range into {
		value, present := members[name]
		if !present {
			continue
		}
		if err := json.Unmarshal(value, target); err != nil {
			return err
		}
	}
	return nil
}

func (t *transition) enterPlanMode(i int) {
	var userRequested bool
	var note string
	c := &t.b.Calls[i]
	if err := readMembers(c.Arguments, map[string]any{"userRequested": &userRequested, "note": &note}); err != nil {
		t.finish(i, ReasonInvalidToolParams, textInvalidArguments(c.Tool, err))
		return
	}
	entry := planmode.Enter(planmode.Situation{
		MainAgent: t.s.MainAgent, On: t.s.Plan.On(), Mode: t.s.Mode, UserRequested: userRequested,
		Headless: t.s.Runtime == RuntimeHeadless, Approver: t.s.Approver, Locked: t.s.Locked,
	})
	if entry == planmode.EntryAlready || entry == planmode.EntryEntered {
		t.giveReminder(i, entry, note)
		return
	}
	t.start(i)
	t.finish(i, Reason(entry), entry.Text())
}

// giveReminder ends an entry with the complete reminder and nothing else.
func (t *transition) giveReminder(i int, entry planmode.Entry, note string) {
	plan, err := t.s.Plan.Append(note)
	if err != nil {
		t.finish(i, ReasonInvalidToolParams, textInvalidArguments(t.b.Calls[i].Tool, err))
		return
	}
	t.setPlan(plan)
	t.start(i)
	if entry == planmode.EntryEntered {
		t.turnOn(byModel)
	}
	t.succeed(i, planmode.ReminderFor(t.s.SDK))
}

// requestExit ends an attempt to leave that nobody has to decide, and puts all
// others to a person: no rule, mode or grant approves a plan.
func (t *transition) requestExit(i int) {
	var plan string
	c := &t.b.Calls[i]
	if err := readMembers(c.Arguments, map[string]any{"plan": &plan}); err != nil {
		t.finish(i, ReasonInvalidToolParams, textInvalidArguments(c.Tool, err))
		return
	}
	exit, text := planmode.RequestExit(t.s.Plan, plan)
	switch {
	case exit == planmode.ExitNotActive && t.s.Plan.Inherited:
		t.finish(i, ReasonPlanNotActive, planmode.TextInherited)
	case exit == planmode.ExitNotActive:
		t.finish(i, ReasonPlanNotActive, planmode.TextNotActive)
	case exit == planmode.ExitNoPlan:
		t.finish(i, ReasonInvalidToolParams, planmode.TextNoPlan)
	case !t.s.Approver:
		t.finish(i, ReasonApprovalUnavailable, textExitUnavailable)
	default:
		snapshot := planmode.TakeSnapshot(t.s.Plan, text, t.s.ModeRevision, t.s.Previous)
		t.ask(i, Approval{Kind: ApprovalPlanExit, Subject: subjectPlan, Plan: &snapshot})
	}
}

func (t *transition) readOutput(i int) {
	args, err := ParseReadOutput(t.b.Calls[i].Arguments)
	if err != nil {
		t.finish(i, ReasonInvalidToolParams, textInvalidArguments(ToolReadOutput, err))
		return
	}
	page, ok := t.env.Outputs.Page(args.Ref, args.Offset, args.Limit)
	if !ok {
		t.finish(i, ReasonInvalidToolParams, textNoSuchOutput)
		return
	}
	t.start(i)
	t.succeed(i, textPage(args.Ref, page))
}
