package tenants

import (
	"errors"
	"slices"
)

// ErrUnknownKey says that nobody has this key. It is the same for a key that
// never was and for one that was taken away.
var ErrUnknownKey = errors.New("unknown key")

// Tenant is one organisation with the keys of its callers.
type Tenant struct {
	ID   string `json:"id"`
	Keys []Key  `json:"keys"`
}

// Key is one key of a tenant and who it speaks for.
type Key struct {
	ID      string `json:"id"`
	SHA256  string `json:"sha256"` // of the key, in hex
	Subject string `json:"subject"`
	Roles   []Role `json:"roles"`
}

// Directory knows every key by its digest. It never changes once made, so it
// needs no lock.
type Directory struct {
	callers map[Digest]Caller
}

// NewDirectory makes a directory of tenants. All problems are reported at
// once, each with the path of what is wrong.
func NewDirectory(tenants []Tenant) (*Directory, error) {
	if err := validate(tenants); err != nil {
		return nil, err
	}
	d := &Directory{callers: make(map[Digest]Caller)}
	for _, t := range tenants {
		for _, k := range t.Keys {
			digest, err := ParseDigest(k.SHA256)
			if err != nil {
				return nil, err
			}
			d.callers[digest] = Caller{Tenant: t.ID, KeyID: k.ID, Subject: k.Subject, Roles: slices.Clone(k.Roles)}
		}
	}
	return d, nil
}

// Authenticate is the caller whose key this is, else [ErrUnknownKey]. The
// look-up compares digests, so its time says nothing about the key.
func (d *Directory) Authenticate(bearer string) (Caller, error) {
	c, ok := d.callers[DigestOf(bearer)]
	if !ok {
		return Caller{}, ErrUnknownKey
	}
	c.Roles = slices.Clone(c.Roles)
	return c, nil
}

// Len is the number of keys.
func (d *Directory) Len() int { return len(d.callers) }
