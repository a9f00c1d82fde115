package store

import (
	"testing"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/tenants"
)

func TestABootstrapCreatesWhatIsMissingAndNothingElse(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() redis.UniversalClient) {
		seed, bearer := newTenant()
		seed.Settings = &tenants.Settings{PlanShell: tenants.PlanShellReadOnly}
		first := newReplica(t, open(), seed)
		require.EqualValues(t, 1, first.dir.Settings(seed.ID).Revision)
		_, err := first.dir.Authenticate(bearer)
		require.NoError(t, err)

		revoke(t, first.Store, seed.ID)
		_, err = first.Change(t.Context(), seed.ID, func(c *tenants.Tenant) (*Record, error) {
			c.Settings = &tenants.Settings{Revision: 2}
			return nil, nil
		})
		require.NoError(t, err)

		another, fresh := newTenant()
		seed.Keys = append(seed.Keys, another.Keys...)
		seed.Keys[1].ID = "new"
		renamed := seed.Keys[0]
		renamed.ID = "renamed"
		seed.Keys = append(seed.Keys, renamed)
		again := newReplica(t, open(), seed)
		_, err = again.dir.Authenticate(bearer)
		require.ErrorIs(t, err, tenants.ErrUnknownKey, "revoked, also under another id")
		_, err = again.dir.Authenticate(fresh)
		require.NoError(t, err)
		require.EqualValues(t, 2, again.dir.Settings(seed.ID).Revision)
	})
}

func TestARedisThatLostEverythingIsGivenTheBootstrapAgain(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	seed, bearer := newTenant()
	r := newReplica(t, server.Client(t), seed)
	require.NoError(t, server.Client(t).FlushAll(t.Context()).Err())
	require.NoError(t, r.keep(t.Context()))
	_, err := r.dir.Authenticate(bearer)
	require.NoError(t, err)
}
