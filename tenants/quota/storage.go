package quota

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

const (
	// measuredFor is how long a measurement counts at least.
	measuredFor = 30 * time.Second
	// measureShare bounds what measuring costs: a tenant that takes a second is
	// measured again after that many.
	measureShare = 20
	// measureTimeout ends a measurement that Redis doesn't get done; the last
	// one counts on.
	measureTimeout = time.Minute
)

// measured is what a tenant's sessions took, and until when that counts.
type measured struct {
	bytes int64
	until time.Time
}

// storage is what this replica has measured. It grows with the tenants that
// have a limit and are used here, who are known by name.
type storage struct {
	mu     sync.Mutex // guards what follows
	of     map[string]measured
	wanted map[string]bool // to be measured
	kick   chan struct{}   // something is wanted
}

func newStorage() *storage {
	return &storage{of: make(map[string]measured), wanted: make(map[string]bool), kick: make(chan struct{}, 1)}
}

// last is the last measurement; one that is too old is asked for anew.
func (s *storage) last(tenant string, now time.Time) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.of[tenant]
	if now.Before(m.until) {
		return m.bytes
	}
	s.wanted[tenant] = true
	select {
	case s.kick <- struct{}{}:
	default: // it is known already
	}
	return m.bytes
}

// next is a tenant that is wanted, if there is one.
func (s *storage) next() (tenant string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for tenant = range s.wanted {
		delete(s.wanted, tenant)
		return tenant, true
	}
	return "", false
}

func (s *storage) bytes(tenant string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.of[tenant].bytes
}

func (s *storage) put(tenant string, m measured) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.of[tenant] = m
}

// Storage says whether a tenant may store more; nil: it may. It goes by the
// last measurement ([Meter.Measure]) and lets in whoever wasn't measured yet.
func (m *Meter) Storage(c tenants.Caller) *Standing {
	limit := m.limits(c.Tenant, func(l tenants.Limits) int64 { return l.StoredBytes })[0]
	if limit == 0 || m.storage.last(c.Tenant, m.Now()) < limit {
		return nil
	}
	return &Standing{Name: "tenant-stored-bytes", Limit: limit, Refused: true}
}

// Measure measures tenants that are asked for, one after another, until ctx ends.
func (m *Meter) Measure(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-m.storage.kick:
		}
		for tenant, ok := m.storage.next(); ok; tenant, ok = m.storage.next() {
			m.measure(ctx, tenant)
		}
	}
}

func (m *Meter) measure(ctx context.Context, tenant string) {
	ctx, cancel := context.WithTimeout(ctx, measureTimeout)
	defer cancel()
	began := m.Now()
	bytes, err := m.BytesOf(ctx, tenant)
	if err != nil {
		m.Logger.LogAttrs(ctx, slog.LevelWarn, "stored bytes can't be measured, the last measurement counts on",
			slog.String("tenant", tenant), slog.Any("error", err))
		bytes = m.storage.bytes(tenant)
	}
	now := m.Now()
	m.storage.put(tenant, measured{bytes: bytes, until: now.Add(max(measuredFor, measureShare*now.Sub(began)))})
}
