package scheduler_test

import (
	"cmp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

// by is a person's answer to the first question; without a subject, a key's.
func by(subject, option string, roles ...string) scheduler.Answer {
	return scheduler.Answer{By: cmp.Or(subject, "key:ci"), Subject: subject, Option: option, Roles: roles}
}

// guarded is a world in which questions are put under a policy.
func guarded(t tester, p scheduler.Approvers, calls ...scheduler.Input) *world {
	w := newWorld(t)
	w.env.Approvers = p
	w.submit(calls...)
	return w
}

func TestTwoPeopleHaveToApproveWhereTwoAreRequired(t *testing.T) {
	t.Parallel()
	w := guarded(t, scheduler.Approvers{Min: 2}, write("a"))
	require.NoError(t, w.tryAnswer(by("ada", scheduler.OptionAllowSession)))
	require.Equal(t, []int{0}, w.fx.Voted)
	require.Empty(t, w.fx.Resolved)
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
	require.ErrorIs(t, w.tryAnswer(by("ada", scheduler.OptionAllowOnce)), scheduler.ErrVoted)
	require.ErrorIs(t, w.tryAnswer(by("ada", scheduler.OptionReject)), scheduler.ErrVoted)
	require.ErrorIs(t, w.tryAnswer(scheduler.Answer{By: "key:ci", Option: scheduler.OptionAllowOnce}), scheduler.ErrNobody)

	require.NoError(t, w.tryAnswer(by("bob", scheduler.OptionAllowOnce)))
	require.Equal(t, []string{"a"}, w.dispatched)
	require.Empty(t, w.fx.Granted, "bob agreed to once")
	a := w.state.Batch.Approvals[0]
	require.Equal(t, []any{scheduler.ApprovalApproved, "bob", scheduler.OptionAllowOnce}, []any{a.Status, a.By, a.Option})
	require.Len(t, a.Votes, 2)
	require.ErrorIs(t, w.tryAnswer(by("eve", scheduler.OptionReject)), scheduler.ErrResolved)
}

func TestOneRejectionEndsAQuestionToMany(t *testing.T) {
	t.Parallel()
	w := guarded(t, scheduler.Approvers{Min: 3}, write("a"))
	require.NoError(t, w.tryAnswer(by("ada", scheduler.OptionAllowOnce)))
	require.NoError(t, w.tryAnswer(scheduler.Answer{By: "bob", Subject: "bob", Option: scheduler.OptionReject, Feedback: "not on a Friday"}))
	require.Equal(t, []string{"approval_rejected"}, w.outcomes())
	require.Contains(t, w.result(0).Output, "bob rejected this and said: not on a Friday")
	require.NotContains(t, w.result(0).Output, "ada")
}

func TestWhoMayAnswer(t *testing.T) {
	t.Parallel()
	security := scheduler.Panel{Roles: []string{"admin"}, Subjects: []string{"sam"}}
	for name, c := range map[string]struct {
		policy scheduler.Approvers
		who    scheduler.Answer
		want   error
	}{
		"anybody":                           {scheduler.Approvers{}, by("ada", "allow_once"), nil},
		"anybody, a key without a subject":  {scheduler.Approvers{Min: 1}, by("", "allow_once"), nil},
		"by name":                           {scheduler.Approvers{Panels: []scheduler.Panel{security}}, by("sam", "allow_once", "frontend"), nil},
		"by role":                           {scheduler.Approvers{Panels: []scheduler.Panel{security}}, by("ada", "allow_once", "frontend", "admin"), nil},
		"neither":                           {scheduler.Approvers{Panels: []scheduler.Panel{security}}, by("ada", "allow_once", "frontend"), scheduler.ErrNotApprover},
		"of one panel only":                 {scheduler.Approvers{Panels: []scheduler.Panel{security, {Subjects: []string{"ada"}}}}, by("sam", "allow_once"), scheduler.ErrNotApprover},
		"nobody by name":                    {scheduler.Approvers{Panels: []scheduler.Panel{security}}, by("", "allow_once", "admin"), scheduler.ErrNobody},
		"a panel that is empty":             {scheduler.Approvers{Panels: []scheduler.Panel{{}}}, by("ada", "allow_once", "admin"), scheduler.ErrNotApprover},
		"who sent the batch":                {scheduler.Approvers{FourEyes: true}, by("sender", "allow_once"), scheduler.ErrOwnHost},
		"who sent it, to reject":            {scheduler.Approvers{FourEyes: true}, by("sender", "reject"), scheduler.ErrOwnHost},
		"whose host was attached":           {scheduler.Approvers{FourEyes: true}, by("first", "allow_once"), scheduler.ErrOwnHost},
		"whose host is attached by now":     {scheduler.Approvers{FourEyes: true}, by("next", "allow_once"), scheduler.ErrOwnHost},
		"somebody else":                     {scheduler.Approvers{FourEyes: true}, by("ada", "allow_once"), nil},
		"who runs the host, without a rule": {scheduler.Approvers{}, by("sender", "allow_once"), nil},
	} {
		w := newWorld(t)
		w.env.Approvers = c.policy
		w.attach("first")
		w.submit(write("a"))
		w.attach("next")
		w.env.Approvers = scheduler.Approvers{Min: 9} // what is asked later is not asked of this
		require.ErrorIs(t, w.tryAnswer(c.who), c.want, name)
	}
}

func TestAPlanIsLeftForTheStrictestModeThatPeopleAgreedTo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		previous permissions.Mode
		options  []string
		want     permissions.Mode
	}{
		{permissions.ModeYolo, []string{planmode.OptionRestore, planmode.OptionAutoEdit}, permissions.ModeAutoEdit},
		{permissions.ModeYolo, []string{planmode.OptionAutoEdit, planmode.OptionDefault}, permissions.ModeDefault},
		{permissions.ModeYolo, []string{planmode.OptionRestore, planmode.OptionRestore}, permissions.ModeYolo},
		{permissions.ModeDefault, []string{planmode.OptionRestore, planmode.OptionAutoEdit}, permissions.ModeDefault},
	} {
		w := newWorld(t, mode(c.previous))
		w.setMode(permissions.ModePlan)
		w.env.Approvers = scheduler.Approvers{Min: 2}
		w.submit(leave("x", "Move it."))
		require.NoError(t, w.tryAnswer(by("ada", c.options[0])))
		require.Equal(t, permissions.ModePlan, w.state.Session.Mode)
		require.NoError(t, w.tryAnswer(by("bob", c.options[1])))
		require.Equal(t, c.want, w.state.Session.Mode, "%v", c)
		require.Equal(t, "ada, bob", w.state.Session.LastApproved.By)
		require.Contains(t, w.result(0).Output, "ada, bob")
	}
}

