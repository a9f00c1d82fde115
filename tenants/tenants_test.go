package tenants_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

func TestAnAdminHasEveryRoleOfATenantAndOthersOnlyTheirOwn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		have, want []tenants.Role
		is         bool
	}{
		{[]tenants.Role{tenants.RoleAdmin}, []tenants.Role{tenants.RoleHost}, true},
		{[]tenants.Role{tenants.RoleHost}, []tenants.Role{tenants.RoleHost}, true},
		{[]tenants.Role{tenants.RoleHost}, []tenants.Role{tenants.RoleFrontend}, false},
		{[]tenants.Role{tenants.RoleViewer, tenants.RoleHost}, []tenants.Role{tenants.RoleFrontend, tenants.RoleHost}, true},
		{nil, tenants.AllRoles(), false},
		{[]tenants.Role{tenants.RoleAdmin}, []tenants.Role{tenants.RoleOperator}, false},
		{[]tenants.Role{tenants.RoleOperator}, []tenants.Role{tenants.RoleOperator}, true},
		{[]tenants.Role{tenants.RoleOperator}, []tenants.Role{tenants.RoleViewer}, false},
	} {
		require.Equal(t, c.is, tenants.Caller{Roles: c.have}.Is(c.want...), "%v is %v", c.have, c.want)
	}
}

func TestTheIdempotencyScopeTellsTenantsAndKeysApart(t *testing.T) {
	t.Parallel()
	require.Equal(t, "acme/ci", tenants.Caller{Tenant: "acme", KeyID: "ci", Subject: "someone"}.Principal())
}
