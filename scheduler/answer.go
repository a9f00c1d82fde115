package scheduler

import (
	"errors"
	"time"

	"github.com/session-gateway/gateway/planmode"
)

// Why an answer is refused.
var (
	ErrResolved      = errors.New("approval is resolved already")
	ErrStale         = errors.New("approval is stale")
	ErrExpired       = errors.New("approval has expired")
	ErrUnknownOption = errors.New("approval has no such option")
)

// The answers to a tool call.
const (
	OptionAllowOnce    = "allow_once"
	OptionAllowSession = "allow_session"
	OptionReject       = planmode.OptionReject
)

// Option is one answer that a person can give.
type Option = planmode.ExitOption

// Options are the answers to an approval in the order in which they are offered.
func (a *Approval) Options() []Option {
	if a.Kind == ApprovalPlanExit {
		return planmode.ExitOptions()
	}
	return []Option{
		{ID: OptionAllowOnce, Kind: "allow_once", Label: "Allow once"},
		{ID: OptionAllowSession, Kind: "allow_always", Label: "Allow for this session"},
		{ID: OptionReject, Kind: "reject_once", Label: "Reject"},
	}
}

func (a *Approval) has(option string) bool {
	for _, o := range a.Options() {
		if o.ID == option {
			return true
		}
	}
	return false
}

// over says whether an answer would come too late, swept or not.
func (a *Approval) over(now time.Time) bool { return !a.Expires.IsZero() && !a.Expires.After(now) }

// Answer is what a person says to an approval.
type Answer struct {
	Approval   int // index
	Option     string
	Feedback   string
	By         string
	PlanSHA256 string // set: the plan that the person saw
}

// Respond takes a person's answer; the first one wins.
func Respond(env Env, s State, a Answer) (State, Effects, error) {
	t, out := begin(env, s)
	q := &t.b.Approvals[a.Approval]
	if err := t.answerable(q, a); err != nil {
		return s, Effects{}, err
	}
	c := t.touch(q.Position)
	q.Resolved, q.By, q.Option, q.Feedback = env.Now, a.By, a.Option, a.Feedback
	q.Status = ApprovalApproved
	if a.Option == OptionReject {
		q.Status = ApprovalRejected
	}
	t.fx.Resolved = append(t.fx.Resolved, a.Approval)
	c.Deadline = zeroTime
	switch {
	case q.Status == ApprovalRejected:
		t.finish(q.Position, ReasonApprovalRejected, textRejected(a.By, a.Feedback))
		t.stopACPTurn(q.Position)
	case q.Kind == ApprovalPlanExit:
		t.leave(q, a)
	default:
		t.allow(q, a)
	}
	t.advance()
	return *out, t.fx, nil
}

func (t *transition) answerable(q *Approval, a Answer) error {
	switch {
	case q.Status == ApprovalExpired, q.Status == ApprovalPending && q.over(t.env.Now):
		return ErrExpired
	case q.Status == ApprovalStale:
		return ErrStale
	case q.Status != ApprovalPending:
		return ErrResolved
	case !q.has(a.Option):
		return ErrUnknownOption
	case q.Plan == nil:
		return nil
	case !q.Plan.Holds(t.s.Plan, t.s.ModeRevision), a.PlanSHA256 != "" && a.PlanSHA256 != q.Plan.SHA256:
		return ErrStale
	default:
		return nil
	}
}

// allow makes a call ready to run; it is decided again as it starts.
func (t *transition) allow(q *Approval, a Answer) {
	c := t.touch(q.Position)
	c.State, c.Approved = StateQueued, true
	if a.Option != OptionAllowSession {
		return
	}
	tool := t.env.Tools.Lookup(c.Tool)
	if tool == nil { // undeclared since: the call ends as it starts
		return
	}
	analysis := t.analysis(q.Position)
	t.fx.Granted = append(t.fx.Granted, Grant{
		Tool: c.Tool, Fingerprint: tool.Fingerprint, Key: analysis.Key(),
		Subject: analysis.Subject(), By: a.By, At: t.env.Now,
	})
}

// leave ends plan mode by the approval of its plan, in one step: the mode, the
// plan kept as the approved one, the result, other questions about a plan gone
// stale, and the siblings decided again.
func (t *transition) leave(q *Approval, a Answer) {
	target, approves := q.Plan.Target(a.Option)
	if !approves {
		panic("scheduler: an exit option that neither approves nor rejects")
	}
	t.s.LastApproved = &ApprovedPlan{Text: q.Plan.Text, By: a.By, At: t.env.Now}
	if plan, err := t.s.Plan.Replace(""); err == nil {
		t.setPlan(plan)
	}
	t.turnOff(target, a.By)
	t.start(q.Position)
	t.b.Calls[q.Position].State = StateQueued // answered: nothing to close
	t.succeed(q.Position, planmode.ApprovedText(a.By, target))
	t.dropStaleExits()
	t.decideAgain()
}
