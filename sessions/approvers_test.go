package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// asked submits a write that a person has to allow.
func (a *actor) asked(sid string) (sessions.Batch, string) {
	a.t.Helper()
	b := a.send(sid, call("1", "write_file", `{"file_path": "a"}`))
	require.NotNil(a.t, b.Calls[0].ApprovalID)
	return b, *b.Calls[0].ApprovalID
}

func TestTwoPeopleApproveOnTwoReplicas(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.sid = s.create(func(spec *sessions.Spec) { spec.Approvers = &tenants.Approvers{Min: 2} }).ID
	_, aid := s.asked(s.sid)
	ada, bob := s.as("ada", tenants.RoleFrontend), s.other.as("bob", tenants.RoleFrontend)

	first := ada.choose(aid, scheduler.OptionAllowSession)
	require.Equal(t, "pending", first.Status)
	require.Equal(t, 2, first.Required)
	require.Equal(t, []string{"ada"}, voters(first))
	require.Nil(t, first.ResolvedBy)
	_, err := ada.answer(aid, sessions.Response{OptionID: scheduler.OptionAllowOnce})
	refused(t, err, sessions.CodeAlreadyVoted)

	last := bob.choose(aid, scheduler.OptionAllowOnce)
	require.Equal(t, "approved", last.Status)
	require.Equal(t, []string{"ada", "bob"}, voters(last))
	require.Equal(t, "bob", *last.ResolvedBy)
	require.Equal(t, scheduler.OptionAllowOnce, *last.OptionID, "the strictest that was given")
	grants, err := s.Grants(t.Context(), s.caller, s.sid)
	require.NoError(t, err)
	require.Empty(t, grants)
	require.Equal(t, []string{"approval.voted", "approval.resolved", "call.dispatched"}, types(s.events(s.sid)[3:]))
	p := refusedAnswer(ada, aid)
	require.Equal(t, "bob", *p.Extra["resolved_by"].(*string))
}

func voters(a sessions.Approval) []string {
	out := make([]string, len(a.Votes))
	for i, v := range a.Votes {
		out[i] = v.By
	}
	return out
}

func TestEveryPolicyAboveASessionHolds(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Approvers: tenants.Approvers{Subjects: []string{"ada", "bob"}}})
	parent := a.create(func(s *sessions.Spec) { s.Approvers = &tenants.Approvers{FourEyes: true} })
	middle := a.under(parent.ID, nil)
	child := a.under(middle.ID, func(s *sessions.Spec) { s.Approvers = &tenants.Approvers{Min: 2} })
	require.Nil(t, middle.Approvers)
	require.Equal(t, &tenants.Approvers{Min: 2}, a.session(child.ID).Approvers)

	_, aid := a.as("ada", tenants.RoleAdmin).asked(child.ID)
	for _, who := range []string{"ada", "eve", ""} { // runs the host; is on no list; is nobody
		_, err := a.as(who, tenants.RoleAdmin).answer(aid, sessions.Response{OptionID: scheduler.OptionAllowOnce})
		refused(t, err, sessions.CodeNotApprover)
	}
	require.Equal(t, "pending", a.as("bob", tenants.RoleFrontend).choose(aid, scheduler.OptionAllowOnce).Status, "two have to")
}

func TestAQuestionKeepsThePolicyThatItWasPutUnder(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Approvers: tenants.Approvers{Min: 2}})
	sid := a.create(nil).ID
	b, before := a.asked(sid)
	a.sets(tenants.Settings{})
	require.Equal(t, "pending", a.as("ada", tenants.RoleFrontend).choose(before, scheduler.OptionAllowOnce).Status)
	require.Equal(t, "rejected", a.as("bob", tenants.RoleFrontend).choose(before, scheduler.OptionReject).Status)
	require.Equal(t, scheduler.ReasonApprovalRejected, *a.ended(b).Calls[0].Result.Reason)
	_, after := a.asked(sid)
	require.Equal(t, "approved", a.as("ada", tenants.RoleFrontend).choose(after, scheduler.OptionAllowOnce).Status)
}

func TestWhoRunsTheHostCannotAnswerForIt(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.sid = s.create(func(spec *sessions.Spec) {
		spec.Approvers = &tenants.Approvers{FourEyes: true}
		spec.ApprovalMode = new(permissions.ModePlan)
	}).ID
	runner := s.as("runner", tenants.RoleHost, tenants.RoleFrontend)
	s.attach(runner, "h")
	b := s.as("sender", tenants.RoleHost).send(s.sid, call("1", "exit_plan_mode", `{"plan": "Move it."}`))
	for _, who := range []string{"runner", "sender"} {
		_, err := s.other.as(who, tenants.RoleFrontend).answer(*b.Calls[0].ApprovalID, sessions.Response{OptionID: "default"})
		refused(t, err, sessions.CodeNotApprover)
	}
	require.Equal(t, permissions.ModePlan, s.session(s.sid).ApprovalMode)
	require.Equal(t, "approved", s.other.as("ada", tenants.RoleFrontend).choose(*b.Calls[0].ApprovalID, "default").Status)
	require.Equal(t, permissions.ModeDefault, s.session(s.sid).ApprovalMode)
}

func TestAPolicyThatCannotBeMetIsRefused(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	for at, p := range map[string]tenants.Approvers{
		"/approvers/min":        {Min: 17},
		"/approvers/roles/1":    {Roles: []tenants.Role{tenants.RoleAdmin, tenants.RoleHost}},
		"/approvers/subjects/0": {Subjects: []string{""}},
	} {
		_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{Approvers: &p})
		require.Equal(t, []string{at}, faults(refused(t, err, sessions.CodeInvalid)))
	}
	_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{
		Approvers: &tenants.Approvers{Min: 2, Subjects: []string{"ada"}},
	})
	require.Equal(t, []string{"/approvers/min"}, faults(refused(t, err, sessions.CodeInvalid)))
}
