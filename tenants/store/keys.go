package store

// This file is the only place that builds keys of the tenants' documents.
// Tenant ids are validated identifiers, without colons or braces.

// prefix begins every key; the hash tag keeps them in one slot.
const prefix = "gw:{tenants}:"

// What the deployment has, under no tenant's name.
const (
	indexKey   = prefix + "~:index"   // hash: tenant → token of its newest change
	versionKey = prefix + "~:version" // string: token of the newest change of all
	markKey    = prefix + "confirm"   // written to no end but to be waited for
	channel    = prefix + "~:changes" // where the tenant of a change is told
)

// tenantKey: hash of a tenant's document and the token of its newest change.
func tenantKey(id string) string { return prefix + id + ":tenant" }

// recordKey: string with TTL: the stored answer to a request.
func recordKey(id, scope string) string { return prefix + id + ":idem:" + scope }

// eraserKey: string with TTL: which replica erases the tenant.
func eraserKey(id string) string { return prefix + id + ":eraser" }

// ofTenant matches every key of a tenant: those of its sessions too, and of
// whatever else is kept for it.
func ofTenant(id string) string { return "gw:{*}:" + id + ":*" }

// The fields of a tenant's hash.
const (
	fieldDoc   = "doc"
	fieldToken = "token"
)
