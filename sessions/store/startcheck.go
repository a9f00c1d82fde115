package store

import (
	"context"
	"fmt"
)

// noEviction is the only policy that keeps what was acknowledged.
const noEviction = "noeviction"

// startCheck refuses a server that throws data away when it is full or that
// commits would break off at, and says when one forgets everything at a restart
// or can't keep the promise of replicas.
func (s *Store) startCheck(ctx context.Context, replicas int) error {
	if err := s.refuseEviction(ctx); err != nil {
		return err
	}
	if err := s.refuseForbidden(ctx); err != nil {
		return err
	}
	if err := s.warnVolatile(ctx); err != nil {
		return err
	}
	return s.warnReplicas(ctx, replicas)
}

func (s *Store) refuseEviction(ctx context.Context) error {
	policies := map[string]bool{}
	err := s.eachMaster(ctx, "memory", func(i info) { policies[i["maxmemory_policy"]] = true })
	if err != nil {
		return err
	}
	for policy := range policies {
		if policy == "" {
			s.log.Warn("redis does not tell its maxmemory-policy; it must be noeviction")
		} else if policy != noEviction {
			return fmt.Errorf("check Redis: %w: maxmemory-policy is %s, must be %s", ErrInvalid, policy, noEviction)
		}
	}
	return nil
}

func (s *Store) warnVolatile(ctx context.Context) error {
	volatile := false
	err := s.eachMaster(ctx, "persistence", func(i info) {
		volatile = volatile || i["aof_enabled"] != "1"
	})
	if err != nil || !volatile {
		return err
	}
	// Managed servers often forbid CONFIG; the warning then stands as it is.
	save, err := s.client.ConfigGet(ctx, "save").Result()
	if err == nil && save["save"] != "" {
		s.log.Warn("redis has snapshots only; a crash loses what came after the last one")
		return nil
	}
	s.log.Warn("redis has no append-only file; a restart may lose every session")
	return nil
}
