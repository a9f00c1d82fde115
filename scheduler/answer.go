package scheduler

import (
	"errors"
	"slices"
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

// over says whether an answer would come too late, swept or not.
func (a *Approval) over(now time.Time) bool { return !a.Expires.IsZero() && !a.Expires.After(now) }

// Answer is what a person says to an approval.
type Answer struct {
	Approval   int // index
	Option     string
	Feedback   string
	By         string // who, for people to read
	Subject    string // who, to tell one from another; empty: a key without a subject
	Roles      []string
	PlanSHA256 string // set: the plan that the person saw
}

// Respond takes a person's answer. The first one wins; where several have to
// approve it is one of them until the last, and a rejection ends it at once.
func Respond(env Env, s State, a Answer) (State, Effects, error) {
	t, out := begin(env, s)
	q := &t.b.Approvals[a.Approval]
	if err := t.answerable(q, a); err != nil {
		return s, Effects{}, err
	}
	q.Votes = append(slices.Clone(q.Votes), Vote{
		By: a.By, Subject: a.Subject, Option: a.Option, Feedback: a.Feedback, At: env.Now,
	})
	switch {
	case a.Option == OptionReject:
		t.reject(q, a)
	case len(q.Votes) < q.Approvers.Required():
		t.fx.Voted = append(t.fx.Voted, a.Approval)
		return *out, t.fx, nil
	default:
		t.approve(q, a)
	}
	t.fx.Resolved = append(t.fx.Resolved, a.Approval)
	t.advance()
	return *out, t.fx, nil
}

// answered ends a question with an answer.
func (t *transition) answered(q *Approval, status ApprovalStatus, a Answer) {
	q.Status, q.Resolved, q.By, q.Option, q.Feedback = status, t.env.Now, a.By, a.Option, a.Feedback
	t.touch(q.Position).Deadline = zeroTime
}

func (t *transition) reject(q *Approval, a Answer) {
	t.answered(q, ApprovalRejected, a)
	t.finish(q.Position, ReasonApprovalRejected, textRejected(a.By, a.Feedback))
	t.stopACPTurn(q.Position)
}

// approve is what everybody agreed to, in the name of all who did.
func (t *transition) approve(q *Approval, a Answer) {
	a.Option = q.outcome()
	t.answered(q, ApprovalApproved, a)
	a.By = q.names()
	if q.Kind == ApprovalPlanExit {
		t.leave(q, a)
		return
	}
	t.allow(q, a)
}

func (t *transition) answerable(q *Approval, a Answer) error {
	switch {
	case q.Status == ApprovalExpired, q.Status == ApprovalPending && q.over(t.env.Now):
		return ErrExpired
	case q.Status == ApprovalStale:
		return ErrStale
	case q.Status != ApprovalPending:
		return ErrResolved
	case q.place(a.Option) < 0:
		return ErrUnknownOption
	case q.Plan != nil && !q.Plan.Holds(t.s.Plan, t.s.ModeRevision),
		q.Plan != nil && a.PlanSHA256 != "" && a.PlanSHA256 != q.Plan.SHA256:
		return ErrStale
	default:
		return q.admits(a, t.runners(q))
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
