package tenants_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

func TestANarrowedKeyHoldsItsSessionsOnly(t *testing.T) {
	t.Parallel()
	labels := map[string]string{"team": "payments", "stage": "test"}
	for name, c := range map[string]struct {
		narrow *tenants.Narrow
		holds  bool
	}{
		"no narrowing":                  {nil, true},
		"nothing set":                   {&tenants.Narrow{}, true},
		"the session":                   {&tenants.Narrow{SessionID: "s"}, true},
		"one above it":                  {&tenants.Narrow{SessionID: "root"}, true},
		"another session":               {&tenants.Narrow{SessionID: "x"}, false},
		"its labels":                    {&tenants.Narrow{Labels: map[string]string{"team": "payments"}}, true},
		"a label with another value":    {&tenants.Narrow{Labels: map[string]string{"team": "search"}}, false},
		"a label that it has not":       {&tenants.Narrow{Labels: map[string]string{"region": ""}}, false},
		"the session, but other labels": {&tenants.Narrow{SessionID: "s", Labels: map[string]string{"team": "search"}}, false},
	} {
		require.Equal(t, c.holds, c.narrow.Holds("s", []string{"parent", "root"}, labels), name)
	}
}
