package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
	tenantstore "github.com/session-gateway/gateway/tenants/store"
)

// errNotFirst says that a Redis has keys: then a gateway is asked for more.
var errNotFirst = errors.New("--redis: there are keys already; ask the gateway, with --url and --key")

// errRedisOnly says that there is no Redis that a key could outlive this
// process in.
var errRedisOnly = errors.New("--redis: want redis://host… or rediss://host…")

// first makes the first key of a deployment, with its tenant.
func (k *createKeyCommand) first(ctx context.Context) (err error) {
	if k.Redis.Embedded() {
		return errRedisOnly
	}
	secret := tenants.NewKey()
	tenant, err := k.firstTenant(secret)
	if err != nil {
		return err
	}
	kept, err := store.Open(ctx, store.Config{URL: string(k.Redis)})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, kept.Close()) }()
	if err := makeFirst(ctx, kept, tenant); err != nil {
		return err
	}
	return say(os.Stdout, secret)
}

// firstTenant is the tenant of the first key.
func (k *createKeyCommand) firstTenant(secret string) (tenants.Tenant, error) {
	key := tenants.Key{ID: k.ID, SHA256: tenants.DigestOf(secret).String(), Subject: k.Subject, CreatedBy: "command line"}
	if key.ID == "" {
		key.ID = "first"
	}
	for _, r := range k.Roles {
		key.Roles = append(key.Roles, tenants.Role(r))
	}
	if k.ExpiresIn > 0 {
		key.ExpiresAt = time.Now().Add(k.ExpiresIn).UTC()
	}
	t := tenants.Tenant{ID: k.Tenant, Keys: []tenants.Key{key}}
	_, err := tenants.NewDirectory(t) // checks it
	return t, err
}

func makeFirst(ctx context.Context, kept *store.Store, t tenants.Tenant) error {
	directory, err := tenants.NewDirectory()
	if err != nil {
		return err
	}
	known := tenantstore.New(tenantstore.Config{Client: kept.Client(), Directory: directory, Now: kept.Now})
	if err := known.Load(ctx); err != nil {
		return err
	}
	if directory.Len() > 0 {
		return errNotFirst
	}
	known = tenantstore.New(tenantstore.Config{
		Client: kept.Client(), Directory: directory, Now: kept.Now, Seeds: []tenants.Tenant{t},
	})
	if err := known.Load(ctx); err != nil {
		return fmt.Errorf("make the first key: %w", err)
	}
	return nil
}
