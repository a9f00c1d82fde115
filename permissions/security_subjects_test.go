package permissions

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func judge(t testing.TB, r Rules, tool Tool, arguments string) Effect {
	t.Helper()
	return policy(t, r).Decide(Analyse(Request{Tool: tool, Arguments: arguments, Cwd: cwd}), ModeYolo).Effect
}

func TestCommandsThatCannotBeReadMayReadAndWrite(t *testing.T) {
	t.Parallel()
	runner := Tool{Name: "runner", Kind: KindOther, Subjects: &Subjects{Command: []string{"/steps/*/run"}}}
	for tool, calls := range map[*Tool][]string{
		&shell: {
			`{"command": ["sh", "-c", "echo x > .git/config"]}`, `{}`, `{"command": 5}`, `{"cmdline": "rm .git/config"}`, `{"command": []}`, `{"command": {}}`, `{"command": null}`,
			`{"Command": "rm .git/config"}`, `{"command": "ls", "Command": "rm .git/config"}`, `[]`, `null`, `{`, `"rm .git/config"`, `{"command": "ls", "cmd": ["rm"]}`, `{"path": "x"}`,
			`{"command": "ls", "command": "rm .git/config"}`, `{"command": true}`,
		},
		&runner: {`{"steps": [{"Run": "rm .git/config"}]}`, `{"steps": ["rm .git/config"]}`, `{"steps": "x"}`, `{"steps": [{"run": "ls"}, {}]}`, `{}`, `[]`},
	} {
		for _, arguments := range calls {
			for _, rule := range []string{"write(.git/config)", "read(.env)", tool.Name + "(rm *)"} {
				r := Rules{Deny: []string{rule}}
				require.NotEqual(t, Allow, judge(t, r, *tool, arguments), "%s: %s", rule, arguments)
				require.NotEqual(t, Allow, judge(t, Rules{Ask: r.Deny}, *tool, arguments), "%s: %s", rule, arguments)
			}
			require.Equal(t, Allow, judge(t, Rules{Deny: []string{"fetch(x)"}, Allow: []string{tool.Name}}, *tool, arguments))
		}
	}
	require.Equal(t, Allow, judge(t, Rules{Deny: []string{"write(.git/config)"}}, shell, `{"command": "ls", "description": "x"}`))
}

func TestAMisspelledKeyHidesNoSubject(t *testing.T) {
	t.Parallel()
	edits := Tool{Name: "edits", Kind: KindEdit, Subjects: &Subjects{Path: []string{"/file_path", "/edits/*/path", "/options/out/file"}}}
	hidden := []string{
		`{"file_path": "a", "edits": [{"Path": ".git/config"}]}`, `{"file_path": "a", "edits": "x"}`, `{"file_path": "a", "edits": 5}`, `{"file_path": "a", "edits": [{}]}`,
		`{"file_path": "a", "edits": [".git/config"]}`, `{"file_path": "a", "edits": [null]}`, `{"file_path": "a", "edits": [{"path": null}]}`, `{"file_path": "a", "edits": [[]]}`,
		`{"file_path": "a", "edits": {"x": {"file": ".git/config"}}}`, `{"file_path": "a", "edits": [{"path": "b"}, {"filePath": ".git/config"}]}`, `{"file_path": "a", "Edits": [{"path": ".git/config"}]}`,
		`{"file_path": "a", "File_Path": ".git/config"}`, `{"file_path": "a", "edits": [{"path": "b", "PATH": ".git/config"}]}`, `{"file_path": "a", "options": {"out": {"File": ".git/config"}}}`,
		`{"file_path": "a", "options": {"output": ".git/config"}}`, `{"file_path": "a", "options": "x"}`, `{"file_path": "a", "options": {"out": ".git/config"}}`, `{"file_path": "a", "options": {}}`,
		`{"file_path": "a", "edits": false}`,
	}
	for _, arguments := range hidden {
		require.Equal(t, Ask, judge(t, Rules{Deny: []string{"write(.git/**)"}}, edits, arguments), arguments)
		a := Analyse(Request{Tool: edits, Arguments: arguments, Cwd: cwd})
		require.Equal(t, Ask, policy(t, allow("write(/srv/app/*)")).Decide(a, ModeDefault).Effect, arguments)
	}
	for _, arguments := range []string{
		`{"file_path": "a"}`, `{"file_path": "a", "edits": []}`, `{"file_path": "a", "edits": null, "options": null}`, `{"edits": [{"path": "a", "old": "x"}]}`,
		`{"file_path": "a", "options": {"out": {"file": "b"}}}`, `{"file_path": "a", "edits": {"x": {"path": "b"}}}`, `{"file_path": "a", "content": {"edits": 5}}`,
	} {
		a := Analyse(Request{Tool: edits, Arguments: arguments, Cwd: cwd})
		require.Equal(t, Allow, policy(t, Rules{Ask: []string{"write(.git/**)"}, Allow: []string{"write(/srv/app/*)"}}).Decide(a, ModeDefault).Effect, arguments)
	}
}
