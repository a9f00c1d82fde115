package permissions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// inPlanMode judges a call under plan mode's deny rules and the most permissive
// rules and mode there are.
func inPlanMode(t *testing.T, tool Tool, a args) Effect {
	t.Helper()
	plan, err := Compile(Origin{Source: SourcePlanMode, Rules: Rules{Deny: []string{"write(*)", "execute(*)", "other(*)"}}})
	require.NoError(t, err)
	own := policy(t, allow("*", "mcp__*", tool.Name, "write", "execute(*)", "other(**)", "read"))
	d := Join(own, plan).Decide(analyse(t, tool, a), ModeYolo)
	if d.Effect == Deny {
		require.Equal(t, SourcePlanMode, d.Source)
	}
	return d.Effect
}

func TestPlanModeDeniesWhateverIsNotKnownToRead(t *testing.T) {
	t.Parallel()
	named := func(name string, k Kind) Tool { return Tool{Name: name, Kind: k} }
	for _, tool := range []Tool{
		writeFile, edit, remove, move, shell, mystery, named("x", KindSwitchMode), named("mcp__db__query", KindOther),
		named("unknown", ""), named("read", KindEdit), named("read", KindOther), named("read", KindExecute), named("x", "new"),
		named("write", KindEdit), named("execute", KindExecute), named("other", KindOther),
	} {
		for _, a := range []args{{}, {"path": "x"}, {"command": "ls"}, {"command": "(((("}, {"approved": true, "approval_id": "apr_1"}} {
			require.Equal(t, Deny, inPlanMode(t, tool, a), "%s %s %v", tool.Name, tool.Kind, a)
		}
	}
}

func TestPlanModeLeavesReading(t *testing.T) {
	t.Parallel()
	for _, tool := range []Tool{
		readFile, grep, fetch, think, lookup,
		{Name: "read", Kind: KindRead},
		{Name: "fetch", Kind: KindFetch},
		{Name: "mcp__x", Kind: KindOther, ReadOnly: true},
		{Name: "exit_plan_mode", Kind: KindSwitchMode, Gateway: true},
	} {
		for _, a := range []args{{}, {"path": "x"}, {"url": "https://x"}, {"q": 1}} {
			require.Equal(t, Allow, inPlanMode(t, tool, a), "%s %v", tool.Name, a)
		}
	}
}

func TestPlanModeOffIsAbsent(t *testing.T) {
	t.Parallel()
	own := policy(t, Rules{Deny: []string{"write(a)"}, Ask: []string{"execute(x*)"}, Allow: []string{"write(b)"}})
	off, err := Compile(Origin{Source: SourcePlanMode})
	require.NoError(t, err)
	for _, mode := range strictness {
		for _, a := range []*Analysis{
			analyse(t, edit, args{"path": "a"}), analyse(t, edit, args{"path": "b"}), analyse(t, edit, args{}),
			analyse(t, shell, args{"command": "xy"}), analyse(t, mystery, args{}),
		} {
			require.Equal(t, own.Decide(a, mode), Join(own, off).Decide(a, mode))
		}
	}
}
