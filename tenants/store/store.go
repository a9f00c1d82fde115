package store

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/tenants"
)

// Errors of the store. Others are wrapped ErrUnavailable.
var (
	// ErrNotFound says that there is no such tenant.
	ErrNotFound = errors.New("no such tenant")
	// ErrExists says that there is such a tenant already.
	ErrExists = errors.New("the tenant exists")
	// ErrTooMany says that there are [tenants.MaxTenants].
	ErrTooMany = errors.New("too many tenants")
	// ErrBusy says that others changed the tenant each time first.
	ErrBusy = errors.New("the tenant changes too fast")
	// ErrAnswered says that the request was carried out before.
	ErrAnswered = errors.New("the request was answered before")
	// ErrNewerSchema says that a newer build wrote a document.
	ErrNewerSchema = errors.New("written by a newer build")
	// ErrNotReplicated says that the change stands, here at once and elsewhere
	// within a second, but that a failover may yet undo it.
	ErrNotReplicated = errors.New("not replicated yet")
	// ErrUnavailable says that Redis did not answer, or not as it should.
	ErrUnavailable = errors.New("the store does not answer")
)

var (
	//go:embed change.lua
	changeSource string
	changeScript = redis.NewScript(changeSource)
)

// maxAttempts is how often a change is decided again after losing a race.
const maxAttempts = 16

// Config is what a store needs.
type Config struct {
	Client    redis.UniversalClient // closed by who opened it
	Directory *tenants.Directory    // the replica's copy; nobody else changes it
	Logger    *slog.Logger          // nil: nothing is logged
	Now       func() time.Time      // nil: time.Now
	Replicas  Replicas              // nil: changes wait for none
	// Seeds are the tenants of a bootstrap file, created where they are missing.
	Seeds []tenants.Tenant
}

// Store is where tenants are kept. It may be used concurrently.
type Store struct {
	client   redis.UniversalClient
	replicas Replicas
	dir      *tenants.Directory
	log      *slog.Logger
	now      func() time.Time
	seeds    []tenants.Tenant

	mu     sync.Mutex        // guards the copy and what follows
	seen   string            // version that the copy is of
	tokens map[string]string // of each tenant in the copy
}

