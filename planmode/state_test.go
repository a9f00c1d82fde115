package planmode_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
)

// states are the four ways in which plan mode can be on or off.
var states = map[string]planmode.State{
	"off":       {Text: "left over"},
	"own":       {Active: true},
	"inherited": {Inherited: true},
	"both":      {Active: true, Inherited: true},
}

func TestNoRuleExistsWhilePlanModeIsOff(t *testing.T) {
	t.Parallel()
	for name, s := range states {
		if name == "off" {
			require.False(t, s.On())
			require.Empty(t, planmode.DenyRules(s))
			require.Nil(t, planmode.Policy(s, planmode.ShellDenied))
			continue
		}
		require.True(t, s.On(), name)
		require.Equal(t, []string{"write(*)", "execute(*)", "other(*)"}, planmode.DenyRules(s), name)
		require.NotNil(t, planmode.Policy(s, planmode.ShellDenied), name)
	}
}

func TestTheRulesCannotBeChangedByTheirReader(t *testing.T) {
	t.Parallel()
	planmode.DenyRules(states["own"])[0] = "nothing"
	require.Equal(t, "write(*)", planmode.DenyRules(states["own"])[0])
}

func TestPlanModeTakesAwayWhatIsNotKnownToBeReadOnly(t *testing.T) {
	t.Parallel()
	policy := permissions.Join(allowAll(t), planmode.Policy(states["own"], planmode.ShellDenied))
	for _, c := range []struct {
		kind     permissions.Kind
		readOnly bool
		gateway  bool
		denied   bool
	}{
		{kind: permissions.KindRead},
		{kind: permissions.KindSearch},
		{kind: permissions.KindFetch},
		{kind: permissions.KindThink},
		{kind: permissions.KindOther, readOnly: true},
		{kind: permissions.KindSwitchMode, gateway: true},
		{kind: permissions.KindEdit, denied: true},
		{kind: permissions.KindDelete, denied: true},
		{kind: permissions.KindMove, denied: true},
		{kind: permissions.KindExecute, denied: true},
		{kind: permissions.KindOther, denied: true},
		{kind: permissions.KindSwitchMode, denied: true},
	} {
		d, denied := policy.Denied(permissions.Analyse(permissions.Request{
			Tool:      permissions.Tool{Name: "t", Kind: c.kind, ReadOnly: c.readOnly, Gateway: c.gateway},
			Arguments: `{"path":"a","command":"ls","url":"https://a.example"}`, Cwd: "/",
		}))
		require.Equal(t, c.denied, denied, "%+v", c)
		if denied {
			require.Equal(t, permissions.SourcePlanMode, d.Source)
		}
	}
}

func allowAll(t *testing.T) *permissions.Policy {
	t.Helper()
	p, err := permissions.Compile(permissions.Origin{
		Source: permissions.SourceSession, Rules: permissions.Rules{Allow: []string{"*"}},
	})
	require.NoError(t, err)
	return p
}

func TestParagraphsAreJoinedByABlankLine(t *testing.T) {
	t.Parallel()
	s, err := planmode.State{}.Append("  one\n")
	require.NoError(t, err)
	s, err = s.Append("two")
	require.NoError(t, err)
	require.Equal(t, "one\n\ntwo", s.Text)
	require.EqualValues(t, 2, s.Revision)
}

func TestWhatChangesNothingKeepsTheRevision(t *testing.T) {
	t.Parallel()
	before := planmode.State{Active: true, Text: "a", Revision: 4}
	for _, change := range []func(planmode.State) (planmode.State, error){
		func(s planmode.State) (planmode.State, error) { return s.Append(" \n ") },
		func(s planmode.State) (planmode.State, error) { return s.Replace("a") },
	} {
		after, err := change(before)
		require.NoError(t, err)
		require.Equal(t, before, after)
	}
	cleared, err := before.Replace("")
	require.NoError(t, err)
	require.Equal(t, planmode.State{Active: true, Revision: 5}, cleared)
}

func TestAPlanGrowsUpToItsLimit(t *testing.T) {
	t.Parallel()
	full, err := planmode.State{}.Replace(strings.Repeat("x", planmode.MaxTextBytes))
	require.NoError(t, err)
	same, err := full.Append("y")
	require.ErrorIs(t, err, planmode.ErrTextTooLong)
	require.Equal(t, full, same)
	_, err = full.Replace(strings.Repeat("x", planmode.MaxTextBytes+1))
	require.ErrorIs(t, err, planmode.ErrTextTooLong)
}

// Whatever is written, a text within the limit, its revision counting its
// changes, and a snapshot that holds exactly as long as nothing changed.
func TestEveryChangeOfTheTextIsCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := planmode.State{Active: true}
		for range rapid.IntRange(1, 10).Draw(t, "changes") {
			before, snapshot := s, planmode.TakeSnapshot(s, "p", 1, permissions.ModeDefault)
			text := rapid.SampledFrom([]string{"", " ", "a", "b", strings.Repeat("z", planmode.MaxTextBytes)}).Draw(t, "text")
			var err error
			if rapid.Bool().Draw(t, "append") {
				s, err = s.Append(text)
			} else {
				s, err = s.Replace(text)
			}
			require.LessOrEqual(t, len(s.Text), planmode.MaxTextBytes)
			changed := before.Text != s.Text
			require.Equal(t, changed, before.Revision+1 == s.Revision)
			require.Equal(t, !changed, snapshot.Holds(s, 1))
			if err != nil {
				require.Equal(t, before, s)
			}
		}
	})
}
