package tenants_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

const issuers = `
issuers:
  - id: corp
    issuer: https://id.example
    audience: session-gateway
    jwks_url: https://id.example/jwks.json
    algorithms: [RS256, EdDSA]
    tenants: [acme, globex]
    claims: {tenant: org, subject: email, roles: groups}
    roles: {agents-admins: [admin], agents-users: [frontend, viewer]}
`

func TestABootstrapFileNamesIssuers(t *testing.T) {
	t.Parallel()
	b, err := tenants.Parse(strings.NewReader(file + issuers))
	require.NoError(t, err)
	require.Len(t, b.Tenants, 1)
	require.Len(t, b.Issuers, 1)
	corp := b.Issuers[0]
	require.Equal(t, tenants.Claims{Tenant: "org", Subject: "email", Roles: "groups"}, corp.Claims)
	require.Equal(t, []tenants.Role{tenants.RoleFrontend, tenants.RoleViewer}, corp.Roles["agents-users"])
	require.Equal(t, 30*time.Second, corp.ClockSkew())
}

func TestAnIssuerThatIsNotSafeIsRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ old, text, want string }{
		"a shared secret":           {"[RS256, EdDSA]", "[HS256]", `algorithms[0]: "HS256"`},
		"no signature":              {"[RS256, EdDSA]", "[none]", `algorithms[0]: "none"`},
		"no algorithm":              {"[RS256, EdDSA]", "[]", "algorithms: is empty"},
		"no audience":               {"audience: session-gateway", "audience: ''", "audience: is missing"},
		"no tenant":                 {"[acme, globex]", "[]", "tenants: is empty"},
		"every tenant":              {"[acme, globex]", "['*']", `tenants[0]: "*"`},
		"a tenant nobody says":      {"tenant: org, ", "", "claims.tenant: is missing"},
		"keys in a file":            {"https://id.example/jwks.json", "file:///keys.json", "jwks_url"},
		"an operator":               {"[admin]", "[operator]", "no issuer gives it"},
		"a role that is none":       {"[admin]", "[root]", `"root"`},
		"a clock of its own":        {"id: corp", "clock_skew_s: 301\n    id: corp", "clock_skew_s"},
		"an unknown setting":        {"id: corp", "jku: true\n    id: corp", `"jku"`},
		"the same issuer once more": {"\nissuers:", "\nissuers:\n  - {id: b, issuer: 'https://id.example'}", "is there twice"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := tenants.Parse(strings.NewReader(strings.Replace(issuers, c.old, c.text, 1)))
			require.ErrorContains(t, err, c.want)
		})
	}
}
