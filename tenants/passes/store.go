package passes

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/tenants"
)

// Errors of the store.
var (
	// ErrUnknownPass says that a pass is nobody's: it never was one, it was used
	// or signed out, it is over, or its key is.
	ErrUnknownPass = errors.New("unknown pass")
	// ErrUnavailable says that Redis did not answer.
	ErrUnavailable = errors.New("the store does not answer")
)

// Directory knows who a caller is by now.
type Directory interface {
	Recall(c tenants.Caller) (tenants.Caller, error)
}

var _ Directory = (*tenants.Directory)(nil)

// Config is what a store needs.
type Config struct {
	Client    redis.UniversalClient // closed by who opened it
	Directory Directory
	Now       func() time.Time // nil: time.Now
}

// Store makes passes and knows them again. It may be used concurrently.
type Store struct {
	client redis.UniversalClient
	dir    Directory
	now    func() time.Time
}

// New makes a store.
func New(c Config) *Store {
	s := &Store{client: c.Client, dir: c.Directory, now: c.Now}
	if s.now == nil {
		s.now = time.Now
	}
	return s
}

// stored is a pass as it is kept.
type stored struct {
	Caller    tenants.StoredCaller `json:"caller"`
	ExpiresAt time.Time            `json:"expires_at"`
	CSRF      string               `json:"csrf,omitempty"` // of a sign-in
}

// expiry is when a pass ends: after its own time, or with the caller.
func (s *Store) expiry(c tenants.Caller, after time.Duration) time.Time {
	at := s.now().Add(after).Truncate(time.Millisecond)
	if !c.Expires.IsZero() && c.Expires.Before(at) {
		return c.Expires
	}
	return at
}

func encode(c tenants.Caller, expires time.Time, csrf string) (string, error) {
	raw, err := json.Marshal(stored{Caller: c.Stored(), ExpiresAt: expires, CSRF: csrf})
	if err != nil {
		return "", fmt.Errorf("encode pass: %w", err)
	}
	return string(raw), nil
}

// recall is who a stored pass speaks for now.
func (s *Store) recall(text, tenant string) (tenants.Caller, stored, error) {
	var p stored
	if err := json.Unmarshal([]byte(text), &p); err != nil {
		return tenants.Caller{}, p, fmt.Errorf("decode pass: %w", err)
	}
	then, err := p.Caller.Caller()
	if err != nil {
		return tenants.Caller{}, p, fmt.Errorf("decode pass: %w", err)
	}
	if then.Tenant != tenant || !s.now().Before(p.ExpiresAt) {
		return tenants.Caller{}, p, ErrUnknownPass
	}
	now, err := s.dir.Recall(then)
	if err != nil {
		return tenants.Caller{}, p, fmt.Errorf("%w: %w", ErrUnknownPass, err)
	}
	return now, p, nil
}

// answered tells a pass that isn't there from a Redis that isn't.
func answered(verb string, err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, redis.Nil):
		return ErrUnknownPass
	case errors.Is(err, context.Canceled):
		return err
	}
	return fmt.Errorf("%s: %w: %w", verb, ErrUnavailable, err)
}
