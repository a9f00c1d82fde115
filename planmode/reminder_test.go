package planmode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/planmode"
)

// points are what the reminder must say, each with the words that say it.
var points = []struct{ point, words string }{
	{"plan mode is on", "Plan mode is on"},
	{"no execution yet", "does not want anything executed yet"},
	{"no edits", "Do not edit, create, move or delete files"},
	{"no state-changing tools", "do not run tools that change state"},
	{"no config changes", "do not change configuration"},
	{"no commits", "do not commit anything"},
	{"it outranks other instructions", "takes precedence over every other instruction"},
	{"a loop", "Work in a loop"},
	{"explore", "Read and search"},
	{"reuse what exists", "what already exists and can be reused"},
	{"write findings down", "Write down what you find"},
	{"ask what the code cannot answer", "Ask the user what the code cannot answer"},
	{"first turn: a quick look", "In your first turn, take only a quick look"},
	{"first turn: first questions", "put your first questions"},
	{"ask only what can't be found out", "Ask only what you cannot find out yourself"},
	{"ask in one go", "together in one go"},
	{"a plan says what changes", "says what changes"},
	{"a plan says which files", "in which files"},
	{"a plan says what is reused", "what is reused (with the paths)"},
	{"a plan says how it is verified", "will be verified"},
	{"blocked: do not retry", "do not retry it"},
	{"blocked: do not wrap or disguise", "do not wrap or disguise"},
	{"blocked: do not exit", "do not leave plan mode just to get unblocked"},
	{"blocked: turn to read-only tools", "Turn to read-only tools"},
	{"a one-off approval is for one call", "that approval is for that one call only"},
	{"a one-off approval is not the plan's", "it never approves the plan"},
	{"converge", "Converge once the open ambiguities are resolved"},
	{"nothing changes until confirmed", "Nothing is changed until the user has confirmed"},
}

func TestBothRemindersSayEveryPoint(t *testing.T) {
	t.Parallel()
	for _, p := range points {
		t.Run(p.point, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, planmode.Reminder(planmode.Default), p.words)
			require.Contains(t, planmode.Reminder(planmode.SDK), p.words)
		})
	}
}

func TestTheRemindersDifferInOneClause(t *testing.T) {
	t.Parallel()
	def, sdk := planmode.Reminder(planmode.Default), planmode.Reminder(planmode.SDK)
	defLines, sdkLines := strings.Split(def, "\n"), strings.Split(sdk, "\n")
	require.Len(t, sdkLines, len(defLines))
	differing := 0
	for i := range defLines {
		if defLines[i] != sdkLines[i] {
			differing++
		}
	}
	require.Equal(t, 1, differing)

	defClause, sdkClause := difference(def, sdk)
	require.Contains(t, defClause, "exit_plan_mode")
	require.Contains(t, sdkClause, "directly")
	require.NotContains(t, sdk, "exit_plan_mode")
	for _, clause := range []string{defClause, sdkClause} {
		require.NotContains(t, clause, ".", "a clause, not a sentence")
		require.NotContains(t, clause, "\n")
	}
}

// difference is what is left of two texts without their common start and end.
func difference(a, b string) (inA, inB string) {
	start := 0
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	a, b = a[start:], b[start:]
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

func TestAReminderIsOneBlock(t *testing.T) {
	t.Parallel()
	for _, v := range []planmode.Variant{planmode.Default, planmode.SDK} {
		text := planmode.Reminder(v)
		require.True(t, strings.HasPrefix(text, "<system-reminder>\n"))
		require.True(t, strings.HasSuffix(text, "\n</system-reminder>"))
		require.Equal(t, 1, strings.Count(text, "<system-reminder>"))
		require.Equal(t, 1, strings.Count(text, "</system-reminder>"))
		require.NotContains(t, text, "{{")
	}
}

func TestASessionIsGivenItsVariant(t *testing.T) {
	t.Parallel()
	require.Equal(t, planmode.Reminder(planmode.SDK), planmode.ReminderFor(true))
	require.Equal(t, planmode.Reminder(planmode.Default), planmode.ReminderFor(false))
}
