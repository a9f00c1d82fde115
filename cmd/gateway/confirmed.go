package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/sessions/store"
	tenantstore "github.com/session-gateway/gateway/tenants/store"
)

// confirmed lets changes of tenants wait for replicas as the sessions' commits
// do, and says in the tenants' words when these are late.
type confirmed struct{ store *store.Store }

var _ tenantstore.Replicas = confirmed{}

func (c confirmed) RunConfirmed(ctx context.Context, mark string, script *redis.Script, keys []string, args []any) (string, error) {
	text, err := c.store.RunConfirmed(ctx, mark, script, keys, args)
	return text, late(err)
}

func (c confirmed) GetConfirmed(ctx context.Context, mark, key string) (string, error) {
	text, err := c.store.GetConfirmed(ctx, mark, key)
	return text, late(err)
}

func late(err error) error {
	if errors.Is(err, store.ErrNotReplicated) {
		return fmt.Errorf("%w: %w", tenantstore.ErrNotReplicated, err)
	}
	return err
}
