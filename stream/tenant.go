package stream

import (
	"context"
)

// TenantRequest is what a reader of all of a tenant's sessions asked for.
type TenantRequest struct {
	Tenant  string
	Buckets [TenantLogs]uint16 // of the tenant; their order is part of the cursor
	Cursor  TenantCursor
	Filter  Filter
	Rights  Rights
}

// OpenTenant opens a tenant's stream, as [Hub.Open] does a session's, with the
// same errors.
func (h *Hub) OpenTenant(ctx context.Context, r TenantRequest) (Stream, error) {
	if h.cfg.Tenants == nil {
		return nil, errNoTenants
	}
	return h.openAt(ctx, reading{keys: r.keys(), filter: r.Filter, rights: r.Rights}, func(ts []*topic) place {
		return h.tenantPlace(ts, r)
	})
}

// keys are the tenant's logs, in the order of a vector.
func (r *TenantRequest) keys() []Topic {
	keys := make([]Topic, TenantLogs)
	for i, bucket := range r.Buckets {
		keys[i] = TenantTopic(bucket, r.Tenant)
	}
	return keys
}

// tenantState is a snapshot of a tenant.
type tenantState struct {
	data     []byte
	includes Vector
}

// tenantState makes the snapshot, once for all readers that ask meanwhile. A
// reader with a state of its own is alone with it.
func (h *Hub) tenantState(ctx context.Context, tenant string, r Rights) (tenantState, error) {
	if r.Snapshot != nil {
		data, includes, err := r.Snapshot(ctx)
		return tenantState{data: data, includes: includes}, err
	}
	return shared(ctx, h, tenant, func(ctx context.Context) (tenantState, error) {
		data, includes, err := h.cfg.Tenants.TenantSnapshot(ctx, tenant)
		return tenantState{data: data, includes: includes}, err
	})
}

// learnHeads lets rings begin where their logs end.
func (h *Hub) learnHeads(ctx context.Context, ts []*topic) error {
	keys := make([]Topic, len(ts))
	for i, t := range ts {
		keys[i] = t.key
	}
	heads, err := h.heads(ctx, keys)
	if err != nil {
		return err
	}
	for i, t := range ts {
		t.learn(Bounds{Head: heads[i]})
		h.catchUp(t)
	}
	return nil
}
