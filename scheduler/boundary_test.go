package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
)

var everyRuntime = []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeACP, scheduler.RuntimeHeadless}

func TestAnEntryIsTheOnlyCallOfItsBatchThatExecutes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		calls []scheduler.Input
		want  []string
	}{
		{"first", []scheduler.Input{enter("e"), write("w")}, []string{"ok", "plan_boundary"}},
		{"last", []scheduler.Input{write("w"), enter("e")}, []string{"plan_boundary", "ok"}},
		{"between", []scheduler.Input{read("r"), enter("e"), write("w")}, []string{"plan_boundary", "ok", "plan_boundary"}},
		{"alone", []scheduler.Input{enter("e")}, []string{"ok"}},
		{"two entries", []scheduler.Input{enter("e"), enter("f")}, []string{"ok", "plan_boundary"}},
		{"an exit", []scheduler.Input{leave("x", "p"), enter("e")}, []string{"plan_boundary", "ok"}},
		{"an alias", []scheduler.Input{write("w"), call("e", "EnterPlanMode", "{}")}, []string{"plan_boundary", "ok"}},
		{"an unknown tool", []scheduler.Input{call("u", "nope", "{}"), enter("e")}, []string{"plan_boundary", "ok"}},
		{"broken arguments", []scheduler.Input{call("b", "edit", "{"), enter("e")}, []string{"plan_boundary", "ok"}},
		{"agents", []scheduler.Input{agent("a"), agent("b"), enter("e")}, []string{"plan_boundary", "plan_boundary", "ok"}},
		{
			"an entry with bad arguments",
			[]scheduler.Input{call("e", "enter_plan_mode", `{"bad":1}`), write("w")},
			[]string{"invalid_tool_params", "plan_boundary"},
		},
	} {
		for _, r := range everyRuntime {
			t.Run(c.name+" in "+string(r), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, in(r), allowAll)
				require.Equal(t, c.want, w.batch(c.calls...))
				require.Empty(t, w.dispatched)
				require.Empty(t, w.raised)
				require.Empty(t, w.stop())
				require.Equal(t, scheduler.BatchCompleted, w.state.Batch.Status)
			})
		}
	}
}

func TestSkippedCallsAreNeverLookedAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, ruled(permissions.Rules{Deny: []string{"write_file"}, Ask: []string{"read_file"}}))
	w.batch(write("w"), enter("e"), read("r"))
	require.Equal(t, map[string]int{"{}": 1}, w.validated, "only the entry's arguments were checked")
	require.Equal(t, []string{"plan_boundary", "ok", "plan_boundary"}, w.outcomes())
	require.Equal(t, 1, w.state.Session.Used)
	require.Contains(t, w.result(0).Output, "Not executed")
	require.Contains(t, w.result(0).Output, "may be sent again")
}

func TestTheBoundaryStaysWhateverComesOfTheEntry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		options []option
		want    string
	}{
		{"subagent", []option{settings(func(s *scheduler.Settings) { s.MainAgent = false })}, "plan_not_owned"},
		{"yolo", []option{mode(permissions.ModeYolo)}, "plan_not_entered_yolo"},
		{"headless, nobody to ask", []option{inHeadless, nobodyToAsk}, "plan_unavailable"},
		{"locked", []option{settings(func(s *scheduler.Settings) { s.Locked = true })}, "plan_transition_failed"},
		{"on already", []option{inPlan}, "ok"},
		{"denied", []option{ruled(permissions.Rules{Deny: []string{"enter_*"}})}, "permission_denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, c.options...)
			before := w.state.Session
			require.Equal(t, []string{"plan_boundary", c.want}, w.batch(read("r"), enter("e")))
			require.Equal(t, before.Mode, w.state.Session.Mode)
			require.Equal(t, before.ModeRevision, w.state.Session.ModeRevision)
			require.Equal(t, before.Plan, w.state.Session.Plan)
		})
	}
}

func TestWithoutTheModuleThereIsNoBoundary(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), withoutModule, allowAll)
		require.Equal(t, []string{"tool_not_registered", "ok", "tool_not_registered", "tool_not_registered"},
			w.batch(enter("e"), write("w"), call("f", "EnterPlanMode", "{}"), leave("x", "p")), r)
	}
}

func TestAnEntryGivesTheReminderAndNothingElse(t *testing.T) {
	t.Parallel()
	for _, sdk := range []bool{false, true} {
		tiny := settings(func(s *scheduler.Settings) { s.SDK, s.ToolOutputChars, s.BatchOutputChars = sdk, 1, 1 })
		w := newWorld(t, tiny, mode(permissions.ModeAutoEdit))
		w.batch(call("e", "enter_plan_mode", `{"note":" look at a.go "}`))
		require.Equal(t, planmode.ReminderFor(sdk), w.result(0).Output)
		require.Nil(t, w.result(0).OutputRef)
		require.Nil(t, w.call(0).Rendered)
		require.False(t, w.result(0).Truncated)

		s := w.state.Session
		require.Equal(t, permissions.ModePlan, s.Mode)
		require.Equal(t, permissions.ModeAutoEdit, s.Previous)
		require.Equal(t, int64(2), s.ModeRevision)
		require.Equal(t, planmode.State{
			Active: true, Text: "look at a.go", Revision: 1, EnteredBy: "model", EnteredAt: start,
		}, s.Plan)

		w.batch(call("f", "enter_plan_mode", `{"note":"and b.go"}`))
		require.Equal(t, planmode.ReminderFor(sdk), w.result(0).Output)
		require.Equal(t, "look at a.go\n\nand b.go", w.state.Session.Plan.Text)
		require.Equal(t, permissions.ModeAutoEdit, w.state.Session.Previous, "the previous mode stays")
		require.Equal(t, int64(2), w.state.Session.ModeRevision)
	}
}

func TestAnEntryUnderAnAncestorsPlanModeIsAlreadyIn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, underPlan)
	require.Equal(t, []string{"ok"}, w.batch(call("e", "enter_plan_mode", `{"note":"n"}`)))
	require.Equal(t, planmode.Reminder(planmode.Default), w.result(0).Output)
	require.Equal(t, permissions.ModeDefault, w.state.Session.Mode)
	require.Equal(t, "n", w.state.Session.Plan.Text)

	require.Equal(t, []string{"plan_not_active"}, w.batch(leave("x", "p")), "leaving asks for the own mode only")
	require.Empty(t, w.raised)
}

func TestYoloEntersPlanModeForTheUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mode(permissions.ModeYolo))
	require.Equal(t, []string{"ok"}, w.batch(call("e", "enter_plan_mode", `{"userRequested":true}`)))
	require.True(t, w.planOn())
}

func TestANoteThatIsTooLongChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.setPlan(string(make([]byte, planmode.MaxTextBytes)))
	require.Equal(t, []string{"invalid_tool_params"}, w.batch(call("e", "enter_plan_mode", `{"note":"n"}`)))
	require.False(t, w.planOn())
	require.Zero(t, w.state.Session.Used)
}
