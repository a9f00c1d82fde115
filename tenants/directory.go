package tenants

import (
	"errors"
	"slices"
	"sync"
	"time"
)

// ErrUnknownKey says that nobody has this key. It is the same for a key that
// never was, for one that was taken away and for one that expired.
var ErrUnknownKey = errors.New("unknown key")

// Directory is a replica's copy of all tenants: it knows every key by its
// digest and every tenant's settings, and answers without asking anybody. It
// may be used concurrently.
type Directory struct {
	mu      sync.RWMutex // guards what follows
	tenants map[string]*entry
	keys    map[Digest][]credential // more than one: refused, see caller
	pinned  map[string][]Key
}

// entry is a tenant as it is looked up. Its settings never change; a change
// makes new ones.
type entry struct {
	settings *Settings
	erasing  bool
	digests  []Digest
}

// credential is one secret of a key.
type credential struct {
	caller Caller
	until  time.Time // zero: as long as the key
}

// unset are the settings of a tenant that has set nothing.
var unset = &Settings{}

// NewDirectory makes a directory of tenants. All problems are reported at
// once, each with the path of what is wrong.
func NewDirectory(tenants ...Tenant) (*Directory, error) {
	if err := validate(tenants); err != nil {
		return nil, err
	}
	d := &Directory{
		tenants: make(map[string]*entry), keys: make(map[Digest][]credential), pinned: make(map[string][]Key),
	}
	for _, t := range tenants {
		d.Put(t)
	}
	return d, nil
}

// Put makes a tenant what it is now. The tenant is taken as it is: keys whose
// digest can't be read are nobody's.
func (d *Directory) Put(t Tenant) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(t.ID)
	d.put(t)
}

// Remove forgets a tenant, but for the keys that are pinned.
func (d *Directory) Remove(id string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.remove(id)
	if len(d.pinned[id]) > 0 {
		d.put(Tenant{ID: id})
	}
}

// Pin adds a key that is this process's alone: it is stored nowhere, and
// stays whatever becomes of its tenant.
func (d *Directory) Pin(tenant string, k Key) {
	d.mu.Lock()
	defer d.mu.Unlock()
	e, known := d.tenants[tenant]
	if !known {
		e = &entry{settings: unset}
		d.tenants[tenant] = e
	}
	d.pinned[tenant] = append(d.pinned[tenant], k)
	d.add(e, tenant, k)
}

func (d *Directory) put(t Tenant) {
	e := &entry{settings: unset, erasing: t.Erasing()}
	if t.Settings != nil {
		e.settings = t.Settings
	}
	d.tenants[t.ID] = e
	if e.erasing {
		return
	}
	for _, k := range slices.Concat(t.Keys, d.pinned[t.ID]) {
		d.add(e, t.ID, k)
	}
}

// add makes a key's secrets known.
func (d *Directory) add(e *entry, tenant string, k Key) {
	for _, secret := range k.secrets() {
		c := credential{caller: k.caller(tenant), until: secret.until}
		c.caller.credential = secret.digest
		d.keys[secret.digest] = append(d.keys[secret.digest], c)
		e.digests = append(e.digests, secret.digest)
	}
}

func (d *Directory) remove(id string) {
	e, known := d.tenants[id]
	if !known {
		return
	}
	delete(d.tenants, id)
	for _, digest := range e.digests {
		left := slices.DeleteFunc(d.keys[digest], func(c credential) bool { return c.caller.Tenant == id })
		if d.keys[digest] = left; len(left) == 0 {
			delete(d.keys, digest)
		}
	}
}

// Authenticate is the caller whose key this is, else [ErrUnknownKey]. The
// look-up compares digests, so its time says nothing about the key.
func (d *Directory) Authenticate(bearer string) (Caller, error) {
	c, ok := d.caller(DigestOf(bearer))
	if !ok {
		return Caller{}, ErrUnknownKey
	}
	c.Roles = slices.Clone(c.Roles)
	return c, nil
}

// caller is who a digest stands for now. A key speaks for one caller: one
// that two have is nobody's.
func (d *Directory) caller(digest Digest) (Caller, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	found := d.keys[digest]
	if len(found) != 1 || passed(found[0].until) || passed(found[0].caller.Expires) {
		return Caller{}, false
	}
	return found[0].caller, true
}

// StillValid says whether a caller who was authenticated before would be now.
// Whoever holds a caller for long (a stream, a slow body) asks again.
func (d *Directory) StillValid(c Caller) bool {
	if c.credential != (Digest{}) {
		_, ok := d.caller(c.credential)
		return ok
	}
	return !passed(c.Expires) && d.Knows(c.Tenant)
}

// Recall is a caller as it would be authenticated now: by its key, with the
// rights that the key has by now, or as it is where it came without one.
// [ErrUnknownKey]: it is nobody any more.
func (d *Directory) Recall(c Caller) (Caller, error) {
	if c.credential == (Digest{}) {
		if !d.StillValid(c) {
			return Caller{}, ErrUnknownKey
		}
		return c, nil
	}
	now, ok := d.caller(c.credential)
	if !ok || now.Tenant != c.Tenant {
		return Caller{}, ErrUnknownKey
	}
	now.Roles = slices.Clone(now.Roles)
	return now, nil
}

func passed(at time.Time) bool { return !at.IsZero() && !time.Now().Before(at) }

// Settings are what a tenant has set, never nil and never to be changed.
func (d *Directory) Settings(tenant string) *Settings {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if e, known := d.tenants[tenant]; known {
		return e.settings
	}
	return unset
}

// Knows says whether there is such a tenant, and not one that is being erased.
func (d *Directory) Knows(tenant string) bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	e, known := d.tenants[tenant]
	return known && !e.erasing
}

// Erasing are the tenants that are being erased.
func (d *Directory) Erasing() []string {
	d.mu.RLock()
	defer d.mu.RUnlock()
	var out []string
	for id, e := range d.tenants {
		if e.erasing {
			out = append(out, id)
		}
	}
	return out
}

// Len is the number of secrets that keys have, expired ones included.
func (d *Directory) Len() int {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return len(d.keys)
}
