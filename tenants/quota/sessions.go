package quota

import (
	"context"
	"fmt"

	"github.com/session-gateway/gateway/tenants"
)

// NewSession says whether a tenant may have one session more; nil: it may. Two
// that are made at once may both be let in.
func (m *Meter) NewSession(ctx context.Context, c tenants.Caller) (*Standing, error) {
	limit := m.limits(c.Tenant, func(l tenants.Limits) int64 { return int64(l.Sessions) })[0]
	if limit == 0 {
		return nil, nil //nolint:nilnil // nothing stands in the way
	}
	have, err := m.SessionsOf(ctx, c.Tenant)
	if err != nil {
		return nil, fmt.Errorf("count sessions: %w", err)
	}
	if int64(have) < limit {
		return nil, nil //nolint:nilnil // nothing stands in the way
	}
	return &Standing{Name: "tenant-sessions", Limit: limit, Refused: true}, nil
}
