package sessions_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// writes are so many calls that somebody has to be asked about.
func writes(n int) []scheduler.Input {
	out := make([]scheduler.Input, n)
	for i := range out {
		out[i] = call(fmt.Sprintf("w%d_x", i), "write_file", fmt.Sprintf(`{"file_path": "f%d"}`, i))
	}
	return out
}

func TestAQuestionSaysAllThatAPersonNeeds(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Cwd = new("/srv/app") }).ID
	var b sessions.Batch
	events := a.since(sid, func() { b = a.send(sid, call("1", "WriteFile", `{"file_path": "x/../f"}`)) })
	q, err := a.Approval(t.Context(), a.caller, a.question(b, 0))
	require.NoError(t, err)
	require.Equal(t, []string{"batch.started", "approval.requested"}, types(events))
	require.JSONEq(t, encoded(t, q), string(events[1].Data), "the event carries the approval")
	require.Regexp(t, `^apr_`, q.ID)
	require.Equal(t, b.ID, q.BatchID)
	require.Equal(t, "1", q.CallID)
	require.Equal(t, "write_file", q.Tool)
	require.Equal(t, "tool", q.Kind)
	require.Contains(t, q.Subject, "f")
	require.JSONEq(t, `{"file_path": "x/../f"}`, string(q.Arguments))
	require.Nil(t, q.Plan)
	require.Equal(t, "pending", q.Status)
	require.Equal(t, 30*time.Minute, q.ExpiresAt.Sub(q.RequestedAt.Time))
	options := func(q sessions.Approval) (out []string) {
		for _, o := range q.Options {
			require.NotEmpty(t, o.Label)
			out = append(out, o.ID+" "+o.Kind)
		}
		return out
	}
	require.Equal(t, []string{"allow_once allow_once", "allow_session allow_always", "reject reject_once"}, options(q))
	require.Equal(t, []string{q.ID}, a.session(sid).OpenApprovals)

	exit := a.create(func(s *sessions.Spec) { s.ApprovalMode, s.ApprovalTimeoutS = new(permissions.ModePlan), new(0) }).ID
	q, err = a.Approval(t.Context(), a.caller, a.question(a.send(exit, call("1", "exit_plan_mode", `{"plan": "p"}`)), 0))
	require.NoError(t, err)
	require.Equal(t, "plan_exit", q.Kind)
	require.Equal(t, []string{"restore_previous allow_once", "auto_edit allow_always", "default allow_once", "reject reject_once"}, options(q))
	require.Equal(t, "p", q.Plan.Text)
	require.Equal(t, permissions.ModeDefault, q.Plan.PreviousMode)
	require.Nil(t, q.ExpiresAt, "0: until the session ends")
}

func TestTheInboxIsFilteredAndPaged(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	one, two := a.create(nil).ID, a.create(nil).ID
	first, second := a.send(one, writes(3)...), a.send(two, writes(2)...)
	ids := func(b sessions.Batch) (out []string) {
		for _, c := range b.Calls {
			out = append(out, *c.ApprovalID)
		}
		return out
	}
	a.choose(ids(first)[1], "reject")
	stranger := &actor{replica: a.replica, t: t, caller: caller()}
	stranger.send(stranger.create(nil).ID, writes(1)...)
	pending := append([]string{ids(first)[0], ids(first)[2]}, ids(second)...)
	for name, c := range map[string]struct {
		filter sessions.ApprovalFilter
		want   []string
	}{
		"all":             {sessions.ApprovalFilter{}, append(ids(first), ids(second)...)},
		"pending":         {sessions.ApprovalFilter{Status: "pending"}, pending},
		"rejected":        {sessions.ApprovalFilter{Status: "rejected"}, ids(first)[1:2]},
		"one session":     {sessions.ApprovalFilter{SessionID: two}, ids(second)},
		"both":            {sessions.ApprovalFilter{SessionID: one, Status: "pending"}, pending[:2]},
		"unknown session": {sessions.ApprovalFilter{SessionID: "x"}, nil},
	} {
		for _, limit := range []int{1, 2, 50} {
			filter, got := c.filter, []string(nil)
			filter.Limit = limit
			for {
				page, err := a.Approvals(t.Context(), a.caller, filter)
				require.NoError(t, err)
				require.LessOrEqual(t, len(page.Data), limit)
				for _, q := range page.Data {
					got = append(got, q.ID)
				}
				if page.NextCursor == nil {
					break
				}
				filter.Cursor = *page.NextCursor
			}
			require.ElementsMatch(t, c.want, got, "%s, %d a page", name, limit)
		}
	}
	_, err := a.Approvals(t.Context(), a.caller, sessions.ApprovalFilter{Cursor: "%"})
	refused(t, err, sessions.CodeBadCursor)
	foreign := refused(t, asked(stranger, pending[0]), sessions.CodeNotFound)
	for _, aid := range []string{"apr_x", "", pending[0] + "9", "apr_" + one[4:] + "_9_1", "apr_" + one[4:] + "_1_9"} {
		require.Equal(t, foreign, refused(t, asked(a, aid), sessions.CodeNotFound), aid)
		_, err := a.answer(aid, sessions.Response{OptionID: "reject"})
		require.Equal(t, foreign, refused(t, err, sessions.CodeNotFound), aid)
	}
}

