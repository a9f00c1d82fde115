package admin

import (
	"context"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// The values of a tenant's status.
const (
	statusActive  = "active"
	statusErasing = "erasing"
)

// Tenant is a tenant as it is told.
type Tenant struct {
	ID               string               `json:"id"`
	Name             string               `json:"name"`
	Status           string               `json:"status"` // active, erasing
	CreatedAt        scheduler.Timestamp  `json:"created_at"`
	ErasingAt        *scheduler.Timestamp `json:"erasing_at"`
	Keys             int                  `json:"keys"` // in use
	SettingsRevision uint64               `json:"settings_revision"`
}

// NewTenant is what a tenant is made of.
type NewTenant struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

func (s *Service) tenantView(t tenants.Tenant) Tenant {
	v := Tenant{
		ID: t.ID, Name: t.Name, Status: statusActive, CreatedAt: scheduler.Timestamp{Time: t.CreatedAt}, ErasingAt: stamp(t.ErasingAt),
	}
	if t.Erasing() {
		v.Status = statusErasing
	}
	now := s.now()
	for _, k := range t.Keys {
		if k.Live(now) {
			v.Keys++
		}
	}
	if t.Settings != nil {
		v.SettingsRevision = t.Settings.Revision
	}
	return v
}

// listOfTenants names the list in its cursors.
const listOfTenants = "tenants"

// Tenants is a page of those that the caller administers, by id.
func (s *Service) Tenants(ctx context.Context, c tenants.Caller, limit int, cursor string) (sessions.Page[Tenant], error) {
	page := sessions.Page[Tenant]{Data: []Tenant{}}
	if !c.Is(tenants.RoleOperator) {
		own, err := s.Tenant(ctx, c, c.Tenant)
		page.Data = append(page.Data, own)
		return page, err
	}
	after, err := sessions.PositionOf(listOfTenants, cursor)
	if err != nil {
		return page, err
	}
	found, more, err := s.store.List(ctx, after, limit)
	if err != nil {
		return page, problemOf(err)
	}
	for _, t := range found {
		page.Data = append(page.Data, s.tenantView(t))
	}
	if more && len(found) > 0 {
		page.NextCursor = sessions.CursorOf(listOfTenants, found[len(found)-1].ID)
	}
	return page, nil
}

// Tenant is one tenant.
func (s *Service) Tenant(ctx context.Context, c tenants.Caller, id string) (Tenant, error) {
	t, err := s.get(ctx, c, id)
	if err != nil {
		return Tenant{}, err
	}
	return s.tenantView(t), nil
}

// CreateTenant makes a tenant without keys.
func (s *Service) CreateTenant(ctx context.Context, c tenants.Caller, idem sessions.Idempotency, in NewTenant) (sessions.Reply[Tenant], error) {
	if !c.Is(tenants.RoleOperator) {
		return sessions.Reply[Tenant]{}, refuse(sessions.CodeForbidden, "only an operator makes tenants")
	}
	if !tenants.CheckID(in.ID) {
		return sessions.Reply[Tenant]{}, invalid([]sessions.Field{{Path: "/id", Detail: "is not the id of a tenant"}})
	}
	r := request{c, idem}
	return once(ctx, s, r, func() (Tenant, error) {
		t := tenants.Tenant{ID: in.ID, Name: in.Name, CreatedAt: s.now()}
		view := s.tenantView(t)
		record, err := r.record(view)
		if err != nil {
			return view, err
		}
		return view, s.store.Create(ctx, t, record)
	})
}

// DeleteTenant begins the erasure of a tenant. From now on nobody speaks for
// it; [Service.Run] does the rest.
func (s *Service) DeleteTenant(ctx context.Context, c tenants.Caller, id string) (Tenant, error) {
	if !c.Is(tenants.RoleOperator) {
		return Tenant{}, refuse(sessions.CodeForbidden, "only an operator removes tenants")
	}
	if err := reach(c, id); err != nil {
		return Tenant{}, err
	}
	t, err := s.store.Change(ctx, id, erase(s.now()))
	if err != nil {
		return Tenant{}, problemOf(err)
	}
	return s.tenantView(t), nil
}
