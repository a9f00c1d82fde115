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
	ID       string
	Name     string // for people
	Settings *Settings
	Keys     []Key

	CreatedAt time.Time
	ErasingAt time.Time // since when it is being erased
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
	ID      string
	SHA256  string // of the secret, in hex
	Subject string
	Roles   []Role
	Narrow  *Narrow

	CreatedAt time.Time
	CreatedBy string    // a subject, or "bootstrap"
	ExpiresAt time.Time // zero: never
	RotatedAt time.Time
	RevokedAt time.Time
	// Previous is the secret before the last rotation, while both are good.
	Previous *Previous
}

// Previous is a secret that is good for a while yet.
type Previous struct {
	SHA256 string
	Until  time.Time
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

// Seed adds to a tenant what a bootstrap file has and it has not: keys whose
// id and secret it never had and, if nothing was ever set, settings. It says
// whether there was anything.
func (t *Tenant) Seed(want Tenant, now time.Time) (changed bool) {
	if want.Settings != nil && t.Settings == nil {
		settings := *want.Settings
		settings.Revision = 1
		t.Settings, changed = &settings, true
	}
	for _, k := range want.Keys {
		if !slices.ContainsFunc(t.Keys, k.collides) {
			k.CreatedAt = now
			t.Keys, changed = append(t.Keys, k), true
		}
	}
	return changed
}

// collides says that two keys have the id or a secret in common.
func (k Key) collides(other Key) bool {
	return k.ID == other.ID || k.SHA256 == other.SHA256 || other.Previous != nil && other.Previous.SHA256 == k.SHA256
}
