package permissions

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

const cwd = "/srv/app"

// Tools of every kind that the tests call.
var (
	readFile  = Tool{Name: "read_file", Kind: KindRead, Aliases: []string{"ReadFile"}}
	grep      = Tool{Name: "grep_search", Kind: KindSearch}
	writeFile = Tool{Name: "write_file", Kind: KindEdit, Aliases: []string{"WriteFile"}}
	edit      = Tool{Name: "edit", Kind: KindEdit}
	remove    = Tool{Name: "remove", Kind: KindDelete}
	move      = Tool{Name: "move", Kind: KindMove, Subjects: &Subjects{Path: []string{"/from", "/to"}}}
	shell     = Tool{Name: "run_shell_command", Kind: KindExecute}
	fetch     = Tool{Name: "web_fetch", Kind: KindFetch}
	think     = Tool{Name: "todo_write", Kind: KindThink}
	mystery   = Tool{Name: "mystery", Kind: KindOther}
	lookup    = Tool{Name: "mcp__docs__lookup", Kind: KindOther, ReadOnly: true}
	outside   = Tool{
		Name: "mcp__files__get", Kind: KindOther, ReadOnly: true,
		Subjects: &Subjects{Path: []string{"/uri"}},
	}
	manyPaths = Tool{
		Name: "read_many", Kind: KindRead,
		Subjects: &Subjects{Path: []string{"/path", "/paths/*"}},
	}
)

type args map[string]any

func analyse(t testing.TB, tool Tool, a args) *Analysis {
	t.Helper()
	text, err := json.Marshal(a)
	require.NoError(t, err)
	return Analyse(Request{Tool: tool, Arguments: string(text), Cwd: cwd})
}

func policy(t testing.TB, r Rules) *Policy {
	t.Helper()
	p, err := Compile(Origin{Source: SourceSession, Rules: r})
	require.NoError(t, err)
	return p
}

// decide judges one call in default mode.
func decide(t testing.TB, r Rules, tool Tool, a args) Decision {
	t.Helper()
	return policy(t, r).Decide(analyse(t, tool, a), ModeDefault)
}

// sh judges one shell command in default mode.
func sh(t testing.TB, r Rules, command string) Decision {
	t.Helper()
	return decide(t, r, shell, args{"command": command})
}

func deny(patterns ...string) Rules  { return Rules{Deny: patterns, Allow: []string{"*"}} }
func allow(patterns ...string) Rules { return Rules{Allow: patterns} }

// rank orders effects from the most permissive on.
func rank(e Effect) int {
	return map[Effect]int{Allow: 0, Ask: 1, Deny: 2}[e]
}

// requireAtLeastAsk fails for an allow.
func requireAtLeastAsk(t testing.TB, d Decision) {
	t.Helper()
	require.NotEqual(t, Allow, d.Effect, "%+v", d)
}
