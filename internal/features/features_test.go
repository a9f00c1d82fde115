package features_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/features"
)

func TestAListIsReadStrictly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		list string
		want error // nil: accepted
	}{
		"a route":               {"[{name: n, says: s, evidence: [{route: GET /}]}]", nil},
		"a tool and its module": {"[{name: n, says: s, evidence: [{tool: t, module: m}]}]", nil},
		"no evidence":           {"[{name: n, says: s}]", features.ErrNoEvidence},
		"nothing said":          {"[{name: n, evidence: [{route: GET /}]}]", features.ErrNoEvidence},
		"an empty citation":     {"[{name: n, says: s, evidence: [{}]}]", features.ErrCitation},
		"two kinds in one":      {"[{name: n, says: s, evidence: [{route: GET /, test: a TestB}]}]", features.ErrCitation},
		"a tool of no module":   {"[{name: n, says: s, evidence: [{tool: t}]}]", features.ErrCitation},
		"a module of no tool":   {"[{name: n, says: s, evidence: [{route: GET /, module: m}]}]", features.ErrCitation},
	} {
		_, err := features.Load(strings.NewReader(c.list))
		require.ErrorIs(t, err, c.want, name)
	}
	_, err := features.Load(strings.NewReader("[{nome: n}]"))
	require.ErrorContains(t, err, "nome")
	broken := errors.New("broken")
	_, err = features.Load(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}

func TestTheTableIsPutBetweenItsMarksAndNothingElseChanges(t *testing.T) {
	t.Parallel()
	list := []features.Feature{{Name: "n", Says: "s", Evidence: []features.Citation{{Route: "GET /"}, {Test: "a TestB"}, {Tool: "t", Module: "m"}}}}
	const head, tail = "# Title\n<!-- features: made from docs/features.yaml by `make generate` -->\n", "<!-- /features -->\nafter"
	once, err := features.Splice(head+"old"+tail, list)
	require.NoError(t, err)
	require.Equal(t, head+"| feature | what it does | shown by |\n|---|---|---|\n| n | s | `GET /`, [TestB](a), tool `t` |\n"+tail, once)
	twice, err := features.Splice(once, list)
	require.NoError(t, err)
	require.Equal(t, once, twice)

	for _, text := range []string{"", head, tail} {
		_, err := features.Splice(text, list)
		require.ErrorIs(t, err, features.ErrNoMarks)
	}
}