// New makes a store; nothing is read yet.
func New(c Config) *Store {
	s := &Store{
		client: c.Client, replicas: c.Replicas, dir: c.Directory, log: c.Logger, now: c.Now, seeds: c.Seeds,
		tokens: make(map[string]string),
	}
	if s.replicas == nil {
		s.replicas = unconfirmed{s.client}
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// Get is a tenant as it is stored.
func (s *Store) Get(ctx context.Context, id string) (tenants.Tenant, error) {
	t, _, err := s.read(ctx, id)
	return t, err
}

// read is a tenant and the token of its newest change.
func (s *Store) read(ctx context.Context, id string) (t tenants.Tenant, token string, err error) {
	fields, err := s.client.HMGet(ctx, tenantKey(id), fieldDoc, fieldToken).Result()
	if err != nil {
		return t, "", outage("read tenant", err)
	}
	return decodeFields(fields)
}

// decodeFields reads the document and the token of a tenant's hash.
func decodeFields(fields []any) (t tenants.Tenant, token string, err error) {
	doc, has := fields[0].(string)
	token, hasToken := fields[1].(string)
	if !has || !hasToken {
		return t, "", ErrNotFound
	}
	t, err = decodeTenant(doc)
	return t, token, err
}

// Record is the stored answer to a request that carried an Idempotency-Key.
type Record struct {
	Tenant string // whose key asked
	Scope  string
	Text   string
	TTL    time.Duration
}

// Answer is the answer stored under a scope of a tenant; false without one. One
// that replicas don't have yet is [ErrNotReplicated].
func (s *Store) Answer(ctx context.Context, tenant, scope string) (string, bool, error) {
	text, err := s.replicas.GetConfirmed(ctx, markKey, recordKey(tenant, scope))
	switch {
	case errors.Is(err, redis.Nil):
		return "", false, nil
	case errors.Is(err, ErrNotReplicated):
		return "", false, fmt.Errorf("read stored answer: %w", err)
	case err != nil:
		return "", false, outage("read stored answer", err)
	}
	return text, true, nil
}

// Create adds a tenant. Of a tenant that exists the error is [ErrExists].
func (s *Store) Create(ctx context.Context, t tenants.Tenant, r *Record) error {
	return s.create(ctx, s.replicas, t, r)
}

func (s *Store) create(ctx context.Context, via Replicas, t tenants.Tenant, r *Record) error {
	err := s.write(ctx, via, write{tenant: t, record: r})
	if errors.Is(err, errConflict) {
		return fmt.Errorf("create tenant %s: %w", t.ID, ErrExists)
	}
	return err
}

// Change changes a tenant as decide says; decide may be called several times,
// and an error of it changes nothing. It answers the tenant as it is then.
func (s *Store) Change(ctx context.Context, id string, decide Decision) (tenants.Tenant, error) {
	return s.change(ctx, s.replicas, id, decide)
}

// Decision makes of a tenant what it is to become, and says what is stored as
// the request's answer.
type Decision func(*tenants.Tenant) (*Record, error)

func (s *Store) change(ctx context.Context, via Replicas, id string, decide Decision) (tenants.Tenant, error) {
	for range maxAttempts {
		t, token, err := s.read(ctx, id)
		if err != nil {
			return t, err
		}
		record, err := decide(&t)
		if err != nil {
			return t, err
		}
		err = s.write(ctx, via, write{tenant: t, decidedOn: token, record: record})
		if !errors.Is(err, errConflict) {
			return t, err
		}
	}
	return tenants.Tenant{}, fmt.Errorf("change tenant %s: %w", id, ErrBusy)
}

// Delete removes a tenant's document. One that is gone already is no error.
func (s *Store) Delete(ctx context.Context, id string) error {
	for range maxAttempts {
		_, token, err := s.read(ctx, id)
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		err = s.write(ctx, s.replicas, write{tenant: tenants.Tenant{ID: id}, decidedOn: token, remove: true})
		if !errors.Is(err, errConflict) {
			return err
		}
	}
	return fmt.Errorf("delete tenant %s: %w", id, ErrBusy)
}

// errConflict says that the tenant was changed in the meantime.
var errConflict = errors.New("the tenant was changed")

// write is one run of change.lua.
type write struct {
	tenant    tenants.Tenant
	decidedOn string // token; "" creates
	remove    bool
	record    *Record
}

// write stores a change and applies it to this replica's copy, also when
// replicas are late: it can't be taken back.
func (s *Store) write(ctx context.Context, via Replicas, w write) error {
	doc := ""
	if !w.remove {
		var err error
		if doc, err = encodeTenant(w.tenant); err != nil {
			return err
		}
	}
	record := Record{}
	if w.record != nil {
		record = *w.record
	}
	token, id := ulid.Make().String(), w.tenant.ID
	verdict, err := via.RunConfirmed(ctx, markKey, changeScript,
		[]string{tenantKey(id), indexKey, versionKey, recordKey(cmp.Or(record.Tenant, id), record.Scope)},
		[]any{id, w.decidedOn, token, doc, tenants.MaxTenants, record.Text, record.TTL.Milliseconds(), channel})
	if err != nil && !errors.Is(err, ErrNotReplicated) {
		return outage("change tenant", err)
	}
	if refused := verdictError(verdict); refused != nil {
		return refused
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apply(change{tenant: w.tenant, token: token, gone: w.remove})
	if err != nil {
		return fmt.Errorf("change tenant: %w", err)
	}
	return nil
}

func verdictError(verdict string) error {
	switch verdict {
	case "OK":
		return nil
	case "CONFLICT":
		return errConflict
	case "FULL":
		return fmt.Errorf("create tenant: %w (%d)", ErrTooMany, tenants.MaxTenants)
	case "ANSWERED":
		return ErrAnswered
	}
	return fmt.Errorf("change tenant: %w: it said %q", ErrUnavailable, verdict)
}

func outage(doing string, err error) error {
	return fmt.Errorf("%s: %w: %w", doing, ErrUnavailable, err)
}
