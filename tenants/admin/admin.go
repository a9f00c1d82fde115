package admin

import (
	"context"
	"iter"
	"log/slog"
	"time"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/store"
)

// Sessions are what an export reads of a tenant's sessions.
type Sessions interface {
	List(ctx context.Context, c tenants.Caller, f sessions.SessionFilter) (sessions.Page[sessions.Session], error)
	Transcript(ctx context.Context, c tenants.Caller, sid string, yield func(sessions.TranscriptLine) error) error
	Turns(ctx context.Context, c tenants.Caller, sid string, limit int, cursor string) (sessions.Page[sessions.Turn], error)
	Outputs(ctx context.Context, c tenants.Caller, sid string, yield func(sessions.StoredOutput) error) error
	Events(ctx context.Context, c tenants.Caller, sid string, yield func(stream.Event) error) error
	Audit(ctx context.Context, c tenants.Caller, since time.Time) iter.Seq2[audit.Line, error]
}

var _ Sessions = (*sessions.Service)(nil)

// Config is what a service needs.
type Config struct {
	Store     *store.Store
	Directory *tenants.Directory
	Sessions  Sessions
	// SharedKeys are the sorted sets in Redis that a tenant shares with others.
	SharedKeys func(tenant string) []string
	Logger     *slog.Logger     // nil: nothing is logged
	Now        func() time.Time // nil: time.Now
	// Quiet is how long an erasure waits for what was under way when it began;
	// 0: [DefaultQuiet].
	Quiet time.Duration
}

// Service is the use cases. It may be used concurrently.
type Service struct {
	store    *store.Store
	dir      *tenants.Directory
	sessions Sessions
	shared   func(tenant string) []string
	log      *slog.Logger
	clock    func() time.Time
	quiet    time.Duration
}

// New makes a service.
func New(c Config) *Service {
	s := &Service{
		store: c.Store, dir: c.Directory, sessions: c.Sessions, shared: c.SharedKeys, log: c.Logger, clock: c.Now, quiet: c.Quiet,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.quiet <= 0 {
		s.quiet = DefaultQuiet
	}
	return s
}

func (s *Service) now() time.Time { return s.clock().UTC().Truncate(time.Millisecond) }

// reach refuses tenants that the caller does not administer, as if they were
// not there.
func reach(c tenants.Caller, tenant string) error {
	own := c.Tenant == tenant && c.Is(tenants.RoleAdmin)
	if c.Narrow != nil || !own && !c.Is(tenants.RoleOperator) || !tenants.CheckID(tenant) {
		return errNoTenant()
	}
	return nil
}

// get is a tenant that the caller administers.
func (s *Service) get(ctx context.Context, c tenants.Caller, tenant string) (tenants.Tenant, error) {
	if err := reach(c, tenant); err != nil {
		return tenants.Tenant{}, err
	}
	t, err := s.store.Get(ctx, tenant)
	return t, problemOf(err)
}

// change changes a tenant that the caller administers, unless it is being
// erased.
func (s *Service) change(ctx context.Context, c tenants.Caller, tenant string, decide func(*tenants.Tenant) (*store.Record, error)) (tenants.Tenant, error) {
	if err := reach(c, tenant); err != nil {
		return tenants.Tenant{}, err
	}
	t, err := s.store.Change(ctx, tenant, func(t *tenants.Tenant) (*store.Record, error) {
		if t.Erasing() {
			return nil, refuse(CodeTenantErasing, "the tenant is being erased")
		}
		return decide(t)
	})
	return t, problemOf(err)
}
