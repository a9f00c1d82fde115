package tenants

import "slices"

// Role is a set of rights.
type Role string

// The roles of keys.
const (
	RoleViewer   Role = "viewer"   // reads and streams
	RoleFrontend Role = "frontend" // viewer, and: sessions, modes, rules, plans, answers
	RoleHost     Role = "host"     // creates and serves sessions; never answers an approval, never changes mode or rules
	RoleAdmin    Role = "admin"    // everything in its tenant
)

// Caller is who a request speaks for. It comes right after ctx in every use case.
type Caller struct {
	Tenant  string
	KeyID   string // which key was used
	Subject string // who it is: the name that answers are recorded under
	Roles   []Role
}

// Principal is the scope of idempotency keys: the key that was used.
func (c Caller) Principal() string { return c.Tenant + "/" + c.KeyID }

// Is says whether the caller has one of the roles. An admin has them all.
func (c Caller) Is(roles ...Role) bool {
	return slices.ContainsFunc(c.Roles, func(have Role) bool {
		return have == RoleAdmin || slices.Contains(roles, have)
	})
}

// AllRoles are the roles that there are, from least to most.
func AllRoles() []Role { return []Role{RoleViewer, RoleFrontend, RoleHost, RoleAdmin} }