func asked(a *actor, aid string) error {
	_, err := a.Approval(a.t.Context(), a.caller, aid)
	return err
}

func TestQuestionsAreAnsweredInAnyOrderAndTheLoserIsToldWhoWon(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := a.send(a.create(nil).ID, writes(3)...)
	bob := a.as("bob", tenants.RoleFrontend)
	last, first := a.question(b, 2), a.question(b, 0)
	won, err := bob.answer(last, sessions.Response{OptionID: "reject", Feedback: new("not that file")})
	require.NoError(t, err)
	require.Equal(t, "rejected", won.Status)
	require.Equal(t, "bob", *won.ResolvedBy)
	require.Equal(t, "reject", *won.OptionID)
	require.Equal(t, "not that file", *won.Feedback)
	events := a.since(b.SessionID, func() {
		_, err = a.answer(last, sessions.Response{OptionID: "allow_once"})
		p := refused(t, err, sessions.CodeApprovalAlreadyResolved)
		require.Equal(t, "bob", *p.Extra["resolved_by"].(*string))
		require.Equal(t, "reject", *p.Extra["option_id"].(*string))
		require.Equal(t, "rejected", p.Extra["approval_status"])
		require.Equal(t, last, p.Extra["approval_id"])
		for _, bad := range []sessions.Response{{}, {OptionID: "maybe"}, {OptionID: "restore_previous"}, {OptionID: "reject", Feedback: new(strings.Repeat("x", 16<<10+1))}} {
			_, err = a.answer(first, bad)
			refused(t, err, sessions.CodeInvalid)
		}
	})
	require.Empty(t, events)
	now := a.read(b)
	require.Equal(t, scheduler.ReasonApprovalRejected, reason(t, now, 2))
	for _, part := range []string{"bob", "not that file"} {
		require.Contains(t, now.Calls[2].Result.Output, part)
	}
	require.Equal(t, []scheduler.CallState{"awaiting_approval", "awaiting_approval", "done"}, states(now), "the others stay")
	a.choose(first, "allow_once")
	require.Equal(t, scheduler.StateQueued, a.read(b).Calls[0].State, "nothing starts while a question is open")
	a.choose(a.question(b, 1), "allow_once")
	require.Equal(t, []scheduler.CallState{"dispatched", "queued", "done"}, states(a.read(b)), "writers run alone")
}

func TestOfAnswersAtOnceOneWins(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	aid := a.question(a.send(a.create(nil).ID, writes(1)...), 0)
	var g sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		who := a.as(fmt.Sprintf("p%d", i), tenants.RoleFrontend)
		g.Go(func() {
			_, errs[i] = who.answer(aid, sessions.Response{OptionID: []string{"allow_once", "reject"}[i%2]})
		})
	}
	g.Wait()
	settled, err := a.Approval(t.Context(), a.caller, aid)
	require.NoError(t, err)
	for i, err := range errs {
		if fmt.Sprintf("p%d", i) == *settled.ResolvedBy {
			require.NoError(t, err)
			continue
		}
		p := refused(t, err, sessions.CodeApprovalAlreadyResolved)
		require.Equal(t, *settled.ResolvedBy, *p.Extra["resolved_by"].(*string))
	}
}

