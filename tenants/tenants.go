package tenants

import (
	"slices"
	"time"
)

// Role is a set of rights.
type Role string

// The roles of keys.
const (
	RoleViewer   Role = "viewer"   // reads and streams
	RoleFrontend Role = "frontend" // viewer, and: sessions, modes, rules, plans, answers
	RoleHost     Role = "host"     // creates and serves sessions; never answers an approval, never changes mode or rules
	RoleAdmin    Role = "admin"    // everything in its tenant
	RoleOperator Role = "operator" // makes and removes tenants, administers each; sees no session
)

// Caller is who a request speaks for. It comes right after ctx in every use case.
type Caller struct {
	Tenant  string
	KeyID   string // which key was used
	Subject string // who it is: the name that answers are recorded under
	Roles   []Role
	Narrow  *Narrow   // the part of the tenant that the key is for; nil: all of it
	Expires time.Time // from when on the caller is nobody; zero: never by itself

	credential Digest // of the key that was used; zero for a caller of another origin
}

// StoredCaller is a caller as it is stored for a while. It holds no secret.
type StoredCaller struct {
	Tenant  string    `json:"tenant"`
	KeyID   string    `json:"key_id"`
	Subject string    `json:"subject"`
	Roles   []Role    `json:"roles"`
	Narrow  *Narrow   `json:"narrow,omitempty"`
	Expires time.Time `json:"expires,omitzero"`
	SHA256  string    `json:"sha256,omitempty"` // of the key that was used
}

// Stored is the caller's form to store.
func (c Caller) Stored() StoredCaller {
	s := StoredCaller{
		Tenant: c.Tenant, KeyID: c.KeyID, Subject: c.Subject, Roles: c.Roles, Narrow: c.Narrow, Expires: c.Expires,
	}
	if c.credential != (Digest{}) {
		s.SHA256 = c.credential.String()
	}
	return s
}

// Caller is who was stored. It is nobody yet: [Directory.Recall] says who it is
// now.
func (s StoredCaller) Caller() (Caller, error) {
	c := Caller{
		Tenant: s.Tenant, KeyID: s.KeyID, Subject: s.Subject, Roles: s.Roles, Narrow: s.Narrow, Expires: s.Expires,
	}
	if s.SHA256 == "" {
		return c, nil
	}
	var err error
	c.credential, err = ParseDigest(s.SHA256)
	return c, err
}

// Principal is the scope of idempotency keys: the key that was used.
func (c Caller) Principal() string { return c.Tenant + "/" + c.KeyID }

// Name is who the caller is for people to read: its subject, else its key.
func (c Caller) Name() string {
	if c.Subject == "" {
		return "key:" + c.KeyID
	}
	return c.Subject
}

// Is says whether the caller has one of the roles. An admin has all those of
// a tenant; the operator's is the deployment's.
func (c Caller) Is(roles ...Role) bool {
	return slices.ContainsFunc(c.Roles, func(have Role) bool {
		return slices.Contains(roles, have) || have == RoleAdmin && slices.ContainsFunc(roles, ofTenant)
	})
}

func ofTenant(r Role) bool { return r != RoleOperator }

// AllRoles are the roles that there are, from least to most.
func AllRoles() []Role {
	return []Role{RoleViewer, RoleFrontend, RoleHost, RoleAdmin, RoleOperator}
}
