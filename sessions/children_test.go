package sessions_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

func TestAChildLivesInItsRootsBucketAndIsASubagent(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(nil)
	child := a.under(root.ID, nil)
	require.Equal(t, "subagent", child.Agent)
	require.Equal(t, root.ID, *child.ParentSessionID)
	require.Equal(t, root.ID[:8], child.ID[:8], "the id carries the bucket")
	grandchild := a.under(child.ID, func(s *sessions.Spec) { s.Agent = new("teammate") })
	require.Equal(t, "teammate", grandchild.Agent)
	require.Equal(t, root.ID[:8], grandchild.ID[:8])
	require.Equal(t, "main", a.under(root.ID, func(s *sessions.Spec) { s.Agent = new("main") }).Agent)
}

func TestThereAreAtMostEightSessionsAboveOne(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	for range sessions.MaxDepth {
		sid = a.under(sid, nil).ID
	}
	b := a.send(sid, call("1", "read_file", `{"file_path": "a"}`))
	require.Equal(t, scheduler.StateDispatched, b.Calls[0].State, "the deepest session works")
	_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{ParentSessionID: &sid})
	require.Equal(t, []string{"/parent_session_id"}, faults(refused(t, err, sessions.CodeInvalid)))
}

func TestTheParentMustBeThereActiveAndOnesOwn(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	stranger := *a
	stranger.caller = caller()
	mine, closed := a.create(nil).ID, a.create(nil).ID
	require.NoError(t, a.Close(t.Context(), a.caller, closed))
	under := func(who *actor, parent string) error {
		_, err := who.Create(t.Context(), who.caller, sessions.Idempotency{}, sessions.Spec{ParentSessionID: &parent})
		return err
	}
	refused(t, under(a, closed), sessions.CodeSessionClosed)
	foreign := refused(t, under(&stranger, mine), sessions.CodeNotFound)
	for _, parent := range []string{"ses_0001" + mine[8:], "ses_9999" + mine[8:], "", "x", mine + "x"} {
		require.Equal(t, foreign, refused(t, under(a, parent), sessions.CodeNotFound), "unknown and foreign are the same")
	}
}

func TestTheStrictestModeOfTheLineHolds(t *testing.T) {
	t.Parallel()
	order := []permissions.Mode{permissions.ModePlan, permissions.ModeDefault, permissions.ModeAutoEdit, permissions.ModeYolo}
	a := embedded(t)
	for above, parentMode := range order {
		parent := a.create(func(s *sessions.Spec) { s.ApprovalMode = &parentMode }).ID
		for own, mode := range order {
			child := a.under(parent, func(s *sessions.Spec) { s.ApprovalMode = &mode })
			require.Equal(t, mode, child.ApprovalMode)
			require.Equal(t, order[min(above, own)], child.EffectiveMode, "%s under %s", mode, parentMode)
			require.Equal(t, above == 0, child.Plan.Inherited)
			require.Equal(t, own == 0, child.Plan.Active)
		}
	}
	yolo := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) }).ID
	child := a.under(yolo, func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) }).ID
	a.mode(yolo, permissions.ModeAutoEdit)
	b := a.send(child, call("1", "write_file", `{"file_path": "a"}`), call("2", "run_shell_command", `{"command": "ls"}`))
	require.Equal(t, []scheduler.CallState{scheduler.StateQueued, scheduler.StateAwaitingApproval}, states(b),
		"a parent's later change holds below at once")
}

