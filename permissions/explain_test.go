package permissions

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// An explanation is the decision, not an account of another one.
func TestAnExplanationsDecisionIsTheDecision(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, p, m := genCall(t), compile(t, genRules.Draw(t, "rules")), genMode.Draw(t, "mode")
		e := p.Explain(a, m)
		require.Equal(t, p.Decide(a, m), e.Decision)
		require.Len(t, a.facets, len(e.Findings)+e.Omitted)
	})
}

// What is shown of the parts has to account for the whole.
func TestTheStrictestFindingDecides(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, p, m := genCall(t), compile(t, genRules.Draw(t, "rules")), genMode.Draw(t, "mode")
		e := p.Explain(a, m)
		strictest := 0
		for _, f := range e.Findings {
			if f.Decision != nil {
				strictest = max(strictest, rank(f.Decision.Effect))
			}
		}
		require.Equal(t, rank(e.Decision.Effect), strictest)
	})
}

func TestAnExplanationShowsWhatRulesSee(t *testing.T) {
	t.Parallel()
	p := policy(t, Rules{Deny: []string{"read(.env)", "execute(rm *)"}, Ask: []string{"write(out)"}, Allow: []string{"*"}})
	denied := &Decision{Deny, TierDeny, "read(.env)", SourceSession}
	e := p.Explain(analyse(t, readFile, args{"path": "a/../.env"}), ModeDefault)
	require.Equal(t, []Finding{{
		Type: FindingPath, Text: "a/../.env", As: "read", Views: []string{"a/../.env", ".env", "/srv/app/.env"},
		Clarity: ClaritySeen, Decision: denied,
	}}, e.Findings)

	e = p.Explain(analyse(t, shell, args{"command": `sudo /bin/rm x; cat .env > out; eval "$y"`}), ModeDefault)
	require.Equal(t, Deny, e.Decision.Effect)
	found := map[string]Finding{}
	for _, f := range e.Findings {
		found[string(f.Type)+" "+f.As+" "+f.Text] = f
	}
	rm := found["command execute sudo /bin/rm x"]
	require.Contains(t, rm.Views, "rm x", "through sudo, by its base name")
	require.Equal(t, "execute(rm *)", rm.Decision.Pattern)
	require.Equal(t, denied, found["path read .env"].Decision)
	require.True(t, found["path read .env"].Guards)
	require.Equal(t, Ask, found["path write out"].Decision.Effect)
	require.Equal(t, ClarityOpaque, found[`command execute eval "$y"`].Clarity)

	e = p.Explain(analyse(t, fetch, args{"url": "HTTPS://u:p@Example.com:443"}), ModeDefault)
	require.Equal(t, FindingURL, e.Findings[0].Type)
	require.Equal(t, "HTTPS://u:p@Example.com:443", e.Findings[0].Text)
	require.Contains(t, e.Findings[0].Views, "https://example.com/")

	e = p.Explain(analyse(t, edit, args{"filePath": "x"}), ModeDefault)
	require.Equal(t, FindingNone, e.Findings[0].Type)
	require.Equal(t, ClarityUnknown, e.Findings[0].Clarity)
}

func TestAnExplanationIsBounded(t *testing.T) {
	t.Parallel()
	p := policy(t, allow("*"))
	long := "cat " + strings.Repeat("a", 2*MaxCommandBytes)
	for _, f := range p.Explain(analyse(t, shell, args{"command": long}), ModeDefault).Findings {
		require.LessOrEqual(t, len(f.Text), maxShownBytes+len("…"))
	}
	e := p.Explain(analyse(t, shell, args{"command": "cat " + strings.Repeat("a ", 400)}), ModeDefault)
	require.Len(t, e.Findings, MaxFindings)
	require.Positive(t, e.Omitted)
}
