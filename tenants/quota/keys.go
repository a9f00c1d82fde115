package quota

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/session-gateway/gateway/tenants"
)

// owner is whose use is counted: a tenant, or one of its keys.
type owner struct{ tenant, key string }

// This is the only place that builds names of keys.
func (o owner) name(what string) string {
	name := "gw:{quota-" + o.tenant + "}:" + o.tenant + ":" + what
	if o.key == "" {
		return name
	}
	sum := sha256.Sum256([]byte(o.key)) // a token's stands for a person
	return name + ":" + hex.EncodeToString(sum[:8])
}

// owners are the tenant and the key of a caller.
func owners(c tenants.Caller) [2]owner {
	return [2]owner{{tenant: c.Tenant}, {tenant: c.Tenant, key: c.KeyID}}
}
