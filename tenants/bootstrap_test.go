package tenants_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

const file = `
tenants:
  - id: acme
    keys:
      - id: ci
        sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
        subject: ci@acme.example
        roles: [host, viewer]
`

func TestABootstrapFileNamesTenantsAndKeys(t *testing.T) {
	t.Parallel()
	list, err := tenants.Parse(strings.NewReader(file))
	require.NoError(t, err)
	d, err := tenants.NewDirectory(list.Tenants...)
	require.NoError(t, err)
	c, err := d.Authenticate("test")
	require.NoError(t, err)
	require.Equal(t, "acme", c.Tenant)
	require.Equal(t, []tenants.Role{tenants.RoleHost, tenants.RoleViewer}, c.Roles)
}

func TestABootstrapFileIsReadStrictly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"settings that are none":   {file + "    settings: {approvers: {min: 99}}\n", "tenants[0].settings.approvers.min"},
		"a narrowing that is none": {strings.Replace(file, "roles:", "narrow: {}\n        roles:", 1), "tenants[0].keys[0].narrow"},
		"an unknown field":         {strings.Replace(file, "subject:", "subjekt:", 1), `"subjekt"`},
		"a repeated field":         {file + "tenants: []\n", `"tenants"`},
		"not YAML":                 {"tenants: [", "parse bootstrap"},
		"of the wrong shape":       {"tenants: 3", "tenants"},
		"too large":                {strings.Repeat("#", 1<<20+1), "larger than 1 MiB"},
	} {
		_, err := tenants.Parse(strings.NewReader(c.file))
		require.ErrorContains(t, err, c.want, name)
	}
}

func TestABootstrapFileThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken disk")
	_, err := tenants.Parse(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
}
