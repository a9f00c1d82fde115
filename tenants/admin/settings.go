package admin

import (
	"context"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/store"
)

// Settings are what a tenant has set, without the secrets of its hooks.
func (s *Service) Settings(ctx context.Context, c tenants.Caller, tenant string) (tenants.Settings, error) {
	t, err := s.get(ctx, c, tenant)
	if err != nil {
		return tenants.Settings{}, err
	}
	return settingsView(t), nil
}

func settingsView(t tenants.Tenant) tenants.Settings {
	if t.Settings == nil {
		return tenants.Settings{}
	}
	return t.Settings.WithoutSecrets()
}

// PutSettings replaces what a tenant has set; what is not given is unset. With
// a revision only if that is the one that is replaced.
func (s *Service) PutSettings(ctx context.Context, c tenants.Caller, tenant string, next tenants.Settings, ifMatch *int64) (tenants.Settings, error) {
	t, err := s.change(ctx, c, tenant, func(t *tenants.Tenant) (*store.Record, error) {
		if ifMatch != nil && *ifMatch != revisionOf(t) {
			return nil, refuse(sessions.CodePreconditionFailed, "the settings have revision %d", revisionOf(t))
		}
		t.SetSettings(next)
		wrong := append(fieldsOf(t.Settings.Check()), sessions.CheckTenantRules(t.Settings)...)
		return nil, invalid(wrong)
	})
	if err != nil {
		return tenants.Settings{}, err
	}
	return settingsView(t), nil
}

func revisionOf(t *tenants.Tenant) int64 {
	if t.Settings == nil {
		return 0
	}
	return int64(t.Settings.Revision)
}
