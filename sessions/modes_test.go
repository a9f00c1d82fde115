package sessions_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

func TestAPersonsModeChangesAreToldInOrder(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeAutoEdit) }).ID
	entered := a.since(sid, func() { a.mode(sid, permissions.ModePlan) })
	require.Equal(t, []string{"mode.changed", "plan.entered"}, types(entered))
	require.JSONEq(t, `{"from": "auto_edit", "to": "plan", "by": "ann", "mode_revision": 2}`, string(entered[0].Data))
	on := a.session(sid)
	require.Equal(t, permissions.ModeAutoEdit, *on.PreviousMode)
	require.Equal(t, encoded(t, on.Plan), string(entered[1].Data))
	require.Equal(t, "ann", *on.Plan.EnteredBy)

	b := a.send(sid, call("1", "exit_plan_mode", `{"plan": "the plan"}`))
	pending := a.question(b, 0)
	exited := a.since(sid, func() { a.mode(sid, permissions.ModeDefault) })
	require.Equal(t, []string{"mode.changed", "plan.exited", "call.result", "approval.resolved", "batch.completed"}, types(exited))
	require.JSONEq(t, `{"from": "plan", "to": "default", "by": "ann", "mode_revision": 3}`, string(exited[0].Data))
	require.Equal(t, scheduler.ReasonApprovalStale, *data[scheduler.Result](t, exited, "call.result").Reason)
	require.Equal(t, "stale", data[sessions.Approval](t, exited, "approval.resolved").Status)
	off := a.session(sid)
	require.Nil(t, off.PreviousMode)
	require.Nil(t, off.Plan.EnteredBy)
	_, err := a.answer(pending, sessions.Response{OptionID: "default"})
	refused(t, err, sessions.CodeApprovalStale)
	require.Equal(t, permissions.ModeDefault, a.session(sid).ApprovalMode)

	require.Equal(t, []string{"mode.changed"}, types(a.since(sid, func() { a.mode(sid, permissions.ModeYolo) })))
	require.Empty(t, a.since(sid, func() { a.mode(sid, permissions.ModeYolo) }), "the mode that is on changes nothing")
	_, err = a.SetMode(t.Context(), a.caller, sid, "wild")
	require.Equal(t, []string{"/mode"}, faults(refused(t, err, sessions.CodeInvalid)))
}

func TestTheTextStaysOnAManualExitAndItsNoticeIsToldOnce(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModePlan) }).ID
	_, err := a.PatchPlan(t.Context(), a.caller, sid, sessions.PlanPatch{Append: new("step one")})
	require.NoError(t, err)
	open := a.send(sid, call("1", "read_file", `{"file_path": "a"}`))
	_, err = a.FollowUp(t.Context(), a.caller, sid, open.ID)
	refused(t, err, sessions.CodeBatchIncomplete)
	a.mode(sid, permissions.ModeDefault)
	require.Equal(t, "step one", a.session(sid).Plan.Text)
	a.succeed(open, 0, "x")
	for range 2 {
		told, err := a.FollowUp(t.Context(), a.caller, sid, open.ID)
		require.NoError(t, err)
		require.Equal(t, []string{planmode.TextManualExit}, told.Notices, "every rendering carries it")
	}
	next := a.send(sid, call("2", "nothing", `{}`))
	later, err := a.FollowUp(t.Context(), a.caller, sid, next.ID)
	require.NoError(t, err)
	require.Equal(t, []string{}, later.Notices)

	a.mode(sid, permissions.ModePlan) // with no batch open the notice waits for the next one's end
	a.mode(sid, permissions.ModeDefault)
	waited := a.send(sid, call("3", "nothing", `{}`))
	told, err := a.FollowUp(t.Context(), a.caller, sid, waited.ID)
	require.NoError(t, err)
	require.Equal(t, []string{planmode.TextManualExit}, told.Notices)
}

func TestALockedModeIsChangedByAnAdminOnly(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	person := a.as("bob", tenants.RoleFrontend)
	sid := a.create(func(s *sessions.Spec) {
		s.ApprovalMode, s.ApprovalModeLocked = new(permissions.ModePlan), new(true)
	}).ID
	for _, m := range []permissions.Mode{permissions.ModeDefault, permissions.ModePlan, permissions.ModeYolo} {
		_, err := person.SetMode(t.Context(), person.caller, sid, m)
		refused(t, err, sessions.CodeModeLocked)
	}
	b := a.send(sid, call("1", "exit_plan_mode", `{"plan": "p"}`))
	aid := a.question(b, 0)
	for _, option := range []string{"restore_previous", "auto_edit", "default"} {
		_, err := person.answer(aid, sessions.Response{OptionID: option})
		refused(t, err, sessions.CodeModeLocked)
	}
	require.Equal(t, "rejected", person.choose(aid, "reject").Status, "anybody may send it back")
	require.True(t, a.session(sid).Plan.Active)

	b = a.send(sid, call("2", "exit_plan_mode", `{"plan": "p"}`))
	require.Equal(t, "approved", a.choose(a.question(b, 0), "restore_previous").Status, "it is not a trap")
	require.Equal(t, permissions.ModeDefault, a.session(sid).ApprovalMode, "created in plan mode: back to default")
	b = a.send(sid, call("3", "enter_plan_mode", `{}`))
	require.Equal(t, scheduler.ReasonPlanTransitionFailed, reason(t, b, 0))
	require.Equal(t, permissions.ModeYolo, a.mode(sid, permissions.ModeYolo).ApprovalMode)
}

