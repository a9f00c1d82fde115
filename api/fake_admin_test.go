package api_test

import (
	"context"
	"time"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/admin"
)

// fakeAdmin administers one tenant with one key; its writes are the service's.
type fakeAdmin struct {
	service *fake
	put     tenants.Settings
	ifMatch *int64
	made    admin.NewKey
	overlap time.Duration
}

const keyID = "ci"

func tenantDocument() admin.Tenant { return admin.Tenant{ID: "dev", Status: "active", CreatedAt: at} }

func keyDocument() admin.Key {
	return admin.Key{
		ID: keyID, Tenant: "dev", Subject: "ci", Roles: []tenants.Role{tenants.RoleHost}, Status: "active", CreatedAt: at,
		CreatedBy: "somebody",
	}
}

// known refuses every tenant but the one.
func known(tenant string, key ...string) error {
	if tenant != "dev" || len(key) > 0 && key[0] != keyID {
		return &sessions.Problem{Code: sessions.CodeNotFound, Detail: "no such tenant"}
	}
	return nil
}

func (f *fakeAdmin) Tenants(context.Context, tenants.Caller, int, string) (sessions.Page[admin.Tenant], error) {
	return sessions.Page[admin.Tenant]{Data: []admin.Tenant{tenantDocument()}}, nil
}

func (f *fakeAdmin) Tenant(_ context.Context, _ tenants.Caller, id string) (admin.Tenant, error) {
	return tenantDocument(), known(id)
}

func (f *fakeAdmin) CreateTenant(
	context.Context, tenants.Caller, sessions.Idempotency, admin.NewTenant,
) (sessions.Reply[admin.Tenant], error) {
	return sessions.Reply[admin.Tenant]{Value: tenantDocument()}, f.service.wrote(func() {})
}

func (f *fakeAdmin) DeleteTenant(_ context.Context, _ tenants.Caller, id string) (admin.Tenant, error) {
	if err := known(id); err != nil {
		return admin.Tenant{}, err
	}
	return tenantDocument(), f.service.wrote(func() {})
}

func (f *fakeAdmin) Export(_ context.Context, _ tenants.Caller, tenant string, yield func(admin.ExportLine) error) error {
	if err := known(tenant); err != nil {
		return err
	}
	return yield(admin.ExportLine{Type: "tenant", Data: tenantDocument()})
}

func (f *fakeAdmin) Settings(_ context.Context, _ tenants.Caller, tenant string) (tenants.Settings, error) {
	return tenants.Settings{Revision: 3}, known(tenant)
}

func (f *fakeAdmin) PutSettings(
	_ context.Context, _ tenants.Caller, tenant string, next tenants.Settings, ifMatch *int64,
) (tenants.Settings, error) {
	if err := known(tenant); err != nil {
		return next, err
	}
	err := f.service.wrote(func() { f.put, f.ifMatch = next, ifMatch })
	next.Revision = 4
	return next, err
}

func (f *fakeAdmin) Keys(_ context.Context, _ tenants.Caller, tenant string) ([]admin.Key, error) {
	return []admin.Key{keyDocument()}, known(tenant)
}

func (f *fakeAdmin) CreateKey(
	_ context.Context, _ tenants.Caller, _ sessions.Idempotency, tenant string, in admin.NewKey,
) (sessions.Reply[admin.MadeKey], error) {
	if err := known(tenant); err != nil {
		return sessions.Reply[admin.MadeKey]{}, err
	}
	return f.making(func() { f.made = in })
}

func (f *fakeAdmin) RotateKey(
	_ context.Context, _ tenants.Caller, _ sessions.Idempotency, tenant, id string, overlap time.Duration,
) (sessions.Reply[admin.MadeKey], error) {
	if err := known(tenant, id); err != nil {
		return sessions.Reply[admin.MadeKey]{}, err
	}
	return f.making(func() { f.overlap = overlap })
}

func (f *fakeAdmin) making(note func()) (sessions.Reply[admin.MadeKey], error) {
	secret := tenants.NewKey()
	return sessions.Reply[admin.MadeKey]{Value: admin.MadeKey{Key: keyDocument(), Secret: &secret}}, f.service.wrote(note)
}

func (f *fakeAdmin) RevokeKey(_ context.Context, _ tenants.Caller, tenant, id string) error {
	if err := known(tenant, id); err != nil {
		return err
	}
	return f.service.wrote(func() {})
}
