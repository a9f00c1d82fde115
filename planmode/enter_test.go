package planmode_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

// ordinary is a situation in which an entry succeeds.
func ordinary(change func(*planmode.Situation)) planmode.Situation {
	s := planmode.Situation{MainAgent: true, Mode: permissions.ModeDefault, Approver: true}
	if change != nil {
		change(&s)
	}
	return s
}

func TestAnEntryIsTheFirstCaseThatHolds(t *testing.T) {
	t.Parallel()
	everything := planmode.Situation{On: true, Mode: permissions.ModeYolo, Headless: true, Locked: true}
	for _, c := range []struct {
		name string
		in   planmode.Situation
		want planmode.Entry
	}{
		{"an ordinary session", ordinary(nil), planmode.EntryEntered},
		{"auto_edit", ordinary(func(s *planmode.Situation) { s.Mode = permissions.ModeAutoEdit }), planmode.EntryEntered},
		{"a subagent", ordinary(func(s *planmode.Situation) { s.MainAgent = false }), planmode.EntryNotOwned},
		{"a subagent under plan mode", ordinary(func(s *planmode.Situation) { s.MainAgent, s.On = false, true }), planmode.EntryNotOwned},
		{"everything at once", everything, planmode.EntryNotOwned},
		{
			"already on beats all that follows",
			ordinary(func(s *planmode.Situation) { *s = everything; s.MainAgent = true }), planmode.EntryAlready,
		},
		{
			"yolo, unsolicited", ordinary(func(s *planmode.Situation) { s.Mode = permissions.ModeYolo }), planmode.EntryYolo,
		},
		{
			"yolo beats headless and lock",
			ordinary(func(s *planmode.Situation) { *s = everything; s.MainAgent, s.On = true, false }), planmode.EntryYolo,
		},
		{
			"yolo, asked for by the user",
			ordinary(func(s *planmode.Situation) { s.Mode, s.UserRequested = permissions.ModeYolo, true }), planmode.EntryEntered,
		},
		{
			"headless without an approver",
			ordinary(func(s *planmode.Situation) { s.Headless, s.Approver = true, false }), planmode.EntryUnavailable,
		},
		{
			"headless without an approver beats the lock",
			ordinary(func(s *planmode.Situation) { s.Headless, s.Approver, s.Locked = true, false, true }), planmode.EntryUnavailable,
		},
		{
			"headless with an approver", ordinary(func(s *planmode.Situation) { s.Headless = true }), planmode.EntryEntered,
		},
		{
			"no approver, but not headless", ordinary(func(s *planmode.Situation) { s.Approver = false }), planmode.EntryEntered,
		},
		{"locked", ordinary(func(s *planmode.Situation) { s.Locked = true }), planmode.EntryTransitionFailed},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, planmode.Enter(c.in))
		})
	}
}

func TestOnlyEntriesWithoutReminderHaveATextOfTheirOwn(t *testing.T) {
	t.Parallel()
	for entry, words := range map[planmode.Entry]string{
		planmode.EntryNotOwned:         "Return your findings to the caller",
		planmode.EntryYolo:             "userRequested",
		planmode.EntryUnavailable:      "a person's approval",
		planmode.EntryTransitionFailed: "locked",
	} {
		require.Contains(t, entry.Text(), words, entry)
	}
	require.Empty(t, planmode.EntryAlready.Text())
	require.Empty(t, planmode.EntryEntered.Text())
}