func TestThePlanIsPatchedUnderItsRevision(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModePlan) }).ID
	patch := func(body string) (sessions.Plan, error) {
		var p struct {
			Append, Text *string
			IfMatch      *int64
		}
		require.NoError(t, json.Unmarshal([]byte(body), &p))
		return a.PatchPlan(t.Context(), a.caller, sid, sessions.PlanPatch{Append: p.Append, Text: p.Text, IfMatch: p.IfMatch})
	}
	plan, err := patch(`{"append": "one", "ifmatch": 0}`)
	require.NoError(t, err)
	require.Equal(t, "one", plan.Text)
	plan, err = patch(`{"append": " two\n"}`)
	require.NoError(t, err)
	require.Equal(t, "one\n\ntwo", plan.Text)
	require.Equal(t, int64(2), plan.Revision)
	require.Equal(t, planmode.Reminder(planmode.Default), plan.Reminder)
	_, err = patch(`{"text": "x", "ifmatch": 1}`)
	require.Equal(t, int64(2), refused(t, err, sessions.CodePreconditionFailed).Extra["revision"])
	for _, both := range []string{`{}`, `{"append": "a", "text": "b"}`, `{"append": " "}`} {
		_, err := patch(both)
		refused(t, err, sessions.CodeInvalid)
	}
	b := a.send(sid, call("1", "exit_plan_mode", `{}`))
	aid := a.question(b, 0)
	events := a.since(sid, func() {
		plan, err = patch(`{"text": "three", "ifmatch": 2}`)
		require.NoError(t, err)
	})
	require.Equal(t, []string{"plan.updated", "call.result", "approval.resolved", "batch.completed"}, types(events))
	_, err = a.answer(aid, sessions.Response{OptionID: "default"})
	refused(t, err, sessions.CodeApprovalStale)
	require.True(t, a.session(sid).Plan.Active)
	require.Empty(t, a.since(sid, func() { _, err = patch(`{"text": "three"}`) }), "the same text is no change")
	require.NoError(t, err)
}

func TestAnApprovedExitKeepsThePlanAndSaysWho(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) }).ID
	b := a.send(sid, call("1", "enter_plan_mode", `{"userRequested": true, "note": "a note"}`))
	plan, err := a.Plan(t.Context(), a.caller, sid)
	require.NoError(t, err)
	require.Equal(t, plan.Reminder, b.Calls[0].Result.Output, "byte for byte")
	require.Equal(t, "model", *a.session(sid).Plan.EnteredBy)
	b = a.send(sid, call("2", "exit_plan_mode", `{}`))
	aid := a.question(b, 0)
	events := a.since(sid, func() { a.as("bob", tenants.RoleFrontend).choose(aid, "restore_previous") })
	require.Equal(t, []string{"mode.changed", "plan.exited", "call.result", "approval.resolved", "batch.completed"}, types(events))
	require.JSONEq(t, `{"from": "plan", "to": "yolo", "by": "bob", "mode_revision": 3}`, string(events[0].Data))
	require.Contains(t, data[scheduler.Result](t, events, "call.result").Output, "bob")
	plan, err = a.Plan(t.Context(), a.caller, sid)
	require.NoError(t, err)
	require.Empty(t, plan.Text)
	require.Equal(t, "a note", plan.LastApproved.Text)
	require.Equal(t, "bob", plan.LastApproved.By)
	told, err := a.FollowUp(t.Context(), a.caller, sid, b.ID)
	require.NoError(t, err)
	require.Empty(t, told.Notices, "the result says it already")
}

func TestToolsAreSealedWhilePlanModeIsOn(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(nil).ID
	child := a.under(root, nil).ID
	a.mode(root, permissions.ModePlan)
	for _, sid := range []string{root, child} {
		for name, change := range map[string]func(*sessions.ToolSpec){
			"kind":      func(s *sessions.ToolSpec) { s.Kind = new(permissions.KindRead) },
			"read_only": func(s *sessions.ToolSpec) { s.Kind, s.ReadOnly = new(permissions.KindOther), true },
			"aliases":   func(s *sessions.ToolSpec) { s.Aliases = nil },
			"subjects":  func(s *sessions.ToolSpec) { s.Subjects = &permissions.Subjects{Path: []string{"/x"}} },
		} {
			tools := standardTools()
			change(&tools[1])
			_, err := a.SetTools(t.Context(), a.caller, sid, tools)
			require.Contains(t, refused(t, err, sessions.CodePlanModeActive).Detail, "write_file", name)
		}
		tools := append(standardTools(), sessions.ToolSpec{Name: "put", Kind: new(permissions.KindEdit)},
			sessions.ToolSpec{Name: "look", Kind: new(permissions.KindOther), ReadOnly: true})
		tools[1].Description, tools[1].InputSchema, tools[1].TimeoutS = "new", json.RawMessage(`{"type": "object"}`), new(5)
		s, err := a.SetTools(t.Context(), a.caller, sid, tools)
		require.NoError(t, err, "what rules don't see may change, and new tools are free")
		require.Equal(t, int64(2), s.ToolsRevision)
		b := a.send(sid, call("1", "put", `{"path": "a"}`), call("2", "look", `{"path": "a"}`), call("3", "WriteFile", `{"path": "a"}`))
		require.Equal(t, scheduler.ReasonPlanModeDenied, reason(t, b, 0))
		require.Equal(t, scheduler.StateDispatched, b.Calls[1].State)
		require.Equal(t, scheduler.ReasonPlanModeDenied, reason(t, b, 2))
		abort(a, b)
	}
	a.mode(root, permissions.ModeDefault)
	tools := standardTools()
	tools[1].Kind = new(permissions.KindRead)
	_, err := a.SetTools(context.Background(), a.caller, root, tools)
	require.NoError(t, err)
}
