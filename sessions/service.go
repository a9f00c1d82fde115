package sessions

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/oklog/ulid/v2"
	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// DefaultRetention is how long a closed session can still be read.
const DefaultRetention = 24 * time.Hour

// The sizes of what a replica keeps to save work. None of it is state: a copy
// that is out of date is refused by the commit.
const (
	maxCachedDocuments   = 512
	maxCachedBytes       = 512 << 10 // larger documents are read anew each time
	maxCachedRegistries  = 512
	maxCachedPolicies    = 512
	maxCachedTenants     = 512
	maxAttempts          = 16 // how often a command is decided again after losing a race
	idempotencyRetention = 24 * time.Hour
)

// Config is what a service needs.
type Config struct {
	Store     *store.Store
	Feed      stream.Feed // tells of commits in the buckets where a long-poll waits
	Logger    *slog.Logger
	Retention time.Duration // how long a closed session can be read; 0: DefaultRetention
	// EventRetention is how long an open session keeps its events, whatever their
	// number; 0: by number only.
	EventRetention time.Duration
	NewID          func() ulid.ULID
	// Settings are a tenant's, from memory and never changed: other settings are
	// another value. nil: nobody has set anything.
	Settings func(tenant string) *tenants.Settings
	Observer Observer // is told what happened; nil: nobody is
	// Hooks sends webhooks; nil: this replica sends none, others do.
	Hooks HookSender
	// Traceparent is the trace that a request is in, kept with what it submits;
	// nil: none is.
	Traceparent func(context.Context) string
	// AuditKey signs the seals of audit logs; the zero value signs nothing.
	AuditKey       audit.Key
	AuditRetention time.Duration // of audit logs; 0: DefaultAuditRetention
}

// Service is the use cases of sessions. It may be used concurrently.
type Service struct {
	store     *store.Store
	log       *slog.Logger
	retention time.Duration
	newID     func() ulid.ULID
	settings  func(tenant string) *tenants.Settings
	waiters   *waiters
	draining  chan struct{} // closed by Drain

	eventRetention time.Duration // 0: by number only
	auditKey       audit.Key
	auditRetention time.Duration

	gatherings *gatherings
	hearings   *hearings
	hooks      HookSender     // may be nil
	kicked     chan store.Due // sessions whose commits have left webhooks
	observer   Observer       // may be nil

	traceparent func(context.Context) string

	documents  *lru.Cache[stream.Topic, *document]
	registries *lru.Cache[string, *scheduler.Registry]
	policies   *lru.Cache[string, *permissions.Policy]
	tenants    *lru.Cache[string, *tenantRules]
}

// New makes a service. Run has to run beside it.
func New(c Config) (*Service, error) {
	documents, err := lru.New[stream.Topic, *document](maxCachedDocuments)
	if err != nil {
		return nil, fmt.Errorf("make document cache: %w", err)
	}
	registries, err := lru.New[string, *scheduler.Registry](maxCachedRegistries)
	if err != nil {
		return nil, fmt.Errorf("make registry cache: %w", err)
	}
	policies, err := lru.New[string, *permissions.Policy](maxCachedPolicies)
	if err != nil {
		return nil, fmt.Errorf("make policy cache: %w", err)
	}
	tenantCache, err := lru.New[string, *tenantRules](maxCachedTenants)
	if err != nil {
		return nil, fmt.Errorf("make tenant cache: %w", err)
	}
	s := &Service{
		store: c.Store, log: c.Logger, retention: c.Retention, newID: c.NewID, waiters: newWaiters(c.Feed),
		documents: documents, registries: registries, policies: policies, draining: make(chan struct{}),
		hearings: newHearings(), hooks: c.Hooks, kicked: make(chan store.Due, maxKicked),
		gatherings: newGatherings(), eventRetention: c.EventRetention, settings: c.Settings, tenants: tenantCache,
		observer: c.Observer, traceparent: c.Traceparent, auditKey: c.AuditKey, auditRetention: c.AuditRetention,
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.auditRetention <= 0 {
		s.auditRetention = DefaultAuditRetention
	}
	if s.retention <= 0 {
		s.retention = DefaultRetention
	}
	if s.newID == nil {
		s.newID = ulid.Make
	}
	if s.traceparent == nil {
		s.traceparent = func(context.Context) string { return "" }
	}
	if s.settings == nil {
		unset := &tenants.Settings{}
		s.settings = func(string) *tenants.Settings { return unset }
	}
	return s, nil
}

// Run sweeps deadlines and hands webhooks to their sender until ctx ends.
func (s *Service) Run(ctx context.Context) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return s.sweep(ctx) })
	for range kickWorkers {
		g.Go(func() error { return s.sendKicked(ctx) })
	}
	if err := g.Wait(); !errors.Is(err, context.Canceled) {
		return err
	}
	return nil
}

// Drain answers every long-poll with what there is by now, those that come
// later too. It is called once.
func (s *Service) Drain() { close(s.draining) }

// Notify wakes the long-polls of a session. The service is a stream.Sink
// beside the hub.
func (s *Service) Notify(n stream.Notice) { s.waiters.wake(n.Topic) }

// Resync wakes every long-poll of these buckets: it may have missed something.
func (s *Service) Resync(buckets []uint16) { s.waiters.wakeBuckets(buckets) }

// Forget drops what this replica keeps of a session: its history was found to
// have diverged.
func (s *Service) Forget(t stream.Topic) { s.documents.Remove(t) }

var _ stream.Sink = (*Service)(nil)

// now is the store's time, in the milliseconds that are stored.
func (s *Service) now() time.Time { return s.store.Now().UTC().Truncate(time.Millisecond) }
