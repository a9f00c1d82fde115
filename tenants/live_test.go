package tenants_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
)

func key(id, secret string) tenants.Key {
	return tenants.Key{
		ID: id, SHA256: tenants.DigestOf(secret).String(), Subject: id, Roles: []tenants.Role{tenants.RoleViewer},
	}
}

func TestWhoWasAuthenticatedIsAskedAgain(t *testing.T) {
	t.Parallel()
	ago, soon := time.Now().Add(-time.Minute), time.Now().Add(time.Hour)
	for name, c := range map[string]struct {
		change func(*tenants.Tenant)
		valid  bool
	}{
		"nothing changed":     {func(*tenants.Tenant) {}, true},
		"settings changed":    {func(t *tenants.Tenant) { t.Settings = &tenants.Settings{Revision: 2} }, true},
		"the key is gone":     {func(t *tenants.Tenant) { t.Keys = nil }, false},
		"the key was revoked": {func(t *tenants.Tenant) { t.Keys[0].RevokedAt = ago }, false},
		"the key expired":     {func(t *tenants.Tenant) { t.Keys[0].ExpiresAt = ago }, false},
		"the key will expire": {func(t *tenants.Tenant) { t.Keys[0].ExpiresAt = soon }, true},
		"rotated, both good": {func(t *tenants.Tenant) {
			t.Keys[0].Previous = &tenants.Previous{SHA256: t.Keys[0].SHA256, Until: soon}
			t.Keys[0].SHA256 = tenants.DigestOf("new").String()
		}, true},
		"rotated, overlap over": {func(t *tenants.Tenant) {
			t.Keys[0].Previous = &tenants.Previous{SHA256: t.Keys[0].SHA256, Until: ago}
			t.Keys[0].SHA256 = tenants.DigestOf("new").String()
		}, false},
		"the tenant is being erased": {func(t *tenants.Tenant) { t.ErasingAt = ago }, false},
	} {
		d, err := tenants.NewDirectory(tenants.Tenant{ID: "acme", Keys: []tenants.Key{key("ci", "old")}})
		require.NoError(t, err)
		caller, err := d.Authenticate("old")
		require.NoError(t, err)
		changed := tenants.Tenant{ID: "acme", Keys: []tenants.Key{key("ci", "old")}}
		c.change(&changed)
		d.Put(changed)
		require.Equal(t, c.valid, d.StillValid(caller), name)
		_, err = d.Authenticate("old")
		require.Equal(t, c.valid, err == nil, name)
	}
}

func TestACallerOfAnotherOriginIsValidUntilItExpiresOrItsTenantIsGone(t *testing.T) {
	t.Parallel()
	d, err := tenants.NewDirectory(tenants.Tenant{ID: "acme"})
	require.NoError(t, err)
	require.True(t, d.StillValid(tenants.Caller{Tenant: "acme", Expires: time.Now().Add(time.Hour)}))
	require.False(t, d.StillValid(tenants.Caller{Tenant: "acme", Expires: time.Now().Add(-time.Second)}))
	d.Remove("acme")
	require.False(t, d.StillValid(tenants.Caller{Tenant: "acme"}))
}

func TestAKeyThatTwoCallersHaveIsNobodys(t *testing.T) {
	t.Parallel()
	d, err := tenants.NewDirectory(tenants.Tenant{ID: "acme", Keys: []tenants.Key{key("ci", "same")}})
	require.NoError(t, err)
	d.Put(tenants.Tenant{ID: "other", Keys: []tenants.Key{key("ci", "same")}})
	_, err = d.Authenticate("same")
	require.ErrorIs(t, err, tenants.ErrUnknownKey)
	d.Remove("other")
	c, err := d.Authenticate("same")
	require.NoError(t, err)
	require.Equal(t, "acme", c.Tenant)
}

func TestAPinnedKeyOutlivesWhatIsStored(t *testing.T) {
	t.Parallel()
	d, err := tenants.NewDirectory()
	require.NoError(t, err)
	d.Pin("dev", key("dev", "mine"))
	d.Put(tenants.Tenant{ID: "dev", Settings: &tenants.Settings{Revision: 3}})
	require.EqualValues(t, 3, d.Settings("dev").Revision)
	d.Remove("dev")
	c, err := d.Authenticate("mine")
	require.NoError(t, err)
	require.True(t, d.StillValid(c))
	require.Zero(t, d.Settings("dev").Revision)
}
