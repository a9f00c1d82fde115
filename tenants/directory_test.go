package tenants_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

func acme() tenants.Tenant {
	return tenants.Tenant{ID: "acme", Keys: []tenants.Key{{
		ID: "ci", SHA256: tenants.DigestOf("s3cret").String(), Subject: "ci@acme.example", Roles: []tenants.Role{tenants.RoleHost},
	}}}
}

func TestAKeyIsItsCallerAndNothingElseIs(t *testing.T) {
	t.Parallel()
	d, err := tenants.NewDirectory(acme())
	require.NoError(t, err)
	require.Equal(t, 1, d.Len())

	c, err := d.Authenticate("s3cret")
	require.NoError(t, err)
	require.Equal(t, "acme/ci", c.Principal())
	require.Equal(t, "ci@acme.example", c.Subject)
	require.Equal(t, []tenants.Role{tenants.RoleHost}, c.Roles)

	for _, wrong := range []string{"", "s3cre", "s3cret ", "S3cret", tenants.DigestOf("s3cret").String()} {
		_, err := d.Authenticate(wrong)
		require.ErrorIs(t, err, tenants.ErrUnknownKey, wrong)
	}
}

func TestACallerThatChangesItsRolesChangesNobodyElses(t *testing.T) {
	t.Parallel()
	d, err := tenants.NewDirectory(acme())
	require.NoError(t, err)
	c, err := d.Authenticate("s3cret")
	require.NoError(t, err)
	c.Roles[0] = tenants.RoleAdmin

	again, err := d.Authenticate("s3cret")
	require.NoError(t, err)
	require.Equal(t, []tenants.Role{tenants.RoleHost}, again.Roles)
}

func TestEveryProblemOfADirectoryIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	good := acme().Keys[0]
	with := func(change func(*tenants.Key)) tenants.Key {
		k := good
		change(&k)
		return k
	}
	_, err := tenants.NewDirectory([]tenants.Tenant{
		{ID: "Acme"},
		{ID: "b", Keys: []tenants.Key{
			good,
			with(func(k *tenants.Key) { k.ID = "-x"; k.SHA256 = "gwk_oops" }),
			with(func(k *tenants.Key) { k.Subject = "" }),
			with(func(k *tenants.Key) { k.ID = "d"; k.Subject = "a\nb"; k.Roles = nil }),
			with(func(k *tenants.Key) {
				k.ID = "e"
				k.Subject = strings.Repeat("x", 129)
				k.Roles = []tenants.Role{"root"}
			}),
		}},
		{ID: "b"},
	}...)
	require.Error(t, err)
	for _, want := range []string{
		`tenants[0].id: "Acme" does not match`,
		`tenants[1].keys[1].id: "-x" does not match`,
		`tenants[1].keys[1].sha256: is not the 64 hex digits`,
		`tenants[1].keys[2].id: "ci" is there twice`,
		`tenants[1].keys[2].sha256: another key has the same digest`,
		`tenants[1].keys[2].subject: is missing`,
		`tenants[1].keys[3].subject: holds characters that can't be printed`,
		`tenants[1].keys[3].roles: is empty`,
		`tenants[1].keys[4].subject: is longer than 128 bytes`,
		`tenants[1].keys[4].roles[0]: "root" is not one of`,
		`tenants[2].id: "b" is there twice`,
	} {
		require.ErrorContains(t, err, want)
	}
	require.NotContains(t, err.Error(), "gwk_oops", "a misplaced key is not repeated")
}

func TestTenantIDs(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{
		"a": true, "0": true, "acme-2": true, strings.Repeat("a", 63): true,
		"": false, "-a": false, "A": false, "a_b": false, "a/b": false, "a\n": false, strings.Repeat("a", 64): false,
	} {
		_, err := tenants.NewDirectory(tenants.Tenant{ID: id})
		require.Equal(t, ok, err == nil, "%q: %v", id, err)
	}
}
