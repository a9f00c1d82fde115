package planmode_test

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

func TestARequestToLeave(t *testing.T) {
	t.Parallel()
	on := planmode.State{Active: true}
	written := planmode.State{Active: true, Text: "written so far"}
	for _, c := range []struct {
		name  string
		state planmode.State
		plan  string
		want  planmode.Exit
		text  string
	}{
		{"off", planmode.State{}, "p", planmode.ExitNotActive, ""},
		{"off, with a text left over", planmode.State{Text: "old"}, "", planmode.ExitNotActive, ""},
		{"inherited only", planmode.State{Inherited: true}, "p", planmode.ExitNotActive, ""},
		{"own and inherited", planmode.State{Active: true, Inherited: true}, "p", planmode.ExitAsk, "p"},
		{"no plan", on, "", planmode.ExitNoPlan, ""},
		{"blank plan", on, " \n\t", planmode.ExitNoPlan, ""},
		{"blank text", planmode.State{Active: true, Text: " \n"}, "", planmode.ExitNoPlan, ""},
		{"a plan in the call", on, "p", planmode.ExitAsk, "p"},
		{"the call's plan beats the text", written, "p", planmode.ExitAsk, "p"},
		{"the text, when the call has none", written, "", planmode.ExitAsk, "written so far"},
		{"the text, when the call's is blank", written, "  ", planmode.ExitAsk, "written so far"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			exit, text := planmode.RequestExit(c.state, c.plan)
			require.Equal(t, c.want, exit)
			require.Equal(t, c.text, text)
		})
	}
}

func TestASnapshotFixesWhatAPersonSees(t *testing.T) {
	t.Parallel()
	s := planmode.TakeSnapshot(planmode.State{Active: true, Text: "old", Revision: 7}, "the plan", 3, permissions.ModeAutoEdit)
	sum := sha256.Sum256([]byte("the plan"))
	require.Equal(t, planmode.Snapshot{
		Text: "the plan", SHA256: hex.EncodeToString(sum[:]), Revision: 7, ModeRevision: 3, PreviousMode: permissions.ModeAutoEdit,
	}, s)
}

func TestASnapshotHoldsWhileNothingChanged(t *testing.T) {
	t.Parallel()
	state := planmode.State{Active: true, Text: "a", Revision: 1}
	snapshot := planmode.TakeSnapshot(state, "a", 5, permissions.ModeDefault)
	rewritten, err := state.Replace("b")
	require.NoError(t, err)
	restored, err := rewritten.Replace("a")
	require.NoError(t, err)
	off := state
	off.Active = false

	require.True(t, snapshot.Holds(state, 5))
	require.False(t, snapshot.Holds(state, 6), "the mode changed")
	require.False(t, snapshot.Holds(rewritten, 5), "the text changed")
	require.False(t, snapshot.Holds(restored, 5), "the text changed and changed back")
	require.False(t, snapshot.Holds(off, 5), "plan mode is off")
}

func TestWhereAnAnswerLeads(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		previous permissions.Mode
		option   string
		want     permissions.Mode
		approves bool
	}{
		{permissions.ModeYolo, planmode.OptionRestore, permissions.ModeYolo, true},
		{permissions.ModeAutoEdit, planmode.OptionRestore, permissions.ModeAutoEdit, true},
		{permissions.ModePlan, planmode.OptionRestore, permissions.ModeDefault, true},
		{"", planmode.OptionRestore, permissions.ModeDefault, true},
		{permissions.ModeYolo, planmode.OptionAutoEdit, permissions.ModeAutoEdit, true},
		{permissions.ModeYolo, planmode.OptionDefault, permissions.ModeDefault, true},
		{permissions.ModeYolo, planmode.OptionReject, "", false},
		{permissions.ModeYolo, "", "", false},
		{permissions.ModeYolo, "allow_once", "", false},
	} {
		s := planmode.TakeSnapshot(planmode.State{Active: true}, "p", 1, c.previous)
		mode, approves := s.Target(c.option)
		require.Equal(t, c.want, mode, "%s from %q", c.option, c.previous)
		require.Equal(t, c.approves, approves, "%s from %q", c.option, c.previous)
	}
}

func TestExitOptionsAreOfferedInOrder(t *testing.T) {
	t.Parallel()
	var got [][2]string
	for _, o := range planmode.ExitOptions() {
		got = append(got, [2]string{o.ID, o.Kind})
		require.NotEmpty(t, o.Label)
	}
	require.Equal(t, [][2]string{
		{"restore_previous", "allow_once"},
		{"auto_edit", "allow_always"},
		{"default", "allow_once"},
		{"reject", "reject_once"},
	}, got)
}

func TestTheApprovalSaysWhoDecided(t *testing.T) {
	t.Parallel()
	text := planmode.ApprovedText("ada", permissions.ModeAutoEdit)
	require.Contains(t, text, "ada")
	require.Contains(t, text, "auto_edit")
}