func TestAnAnswerHoldsForThePlanThatWasSeen(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModePlan) }).ID
	b := a.send(sid, call("1", "exit_plan_mode", `{"plan": "the plan", "approved": true}`))
	aid := a.question(b, 0)
	require.Empty(t, a.since(sid, func() {
		_, err := a.answer(aid, sessions.Response{OptionID: "default", PlanSHA256: new("00")})
		refused(t, err, sessions.CodeApprovalStale)
	}))
	q, err := a.Approval(t.Context(), a.caller, aid)
	require.NoError(t, err)
	_, err = a.answer(aid, sessions.Response{OptionID: "auto_edit", PlanSHA256: &q.Plan.SHA256})
	require.NoError(t, err)
	require.Equal(t, permissions.ModeAutoEdit, a.session(sid).ApprovalMode)
}

func TestAGrantIsForExactlyOneToolDeclarationAndSubject(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Cwd = new("/srv") }).ID
	b := a.send(sid, call("1", "write_file", `{"file_path": "a"}`), call("2", "write_file", `{"file_path": "/srv/a"}`))
	a.choose(a.question(b, 0), "allow_session")
	events := a.since(sid, func() { a.as("bob", tenants.RoleFrontend).choose(a.question(b, 1), "allow_session") })
	require.Equal(t, []string{"approval.resolved", "call.dispatched"}, types(events), "the same again adds no grant")
	grants, err := a.Grants(t.Context(), a.caller, sid)
	require.NoError(t, err)
	require.Len(t, grants, 1)
	require.Equal(t, "ann", grants[0].GrantedBy)
	require.Equal(t, "write_file", grants[0].Tool)
	abort(a, b)

	decide := func(name, arguments string) scheduler.Decision {
		b := a.send(sid, call("", name, arguments))
		defer abort(a, b)
		return *a.read(b).Calls[0].Decision
	}
	for _, same := range []string{`{"file_path": "a"}`, `{"file_path": "./x/../a", "content": "y"}`, `{"file_path": "/srv//a"}`} {
		require.Equal(t, permissions.SourceGrant, decide("WriteFile", same).Source, same)
	}
	for _, other := range []string{`{"file_path": "b"}`, `{"file_path": "a/b"}`, `{"path": "b"}`, `{}`, `{"file_path": "A"}`} {
		require.Equal(t, permissions.Ask, decide("write_file", other).Effect, other)
	}
	require.Equal(t, permissions.Ask, decide("run_shell_command", `{"file_path": "a"}`).Effect)
	a.rules(sid, permissions.Rules{Ask: []string{"write(a)"}})
	require.Equal(t, permissions.SourceGrant, decide("write_file", `{"file_path": "a"}`).Source, "a grant answers an ask rule")
	a.rules(sid, permissions.Rules{Deny: []string{"write(a)"}})
	require.Equal(t, permissions.Deny, decide("write_file", `{"file_path": "a"}`).Effect, "and no deny rule")
	a.rules(sid, permissions.Rules{})
	a.mode(sid, permissions.ModePlan)
	require.Equal(t, permissions.SourcePlanMode, decide("write_file", `{"file_path": "a"}`).Source, "nor plan mode")
	a.mode(sid, permissions.ModeDefault)

	tools := standardTools()
	tools[1].Description = "declared anew"
	_, err = a.SetTools(t.Context(), a.caller, sid, tools)
	require.NoError(t, err)
	require.Equal(t, permissions.Ask, decide("write_file", `{"file_path": "a"}`).Effect, "another declaration is another tool")
	child := a.under(sid, nil).ID
	b = a.send(child, call("1", "write_file", `{"file_path": "a"}`))
	require.Equal(t, scheduler.StateAwaitingApproval, b.Calls[0].State, "a grant is not the children's")
}

func TestWithoutAnApproverNothingIsAsked(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Approvals, s.ApprovalMode = new("none"), new(permissions.ModePlan) }).ID
	b := a.send(sid, call("1", "exit_plan_mode", `{"plan": "p"}`))
	require.Equal(t, scheduler.ReasonApprovalUnavailable, reason(t, b, 0))
	require.True(t, a.session(sid).Plan.Active)
	a.mode(sid, permissions.ModeDefault)
	b = a.send(sid, writes(1)...)
	require.Equal(t, scheduler.ReasonApprovalUnavailable, reason(t, b, 0))
	page, err := a.Approvals(t.Context(), a.caller, sessions.ApprovalFilter{})
	require.NoError(t, err)
	require.Empty(t, page.Data)
}
