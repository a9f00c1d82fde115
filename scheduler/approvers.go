package scheduler

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/session-gateway/gateway/permissions"
)

// Why an answer is refused for who gives it.
var (
	ErrNotApprover = errors.New("the approval is for others to answer")
	ErrOwnHost     = errors.New("who runs the host can't answer for it")
	ErrNobody      = errors.New("who answers has no name, and the approval counts people")
	ErrVoted       = errors.New("the same person has answered already")
)

// Approvers is who may answer an approval and how many have to. The zero value
// is one answer of anybody who may answer at all.
type Approvers struct {
	// Min is how many people have to approve; 0 is one.
	Min int
	// Panels each admit some people; who answers has to be of all of them.
	Panels []Panel
	// FourEyes refuses whoever runs the host that made the call.
	FourEyes bool
}

// Panel is people by their roles or their names; either is enough.
type Panel struct {
	Roles    []string
	Subjects []string
}

// Required is how many people have to approve.
func (a Approvers) Required() int { return max(a.Min, 1) }

// With is a policy joined with another: both hold.
func (a Approvers) With(b Approvers) Approvers {
	return Approvers{
		Min: max(a.Min, b.Min), FourEyes: a.FourEyes || b.FourEyes,
		Panels: slices.Concat(a.Panels, b.Panels),
	}
}

// counts says whether the policy has to know who answers.
func (a Approvers) counts() bool { return a.Required() > 1 || a.FourEyes || len(a.Panels) > 0 }

func (p Panel) admits(who Answer) bool {
	return slices.Contains(p.Subjects, who.Subject) ||
		slices.ContainsFunc(p.Roles, func(r string) bool { return slices.Contains(who.Roles, r) })
}

// Vote is one person's answer to an approval.
type Vote struct {
	By       string // who, for people to read
	Subject  string // who, to tell one from another; empty: a key without a subject
	Option   string
	Feedback string
	At       time.Time
}

// admits judges who answers. Runners are the subjects that run the host.
func (a *Approval) admits(who Answer, runners []string) error {
	switch p := a.Approvers; {
	case !p.counts():
		return nil
	case who.Subject == "":
		return ErrNobody
	case p.FourEyes && slices.Contains(runners, who.Subject):
		return ErrOwnHost
	case slices.ContainsFunc(p.Panels, func(p Panel) bool { return !p.admits(who) }):
		return ErrNotApprover
	case slices.ContainsFunc(a.Votes, func(v Vote) bool { return v.Subject == who.Subject }):
		return ErrVoted
	default:
		return nil
	}
}

// runners are the subjects whose host an approval is about: who sent the batch,
// who was attached when the question was put, and who is now.
func (t *transition) runners(q *Approval) []string {
	list := []string{t.b.By, q.Runner}
	if l := t.s.Lease; l != nil {
		list = append(list, l.By)
	}
	return list
}

// outcome is the strictest of the options that people approved with: nobody is
// given more than everybody agreed to.
func (a *Approval) outcome() string {
	return slices.MinFunc(a.Votes, func(x, y Vote) int { return a.compare(x.Option, y.Option) }).Option
}

// compare orders approving options from the strictest on: those of a tool as
// they are offered, those of a plan by the mode that they lead to.
func (a *Approval) compare(x, y string) int {
	if a.Plan == nil {
		return a.place(x) - a.place(y)
	}
	to, _ := a.Plan.Target(x)
	other, _ := a.Plan.Target(y)
	switch {
	case to == other:
		return 0
	case permissions.Strictest(to, other) == to:
		return -1
	default:
		return 1
	}
}

// place is where an option stands among those that are offered; -1: nowhere.
func (a *Approval) place(option string) int {
	return slices.IndexFunc(a.Options(), func(o Option) bool { return o.ID == option })
}

// names are the people who answered, in the order in which they did.
func (a *Approval) names() string {
	out := make([]string, len(a.Votes))
	for i, v := range a.Votes {
		out[i] = v.By
	}
	return strings.Join(out, ", ")
}
