package store

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/tenants"
)

// lateReplicas never have what was written.
type lateReplicas struct{ unconfirmed }

func (l lateReplicas) RunConfirmed(ctx context.Context, mark string, script *redis.Script, keys []string, args []any) (string, error) {
	text, err := l.unconfirmed.RunConfirmed(ctx, mark, script, keys, args)
	if err == nil {
		err = ErrNotReplicated
	}
	return text, err
}

func (l lateReplicas) GetConfirmed(ctx context.Context, mark, key string) (string, error) {
	text, err := l.unconfirmed.GetConfirmed(ctx, mark, key)
	if err == nil {
		err = ErrNotReplicated
	}
	return text, err
}

func TestAChangeThatReplicasLackStandsAndIsNotAcknowledged(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client(t)
	seed, bearer := newTenant()
	r := newReplica(t, client, seed)
	r.replicas = lateReplicas{unconfirmed{client}}

	_, err := r.Change(t.Context(), seed.ID, func(c *tenants.Tenant) (*Record, error) {
		return &Record{Tenant: seed.ID, Scope: "s", Text: "{}", TTL: time.Minute}, c.RevokeKey("ci", r.now())
	})
	require.ErrorIs(t, err, ErrNotReplicated)
	_, err = r.dir.Authenticate(bearer)
	require.ErrorIs(t, err, tenants.ErrUnknownKey, "here it is dead at once")
	_, _, err = r.Answer(t.Context(), seed.ID, "s")
	require.ErrorIs(t, err, ErrNotReplicated, "nobody is told again what may be lost")
	_, stored, err := r.Answer(t.Context(), seed.ID, "another")
	require.NoError(t, err)
	require.False(t, stored)

	another, _ := newTenant()
	require.ErrorIs(t, r.Create(t.Context(), another, nil), ErrNotReplicated)
	require.ErrorIs(t, r.Create(t.Context(), another, nil), ErrExists, "refusals come first")
	require.ErrorIs(t, r.Delete(t.Context(), another.ID), ErrNotReplicated)
	require.NoError(t, r.Delete(t.Context(), another.ID), "it is gone")
	require.NoError(t, r.Load(t.Context()), "a start waits for no replica")
}
