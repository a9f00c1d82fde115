package tenants

import (
	"slices"
	"time"
)

// Limits of what is kept of tenants. Every replica has a copy of it all in
// memory, about half a kilobyte a key.
const (
	// MaxTenants is how many tenants a deployment has at most.
	MaxTenants = 10_000
	// MaxKeys is how many keys of a tenant are in use at most.
	MaxKeys = 100
	// MaxRevoked is how many revoked keys of a tenant are remembered, beside
	// those of a bootstrap file.
	MaxRevoked = 100
	// MaxSettingsBytes bounds a tenant's settings as JSON: 2000 rules fit.
	MaxSettingsBytes = 256 << 10
)

// Tenant is one organisation with the keys of its callers.
type Tenant struct {
	ID       string    `json:"id"`
	Name     string    `json:"name,omitempty"` // for people
	Settings *Settings `json:"settings,omitempty"`
	Keys     []Key     `json:"keys,omitempty"`

	CreatedAt time.Time `json:"created_at,omitzero"`
	ErasingAt time.Time `json:"erasing_at,omitzero"` // since when it is being erased
}

// Erasing says that the tenant is being erased: nobody speaks for it any more.
func (t Tenant) Erasing() bool { return !t.ErasingAt.IsZero() }

// Key finds a key by its id.
func (t Tenant) Key(id string) (Key, bool) {
	if i := slices.IndexFunc(t.Keys, func(k Key) bool { return k.ID == id }); i >= 0 {
		return t.Keys[i], true
	}
	return Key{}, false
}

// Key is one key of a tenant and who it speaks for. Its rights never change; a
// rotation gives it another secret.
type Key struct {
	ID      string  `json:"id"`
	SHA256  string  `json:"sha256"` // of the secret, in hex
	Subject string  `json:"subject"`
	Roles   []Role  `json:"roles"`
	Narrow  *Narrow `json:"narrow,omitempty"`

	CreatedAt time.Time `json:"created_at,omitzero"`
	CreatedBy string    `json:"created_by,omitempty"` // a subject, or "bootstrap"
	ExpiresAt time.Time `json:"expires_at,omitzero"`  // zero: never
	RotatedAt time.Time `json:"rotated_at,omitzero"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
	// Previous is the secret before the last rotation, while both are good.
	Previous *Previous `json:"previous,omitempty"`
}

// Previous is a secret that is good for a while yet.
type Previous struct {
	SHA256 string    `json:"sha256"`
	Until  time.Time `json:"until"`
}

// Revoked says that the key was taken away.
func (k Key) Revoked() bool { return !k.RevokedAt.IsZero() }

// Live says whether the key can be used at a time.
func (k Key) Live(now time.Time) bool {
	return !k.Revoked() && (k.ExpiresAt.IsZero() || now.Before(k.ExpiresAt))
}

func (k Key) caller(tenant string) Caller {
	return Caller{
		Tenant: tenant, KeyID: k.ID, Subject: k.Subject, Roles: slices.Clone(k.Roles), Narrow: k.Narrow, Expires: k.ExpiresAt,
	}
}

// secret is a digest that a key is known by, for a time.
type secret struct {
	digest Digest
	until  time.Time
}

// secrets are the digests that speak for the key; none once it is revoked.
func (k Key) secrets() []secret {
	if k.Revoked() {
		return nil
	}
	var out []secret
	if d, err := ParseDigest(k.SHA256); err == nil {
		out = append(out, secret{digest: d})
	}
	if p := k.Previous; p != nil {
		if d, err := ParseDigest(p.SHA256); err == nil {
			out = append(out, secret{digest: d, until: p.Until})
		}
	}
	return out
}
