package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/tenants"
)

// seed creates what is missing of the seeds. What is there is left alone: a
// tenant keeps its settings, a key its state, a revoked one above all. No replica
// is waited for: nobody is told, and what a failover loses is seeded again.
func (s *Store) seed(ctx context.Context) error {
	for _, want := range s.seeds {
		if err := s.seedTenant(ctx, want); err != nil {
			return fmt.Errorf("create what is missing of tenant %s: %w", want.ID, err)
		}
	}
	return nil
}

// errNothingMissing ends a change that would change nothing.
var errNothingMissing = errors.New("nothing is missing")

func (s *Store) seedTenant(ctx context.Context, want tenants.Tenant) error {
	fresh := tenants.Tenant{ID: want.ID, Name: want.Name, CreatedAt: s.now()}
	fresh.Seed(want, s.now())
	via := unconfirmed{s.client}
	if err := s.create(ctx, via, fresh, nil); !errors.Is(err, ErrExists) {
		return err
	}
	_, err := s.change(ctx, via, want.ID, func(t *tenants.Tenant) (*Record, error) {
		if t.Erasing() || !t.Seed(want, s.now()) {
			return nil, errNothingMissing
		}
		return nil, nil //nolint:nilnil // no request, so nothing is answered
	})
	if errors.Is(err, errNothingMissing) {
		return nil
	}
	return err
}
