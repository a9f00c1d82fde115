package sessions

import (
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// approvers are the policies that hold in a session: its own, and those above.
func (s *spec) approvers() []tenants.Approvers {
	if s.Approvers == nil {
		return s.ApproversAbove
	}
	return append([]tenants.Approvers{*s.Approvers}, s.ApproversAbove...)
}

// approvers are all policies that hold for a question of the session that is
// put now: the tenant's, the session's, and those of the sessions above it.
func (c *change) approvers() scheduler.Approvers {
	all := policyOf(c.tenant.settings.Approvers)
	for _, p := range c.doc.spec.approvers() {
		all = all.With(policyOf(p))
	}
	return all
}

func policyOf(p tenants.Approvers) scheduler.Approvers {
	out := scheduler.Approvers{Min: p.Min, FourEyes: p.FourEyes}
	if len(p.Roles)+len(p.Subjects) > 0 {
		out.Panels = []scheduler.Panel{{Roles: roleNames(p.Roles), Subjects: p.Subjects}}
	}
	return out
}

// answer is a caller's answer. An admin is of every role.
func answer(c tenants.Caller, k int, r Response) scheduler.Answer {
	var roles []string
	for _, role := range tenants.AllRoles() {
		if c.Is(role) {
			roles = append(roles, string(role))
		}
	}
	return scheduler.Answer{
		Approval: k, Option: r.OptionID, Feedback: or(r.Feedback, ""), PlanSHA256: or(r.PlanSHA256, ""),
		By: c.Name(), Subject: c.Subject, Roles: roles,
	}
}

func roleNames(roles []tenants.Role) []string {
	out := make([]string, len(roles))
	for i, r := range roles {
		out[i] = string(r)
	}
	return out
}

// Vote is one person's answer to an approval.
type Vote struct {
	By       string              `json:"by"`
	OptionID string              `json:"option_id"`
	Feedback *string             `json:"feedback"`
	At       scheduler.Timestamp `json:"at"`
}

func voteViews(votes []scheduler.Vote) []Vote {
	out := make([]Vote, len(votes))
	for i, v := range votes {
		out[i] = Vote{By: v.By, OptionID: v.Option, Feedback: optional(v.Feedback), At: scheduler.Timestamp{Time: v.At}}
	}
	return out
}

// The stored form of what an approval was put under, and of its answers.
type (
	storedApprovers struct {
		Min      int           `json:"m,omitempty"`
		Panels   []storedPanel `json:"p,omitempty"`
		FourEyes bool          `json:"f,omitempty"`
	}
	storedPanel struct {
		Roles    []string `json:"r,omitempty"`
		Subjects []string `json:"s,omitempty"`
	}
	storedVote struct {
		By       string `json:"b"`
		Subject  string `json:"s,omitempty"`
		Option   string `json:"o"`
		Feedback string `json:"f,omitempty"`
		At       int64  `json:"a"`
	}
)

// storeApprovers leaves out a policy that asks for nothing in particular.
func storeApprovers(p scheduler.Approvers) *storedApprovers {
	if p.Required() == 1 && !p.FourEyes && len(p.Panels) == 0 {
		return nil
	}
	s := &storedApprovers{Min: p.Min, FourEyes: p.FourEyes}
	for _, panel := range p.Panels {
		s.Panels = append(s.Panels, storedPanel(panel))
	}
	return s
}

func (s *storedApprovers) approvers() (p scheduler.Approvers) {
	if s == nil {
		return p
	}
	p.Min, p.FourEyes = s.Min, s.FourEyes
	for _, panel := range s.Panels {
		p.Panels = append(p.Panels, scheduler.Panel(panel))
	}
	return p
}

func storeVotes(votes []scheduler.Vote) (out []storedVote) {
	for _, v := range votes {
		out = append(out, storedVote{By: v.By, Subject: v.Subject, Option: v.Option, Feedback: v.Feedback, At: millis(v.At)})
	}
	return out
}

func readVotes(votes []storedVote) (out []scheduler.Vote) {
	for _, v := range votes {
		out = append(out, scheduler.Vote{By: v.By, Subject: v.Subject, Option: v.Option, Feedback: v.Feedback, At: fromMillis(v.At)})
	}
	return out
}
