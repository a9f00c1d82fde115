package store

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
)

// admissionLimit is the share of memory from which new sessions and batches
// are refused; what is left is for ending those that are there (design §10).
const admissionLimit = 0.85

// Admit answers ErrFull when memory is over the limit by the last sample, which
// is at most sampleEvery old. Only what starts something new asks it.
func (s *Store) Admit(context.Context) error {
	if fill := s.fill.load(); fill >= admissionLimit {
		return fmt.Errorf("admit: %w: %.0f %% of memory used", ErrFull, 100*fill)
	}
	return nil
}

// gauge is a share that one goroutine writes and many read.
type gauge struct{ bits atomic.Uint64 }

func (g *gauge) load() float64 { return math.Float64frombits(g.bits.Load()) }

func (g *gauge) store(v float64) { g.bits.Store(math.Float64bits(v)) }

// sampleMemory notes how full the fullest node is.
func (s *Store) sampleMemory(ctx context.Context) error {
	if s.embedded != nil {
		s.fill.store(s.embedded.fill())
		return nil
	}
	fullest := 0.0
	err := s.eachMaster(ctx, "memory", func(i info) {
		if limit := i.number("maxmemory"); limit > 0 {
			fullest = max(fullest, i.number("used_memory")/limit)
		}
	})
	if err != nil {
		return err
	}
	s.fill.store(fullest)
	return s.sampleEvictions(ctx)
}

// sampleEvictions notes how many keys were thrown away, which the check at the
// start rules out until somebody changes Redis's settings.
func (s *Store) sampleEvictions(ctx context.Context) error {
	evicted := 0.0
	if err := s.eachMaster(ctx, "stats", func(i info) { evicted += i.number("evicted_keys") }); err != nil {
		return err
	}
	s.evicted.store(evicted)
	return nil
}