func TestAVoteForAPlanThatChangesIsNoVote(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setMode(permissions.ModePlan)
	w.env.Approvers = scheduler.Approvers{Min: 2}
	w.submit(leave("x", "Move it."))
	require.NoError(t, w.tryAnswer(by("ada", planmode.OptionDefault)))
	w.setPlan("Something else.")
	require.ErrorIs(t, w.tryAnswer(by("bob", planmode.OptionDefault)), scheduler.ErrStale)
	require.Equal(t, permissions.ModePlan, w.state.Session.Mode)
}

// Whoever answers in whatever order: nothing runs before as many different
// people as are required said yes, and nothing at all once one said no.
func TestVotesAreOfDifferentPeopleAndOneNoEndsThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		required := rapid.IntRange(1, 4).Draw(rt, "min")
		w := guarded(rt, scheduler.Approvers{Min: required}, write("a"))
		yes, over := map[string]bool{}, false
		for range rapid.IntRange(1, 10).Draw(rt, "answers") {
			who := rapid.SampledFrom([]string{"ada", "bob", "cyd", "dan", ""}).Draw(rt, "who")
			option := rapid.SampledFrom([]string{"allow_once", "allow_session", "reject"}).Draw(rt, "option")
			err := w.tryAnswer(by(who, option))
			switch {
			case over:
				require.ErrorIs(rt, err, scheduler.ErrResolved)
			case required > 1 && who == "":
				require.ErrorIs(rt, err, scheduler.ErrNobody)
			case yes[who]:
				require.ErrorIs(rt, err, scheduler.ErrVoted)
			default:
				require.NoError(rt, err)
				yes[who] = true
				over = option == "reject" || len(yes) == required
				require.Equal(rt, over && option != "reject", len(w.dispatched) == 1)
			}
		}
	})
}
