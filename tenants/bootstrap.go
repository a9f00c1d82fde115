package tenants

import (
	"errors"
	"fmt"
	"io"
	"time"

	"sigs.k8s.io/yaml"
)

// maxBootstrapBytes bounds a bootstrap file: thousands of keys fit, and a
// wrong path (a disk image, /dev/zero) does not fill the memory.
const maxBootstrapBytes = 1 << 20

// ErrBootstrapTooLarge says that a bootstrap file is over the limit.
var ErrBootstrapTooLarge = errors.New("bootstrap file is larger than 1 MiB")

// Bootstrap is what a bootstrap file says.
type Bootstrap struct {
	Tenants []Tenant
	Issuers []Issuer
}

// bootstrap is the form of a bootstrap file.
type bootstrap struct {
	Tenants []bootstrapTenant `json:"tenants"`
	Issuers []Issuer          `json:"issuers"`
}

type bootstrapTenant struct {
	ID       string         `json:"id"`
	Name     string         `json:"name"`
	Settings *Settings      `json:"settings"`
	Keys     []bootstrapKey `json:"keys"`
}

type bootstrapKey struct {
	ID        string    `json:"id"`
	SHA256    string    `json:"sha256"`
	Subject   string    `json:"subject"`
	Roles     []Role    `json:"roles"`
	Narrow    *Narrow   `json:"narrow"`
	ExpiresAt time.Time `json:"expires_at"`
}

// ByBootstrap is who made a key that a bootstrap file named.
const ByBootstrap = "bootstrap"

// plain is what a file says, checked.
func (b bootstrap) plain() (Bootstrap, error) {
	out := make([]Tenant, 0, len(b.Tenants))
	for _, t := range b.Tenants {
		keys := make([]Key, 0, len(t.Keys))
		for _, k := range t.Keys {
			keys = append(keys, Key{
				ID: k.ID, SHA256: k.SHA256, Subject: k.Subject, Roles: k.Roles, Narrow: k.Narrow, ExpiresAt: k.ExpiresAt,
				CreatedBy: ByBootstrap,
			})
		}
		out = append(out, Tenant{ID: t.ID, Name: t.Name, Settings: t.Settings, Keys: keys})
	}
	return Bootstrap{Tenants: out, Issuers: b.Issuers}, errors.Join(validate(out), validateIssuers(b.Issuers))
}

// Parse reads a bootstrap file:
//
//	tenants:
//	  - id: acme
//	    settings:
//	      rules: {deny: ["write(.git/**)"]}
//	    keys:
//	      - id: ci
//	        sha256: … # printf %s "$KEY" | sha256sum
//	        subject: ci@acme.example
//	        roles: [host]
//	        narrow: {labels: {team: payments}}
//	        expires_at: 2030-01-01T00:00:00Z
//	issuers:
//	  - id: corp
//	    issuer: https://id.example
//	    audience: session-gateway
//	    jwks_url: https://id.example/jwks.json
//	    algorithms: [RS256]
//	    tenants: [acme]
//	    claims: {tenant: org, subject: email, roles: groups}
//	    roles: {agents-admins: [admin], agents-users: [frontend]}
//
// Unknown and repeated fields are refused by name.
func Parse(r io.Reader) (Bootstrap, error) {
	raw, err := io.ReadAll(io.LimitReader(r, maxBootstrapBytes+1))
	if err != nil {
		return Bootstrap{}, fmt.Errorf("read bootstrap: %w", err)
	}
	if len(raw) > maxBootstrapBytes {
		return Bootstrap{}, ErrBootstrapTooLarge
	}
	var file bootstrap
	if err := yaml.UnmarshalStrict(raw, &file); err != nil {
		return Bootstrap{}, fmt.Errorf("parse bootstrap: %w", err)
	}
	return file.plain()
}
