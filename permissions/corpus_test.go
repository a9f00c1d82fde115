package permissions

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// corpusCase is one fault that was seen elsewhere, with its whole kind.
type corpusCase struct {
	Case  string            `json:"case"`
	Deny  []string          `json:"deny"`
	Ask   []string          `json:"ask"`
	Allow []string          `json:"allow"`
	Want  Effect            `json:"want"`
	Calls []json.RawMessage `json:"calls"`
}

// corpusTools are the tools that its calls name.
var corpusTools = []Tool{readFile, grep, writeFile, edit, remove, move, shell, fetch, outside, manyPaths}

func TestTheCorpusHolds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/corpus.yaml")
	require.NoError(t, err)
	var cases []corpusCase
	require.NoError(t, yaml.UnmarshalStrict(text, &cases))
	for _, c := range cases {
		t.Run(c.Case, func(t *testing.T) {
			t.Parallel()
			require.NotEmpty(t, c.Calls)
			for _, call := range c.Calls {
				c.judge(t, call)
			}
		})
	}
}

// judge requires the verdict in every mode in which the rules decide, an ask where
// the denies are asks, and an explanation that says the same.
func (c *corpusCase) judge(t *testing.T, call json.RawMessage) {
	t.Helper()
	a := corpusCall(t, call)
	r := Rules{Deny: c.Deny, Ask: c.Ask, Allow: c.Allow}
	if len(r.Allow) == 0 {
		r.Allow = []string{"*"}
	}
	for _, m := range []Mode{ModeDefault, ModeAutoEdit, ModeYolo} {
		if len(c.Deny)+len(c.Ask) == 0 && c.Want == Ask && m != ModeDefault && r.Allow[0] != "*" {
			continue // these modes allow without a rule
		}
		got := policy(t, r).Decide(a, m).Effect
		if c.Want == Ask {
			require.NotEqual(t, Allow, got, "%s in %s", call, m)
			continue
		}
		require.Equal(t, c.Want, got, "%s in %s", call, m)
	}
	if c.Want == Deny {
		asked := Rules{Ask: c.Deny, Allow: []string{"*"}}
		require.Equal(t, Ask, policy(t, asked).Decide(a, ModeYolo).Effect, "%s", call)
	}
	require.Equal(t, policy(t, r).Decide(a, ModeDefault), policy(t, r).Explain(a, ModeDefault).Decision, "%s", call)
}

// corpusCall reads a call: a shell command, or an object with its tool.
func corpusCall(t *testing.T, call json.RawMessage) *Analysis {
	t.Helper()
	if command := ""; json.Unmarshal(call, &command) == nil {
		return analyse(t, shell, args{"command": command})
	}
	var a args
	require.NoError(t, json.Unmarshal(call, &a))
	for _, tool := range corpusTools {
		if tool.Name == a["tool"] {
			delete(a, "tool")
			return analyse(t, tool, a)
		}
	}
	require.Fail(t, "unknown tool", "%s", call)
	return nil
}

func TestTheCorpusHasNoLineTwice(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/corpus.yaml")
	require.NoError(t, err)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "- case:") {
			require.False(t, seen[line], line)
			seen[line] = true
		}
	}
}