func TestAncestorsDenyAndAskRulesHoldAndTheirAllowsDoNot(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(func(s *sessions.Spec) {
		s.Rules = &permissions.Rules{Deny: []string{"read(secret)"}, Ask: []string{"read(shy)"}, Allow: []string{"write"}}
	}).ID
	middle := a.under(root, nil).ID
	child := a.under(middle, func(s *sessions.Spec) {
		s.Rules = &permissions.Rules{Allow: []string{"read"}}
	}).ID
	b := a.send(child,
		call("1", "read_file", `{"file_path": "secret"}`), call("2", "read_file", `{"file_path": "shy"}`),
		call("3", "read_file", `{"file_path": "plain"}`), call("4", "write_file", `{"file_path": "x"}`))
	require.Equal(t, scheduler.ReasonPermissionDenied, reason(t, b, 0))
	require.Equal(t, permissions.SourceAncestor, b.Calls[0].Result.Decision.Source)
	require.Equal(t, "read(secret)", *b.Calls[0].Result.Decision.Pattern)
	require.Equal(t, scheduler.StateAwaitingApproval, b.Calls[1].State)
	require.Equal(t, permissions.SourceAncestor, b.Calls[1].Decision.Source)
	require.Equal(t, scheduler.StateQueued, b.Calls[2].State)
	require.Equal(t, scheduler.StateAwaitingApproval, b.Calls[3].State, "an ancestor's allow is not the child's")

	b = abort(a, b)
	a.rules(root, permissions.Rules{Deny: []string{"read(plain)"}})
	b = a.send(child, call("5", "read_file", `{"file_path": "plain"}`), call("6", "read_file", `{"file_path": "secret"}`))
	require.Equal(t, scheduler.ReasonPermissionDenied, reason(t, b, 0), "new rules hold below at once")
	require.Equal(t, scheduler.StateDispatched, b.Calls[1].State)
	a.rules(middle, permissions.Rules{Deny: []string{"read"}})
	require.False(t, a.claim(b, "h1", 1)[0].Granted, "and for what was dispatched before, at its claim")
	require.Equal(t, scheduler.ReasonPermissionDenied, reason(t, a.read(b), 1))
}

func TestAChildIsUnderPlanModeWhateverItsModules(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(nil).ID
	off := func(s *sessions.Spec) {
		s.ApprovalMode = new(permissions.ModeYolo)
		require.NoError(t, json.Unmarshal([]byte(`{"modules": {"plan_mode": false}}`), s))
	}
	before := a.under(root, off).ID
	a.mode(root, permissions.ModePlan)
	after := a.under(root, off).ID
	for _, sid := range []string{before, after, a.under(after, off).ID} {
		s := a.session(sid)
		require.True(t, s.Plan.Inherited)
		require.False(t, s.Plan.Active)
		require.Equal(t, permissions.ModePlan, s.EffectiveMode)
		b := a.send(sid, call("1", "write_file", `{"file_path": "a"}`), call("2", "read_file", `{"file_path": "a"}`))
		require.Equal(t, scheduler.ReasonPlanModeDenied, reason(t, b, 0))
		require.Equal(t, scheduler.StateDispatched, b.Calls[1].State)
		abort(a, b)
	}
	own := a.under(root, func(s *sessions.Spec) { s.Agent = new("main") }).ID
	b := a.send(own, call("1", "enter_plan_mode", `{"note": "n"}`))
	plan, err := a.Plan(t.Context(), a.caller, own)
	require.NoError(t, err)
	require.Equal(t, plan.Reminder, b.Calls[0].Result.Output, "inherited counts as on already")
	require.False(t, plan.Active)
	require.Equal(t, "n", plan.Text)
	b = a.send(own, call("2", "exit_plan_mode", `{"plan": "p"}`))
	require.Equal(t, scheduler.ReasonPlanNotActive, reason(t, b, 0), "an exit asks for the own mode only")
	a.mode(root, permissions.ModeDefault)
	require.False(t, a.session(before).Plan.Inherited)
}

