package admin

import (
	"context"
	"log/slog"
	"time"

	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/store"
)

const (
	// DefaultQuiet is how long after its mark a tenant may still be written to:
	// replicas know of the mark within a second, and what they had let in before
	// is decided and committed within a few.
	DefaultQuiet = 10 * time.Second
	// eraseEvery is the pause between two passes of an erasure.
	eraseEvery = time.Second
)

// erase marks a tenant.
func erase(now time.Time) func(*tenants.Tenant) (*store.Record, error) {
	return func(t *tenants.Tenant) (*store.Record, error) {
		t.Erase(now)
		return nil, nil //nolint:nilnil // a DELETE is repeated as it is
	}
}

// Run carries erasures on until ctx ends, those that another replica began
// too.
func (s *Service) Run(ctx context.Context) error {
	tick := time.NewTicker(eraseEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		for _, id := range s.dir.Erasing() {
			if err := s.eraseOn(ctx, id); err != nil && ctx.Err() == nil {
				s.log.Warn("erasure goes on later", slog.String("tenant", id), slog.Any("error", err))
			}
		}
	}
}

// eraseOn is one pass. The tenant is gone when a pass finds nothing that began
// after all that was under way had ended.
func (s *Service) eraseOn(ctx context.Context, id string) error {
	began := s.now()
	found, mine, err := s.store.Erase(ctx, id, s.shared(id))
	if err != nil || !mine || found > 0 {
		return err
	}
	t, err := s.store.Get(ctx, id)
	if err != nil || !t.Erasing() || began.Sub(t.ErasingAt) < s.quiet {
		return err
	}
	if err := s.store.Delete(ctx, id); err != nil {
		return err
	}
	s.log.Info("tenant erased", slog.String("tenant", id))
	return nil
}
