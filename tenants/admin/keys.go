package admin

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/store"
)

// MaxOverlapS is how long a rotated key may be good beside its successor.
const MaxOverlapS = 7 * 24 * 60 * 60

// The values of a key's status.
const (
	keyActive  = "active"
	keyExpired = "expired"
	keyRevoked = "revoked"
)

// Key is a key as it is told.
type Key struct {
	ID           string               `json:"id"`
	Tenant       string               `json:"tenant"`
	Subject      string               `json:"subject"`
	Roles        []tenants.Role       `json:"roles"`
	Narrow       *tenants.Narrow      `json:"narrow"`
	Status       string               `json:"status"` // active, expired, revoked
	CreatedAt    scheduler.Timestamp  `json:"created_at"`
	CreatedBy    string               `json:"created_by"`
	ExpiresAt    *scheduler.Timestamp `json:"expires_at"`
	RotatedAt    *scheduler.Timestamp `json:"rotated_at"`
	OverlapUntil *scheduler.Timestamp `json:"overlap_until"` // the secret before the last rotation is good till then
	RevokedAt    *scheduler.Timestamp `json:"revoked_at"`
}

// MadeKey is a key with its secret, which is told this once.
type MadeKey struct {
	Key
	Secret *string `json:"key"` // nil in an answer that is repeated
}

// NewKey is what a key is made of.
type NewKey struct {
	ID        string          `json:"id"` // empty: made up
	Subject   string          `json:"subject"`
	Roles     []tenants.Role  `json:"roles"`
	Narrow    *tenants.Narrow `json:"narrow"`
	ExpiresAt *time.Time      `json:"expires_at"`
}

func stamp(at time.Time) *scheduler.Timestamp {
	if at.IsZero() {
		return nil
	}
	return &scheduler.Timestamp{Time: at}
}

func (s *Service) keyView(tenant string, k tenants.Key) Key {
	now := s.now()
	v := Key{
		ID: k.ID, Tenant: tenant, Subject: k.Subject, Roles: k.Roles, Narrow: k.Narrow, Status: keyActive,
		CreatedAt: scheduler.Timestamp{Time: k.CreatedAt}, CreatedBy: k.CreatedBy, ExpiresAt: stamp(k.ExpiresAt),
		RotatedAt: stamp(k.RotatedAt), RevokedAt: stamp(k.RevokedAt),
	}
	switch {
	case k.Revoked():
		v.Status = keyRevoked
	case !k.Live(now):
		v.Status = keyExpired
	case k.Previous != nil && now.Before(k.Previous.Until):
		v.OverlapUntil = stamp(k.Previous.Until)
	}
	return v
}

// Keys are all keys of a tenant, revoked ones that are remembered too.
func (s *Service) Keys(ctx context.Context, c tenants.Caller, tenant string) ([]Key, error) {
	t, err := s.get(ctx, c, tenant)
	if err != nil {
		return nil, err
	}
	out := make([]Key, 0, len(t.Keys))
	for _, k := range t.Keys {
		out = append(out, s.keyView(tenant, k))
	}
	return out, nil
}

// CreateKey makes a key and tells its secret.
func (s *Service) CreateKey(
	ctx context.Context, c tenants.Caller, idem sessions.Idempotency, tenant string, in NewKey,
) (sessions.Reply[MadeKey], error) {
	k := tenants.Key{ID: in.ID, Subject: in.Subject, Roles: in.Roles, Narrow: in.Narrow, CreatedBy: c.Subject}
	if k.ID == "" {
		k.ID = "key-" + strings.ToLower(rand.Text()[:10])
	}
	if in.ExpiresAt != nil {
		k.ExpiresAt = in.ExpiresAt.UTC()
	}
	if err := invalid(fieldsOf(k.Check(s.now()))); err != nil {
		return sessions.Reply[MadeKey]{}, err
	}
	if hasOperator(k.Roles) && !c.Is(tenants.RoleOperator) {
		return sessions.Reply[MadeKey]{}, refuse(sessions.CodeForbidden, "only an operator gives the role operator")
	}
	return s.makeKey(ctx, request{c, idem}, tenant, func(t *tenants.Tenant, secret tenants.Digest) (string, error) {
		k.SHA256 = secret.String()
		return k.ID, t.AddKey(k, s.now())
	})
}

// RotateKey gives a key another secret and tells it; the one before stays good
// for the overlap.
func (s *Service) RotateKey(
	ctx context.Context, c tenants.Caller, idem sessions.Idempotency, tenant, id string, overlap time.Duration,
) (sessions.Reply[MadeKey], error) {
	return s.makeKey(ctx, request{c, idem}, tenant, func(t *tenants.Tenant, secret tenants.Digest) (string, error) {
		if k, ok := t.Key(id); ok && hasOperator(k.Roles) && !c.Is(tenants.RoleOperator) {
			return id, refuse(sessions.CodeForbidden, "only an operator rotates an operator's key")
		}
		return id, t.RotateKey(id, secret, overlap, s.now())
	})
}

func hasOperator(roles []tenants.Role) bool {
	return tenants.Caller{Roles: roles}.Is(tenants.RoleOperator)
}

// makeKey makes a secret, stores its digest by what give does, and tells it.
// The stored answer is without it.
func (s *Service) makeKey(
	ctx context.Context, r request, tenant string, give func(*tenants.Tenant, tenants.Digest) (id string, err error),
) (sessions.Reply[MadeKey], error) {
	if err := reach(r.caller, tenant); err != nil {
		return sessions.Reply[MadeKey]{}, err
	}
	return once(ctx, s, r, func() (MadeKey, error) {
		secret, made := tenants.NewKey(), MadeKey{}
		_, err := s.change(ctx, r.caller, tenant, func(t *tenants.Tenant) (*store.Record, error) {
			id, err := give(t, tenants.DigestOf(secret))
			if err != nil {
				return nil, err
			}
			k, _ := t.Key(id)
			made.Key = s.keyView(tenant, k)
			return r.record(made)
		})
		made.Secret = &secret
		return made, err
	})
}

// RevokeKey takes a key away. It is dead on every replica within a second.
func (s *Service) RevokeKey(ctx context.Context, c tenants.Caller, tenant, id string) error {
	_, err := s.change(ctx, c, tenant, func(t *tenants.Tenant) (*store.Record, error) {
		if k, ok := t.Key(id); ok && hasOperator(k.Roles) && !c.Is(tenants.RoleOperator) {
			return nil, refuse(sessions.CodeForbidden, "only an operator revokes an operator's key")
		}
		return nil, t.RevokeKey(id, s.now())
	})
	return err
}
