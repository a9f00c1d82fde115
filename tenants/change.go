package tenants

import (
	"errors"
	"slices"
	"time"
)

// Errors of changes to a tenant's keys.
var (
	// ErrNoKey says that the tenant never had a key with this id.
	ErrNoKey = errors.New("no such key")
	// ErrKeyExists says that the tenant has, or had, a key with this id.
	ErrKeyExists = errors.New("the key exists")
	// ErrTooManyKeys says that [MaxKeys] are in use.
	ErrTooManyKeys = errors.New("too many keys")
	// ErrKeyDead says that the key was revoked or has expired.
	ErrKeyDead = errors.New("the key was revoked or has expired")
)

// AddKey gives the tenant a new key.
func (t *Tenant) AddKey(k Key, now time.Time) error {
	if slices.ContainsFunc(t.Keys, k.collides) {
		return ErrKeyExists
	}
	live := 0
	for _, have := range t.Keys {
		if have.Live(now) {
			live++
		}
	}
	if live >= MaxKeys {
		return ErrTooManyKeys
	}
	k.CreatedAt = now
	t.Keys = append(t.forgetful(now), k)
	return nil
}

// forgetful are the tenant's keys without the oldest of those that are dead.
// Those of a bootstrap file are remembered, or the file would revive them.
func (t *Tenant) forgetful(now time.Time) []Key {
	dead := 0
	for _, k := range t.Keys {
		if k.forgettable(now) {
			dead++
		}
	}
	return slices.DeleteFunc(slices.Clone(t.Keys), func(k Key) bool {
		if !k.forgettable(now) || dead <= MaxRevoked {
			return false
		}
		dead--
		return true
	})
}

func (k Key) forgettable(now time.Time) bool { return !k.Live(now) && k.CreatedBy != ByBootstrap }

// RotateKey gives a key another secret; the one before is good for overlap.
func (t *Tenant) RotateKey(id string, secret Digest, overlap time.Duration, now time.Time) error {
	return t.changeKey(id, func(k *Key) error {
		if !k.Live(now) {
			return ErrKeyDead
		}
		k.Previous = nil
		if overlap > 0 {
			k.Previous = &Previous{SHA256: k.SHA256, Until: now.Add(overlap)}
		}
		k.SHA256, k.RotatedAt = secret.String(), now
		return nil
	})
}

// RevokeKey takes a key away for good; one that was is left as it is.
func (t *Tenant) RevokeKey(id string, now time.Time) error {
	return t.changeKey(id, func(k *Key) error {
		if !k.Revoked() {
			k.RevokedAt, k.Previous = now, nil
		}
		return nil
	})
}

func (t *Tenant) changeKey(id string, change func(*Key) error) error {
	i := slices.IndexFunc(t.Keys, func(k Key) bool { return k.ID == id })
	if i < 0 {
		return ErrNoKey
	}
	k := t.Keys[i]
	if err := change(&k); err != nil {
		return err
	}
	t.Keys = slices.Clone(t.Keys)
	t.Keys[i] = k
	return nil
}

// SetSettings replaces what the tenant has set. A hook without a secret keeps
// the one that it had.
func (t *Tenant) SetSettings(next Settings) {
	before := Settings{}
	if t.Settings != nil {
		before = *t.Settings
	}
	next.Revision = before.Revision + 1
	next.Hooks = slices.Clone(next.Hooks)
	for i := range next.Hooks {
		had := slices.IndexFunc(before.Hooks, func(h Hook) bool { return h.ID == next.Hooks[i].ID })
		if next.Hooks[i].Secret == "" && had >= 0 {
			next.Hooks[i].Secret = before.Hooks[had].Secret
		}
	}
	t.Settings = &next
}

// WithoutSecrets are the settings as they may be read.
func (s Settings) WithoutSecrets() Settings {
	s.Hooks = slices.Clone(s.Hooks)
	for i := range s.Hooks {
		s.Hooks[i].Secret = ""
	}
	return s
}

// Erase takes all that the tenant is but its name: nobody speaks for it.
func (t *Tenant) Erase(now time.Time) {
	if !t.Erasing() {
		*t = Tenant{ID: t.ID, CreatedAt: t.CreatedAt, ErasingAt: now}
	}
}