func TestClosingASessionClosesAllBelowIt(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(nil).ID
	child := a.under(root, nil).ID
	grandchild := a.under(child, nil).ID
	beside := a.create(nil).ID
	b := a.send(grandchild, call("1", "write_file", `{"file_path": "a"}`))
	require.NoError(t, a.Close(t.Context(), a.caller, root))
	for _, sid := range []string{root, child, grandchild} {
		s := a.session(sid)
		require.Equal(t, "closed", s.Status)
		require.NotNil(t, s.ClosedAt)
		all := a.events(sid)
		require.Equal(t, "session.closed", all[len(all)-1].Type)
		_, err := a.SetMode(t.Context(), a.caller, sid, permissions.ModeYolo)
		refused(t, err, sessions.CodeSessionClosed)
		refused(t, a.Close(t.Context(), a.caller, sid), sessions.CodeSessionClosed)
	}
	ended := a.read(b)
	require.Equal(t, "aborted", ended.Status)
	require.Equal(t, scheduler.ReasonSessionClosed, reason(t, ended, 0))
	require.Equal(t, scheduler.StatusCancelled, ended.Calls[0].Result.Status)
	require.Equal(t, "active", a.session(beside).Status)
}

func TestSessionsAreListedByStatusLabelAndParent(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	labelled := func(labels map[string]string) string {
		return a.create(func(s *sessions.Spec) { s.Labels = labels }).ID
	}
	first, second := labelled(map[string]string{"team": "a"}), labelled(map[string]string{"team": "b", "x": ""})
	child := a.under(first, nil).ID
	closed := labelled(map[string]string{"team": "a"})
	require.NoError(t, a.Close(t.Context(), a.caller, closed))
	(&actor{replica: a.replica, t: t, caller: caller()}).create(nil) // somebody else's

	for name, c := range map[string]struct {
		filter sessions.SessionFilter
		want   []string
	}{
		"all":           {sessions.SessionFilter{}, []string{first, second, child, closed}},
		"active":        {sessions.SessionFilter{Status: "active"}, []string{first, second, child}},
		"closed":        {sessions.SessionFilter{Status: "closed"}, []string{closed}},
		"label":         {sessions.SessionFilter{Label: "team"}, []string{first, second, closed}},
		"label's value": {sessions.SessionFilter{Label: "team=a"}, []string{first, closed}},
		"empty value":   {sessions.SessionFilter{Label: "x="}, []string{second}},
		"parent":        {sessions.SessionFilter{Parent: first}, []string{child}},
		"together":      {sessions.SessionFilter{Status: "active", Label: "team=a"}, []string{first}},
	} {
		for _, limit := range []int{1, 2, 50} {
			filter, got := c.filter, []string{}
			filter.Limit = limit
			for {
				page, err := a.List(t.Context(), a.caller, filter)
				require.NoError(t, err)
				require.LessOrEqual(t, len(page.Data), limit)
				for _, s := range page.Data {
					got = append(got, s.ID)
				}
				if page.NextCursor == nil {
					break
				}
				filter.Cursor = *page.NextCursor
			}
			require.ElementsMatch(t, c.want, got, "%s, %d a page", name, limit)
		}
	}
	_, err := a.List(t.Context(), a.caller, sessions.SessionFilter{Cursor: "%"})
	refused(t, err, sessions.CodeBadCursor)
}

func TestLabelsAreReplacedWhole(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Labels = map[string]string{"a": "1", "b": "2"} }).ID
	var s sessions.Session
	events := a.since(sid, func() {
		var err error
		s, err = a.SetLabels(t.Context(), a.caller, sid, map[string]string{"b": "3"})
		require.NoError(t, err)
	})
	require.Equal(t, map[string]string{"b": "3"}, s.Labels)
	require.Equal(t, []string{"session.updated"}, types(events))
	require.Empty(t, a.since(sid, func() {
		_, err := a.SetLabels(t.Context(), a.caller, sid, map[string]string{"b": "3"})
		require.NoError(t, err)
		_, err = a.SetLabels(t.Context(), a.caller, sid, map[string]string{"b=": "3"})
		refused(t, err, sessions.CodeInvalid)
	}), "the same labels change nothing, and bad ones neither")
}

func abort(a *actor, b sessions.Batch) sessions.Batch {
	a.t.Helper()
	reply, err := a.Abort(a.t.Context(), a.caller, sessions.Idempotency{}, b.SessionID, b.ID)
	require.NoError(a.t, err)
	return reply.Value
}
