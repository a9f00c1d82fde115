package store

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

// schema is the version of the stored form. A document of a newer one is not
// read: what it means is not known, and its keys are nobody's here.
const schema = 1

// storedTenant is a tenant's document. Names never change.
type storedTenant struct {
	Schema    int               `json:"schema"`
	ID        string            `json:"id"`
	Name      string            `json:"name,omitempty"`
	CreatedAt time.Time         `json:"created_at"`
	ErasingAt time.Time         `json:"erasing_at,omitzero"`
	Settings  *tenants.Settings `json:"settings,omitempty"`
	Keys      []storedKey       `json:"keys,omitempty"`
}

type storedKey struct {
	ID        string          `json:"id"`
	SHA256    string          `json:"sha256"`
	Subject   string          `json:"subject"`
	Roles     []tenants.Role  `json:"roles"`
	Narrow    *storedNarrow   `json:"narrow,omitempty"`
	CreatedAt time.Time       `json:"created_at"`
	CreatedBy string          `json:"created_by"`
	ExpiresAt time.Time       `json:"expires_at,omitzero"`
	RotatedAt time.Time       `json:"rotated_at,omitzero"`
	RevokedAt time.Time       `json:"revoked_at,omitzero"`
	Previous  *storedPrevious `json:"previous,omitempty"`
}

type storedNarrow struct {
	SessionID string            `json:"session_id,omitempty"`
	Labels    map[string]string `json:"labels,omitempty"`
}

type storedPrevious struct {
	SHA256 string    `json:"sha256"`
	Until  time.Time `json:"until"`
}

func encodeTenant(t tenants.Tenant) (string, error) {
	stored := storedTenant{
		Schema: schema, ID: t.ID, Name: t.Name, CreatedAt: t.CreatedAt, ErasingAt: t.ErasingAt, Settings: t.Settings,
	}
	for _, k := range t.Keys {
		stored.Keys = append(stored.Keys, storedKey{
			ID: k.ID, SHA256: k.SHA256, Subject: k.Subject, Roles: k.Roles, Narrow: (*storedNarrow)(k.Narrow),
			CreatedAt: k.CreatedAt, CreatedBy: k.CreatedBy, ExpiresAt: k.ExpiresAt, RotatedAt: k.RotatedAt,
			RevokedAt: k.RevokedAt, Previous: (*storedPrevious)(k.Previous),
		})
	}
	text, err := json.Marshal(stored)
	if err != nil {
		return "", fmt.Errorf("encode tenant %s: %w", t.ID, err)
	}
	return string(text), nil
}

func decodeTenant(text string) (tenants.Tenant, error) {
	var stored storedTenant
	if err := json.Unmarshal([]byte(text), &stored); err != nil {
		return tenants.Tenant{}, fmt.Errorf("decode tenant: %w", err)
	}
	if stored.Schema > schema {
		return tenants.Tenant{}, fmt.Errorf("decode tenant %s: %w", stored.ID, ErrNewerSchema)
	}
	t := tenants.Tenant{
		ID: stored.ID, Name: stored.Name, CreatedAt: stored.CreatedAt, ErasingAt: stored.ErasingAt, Settings: stored.Settings,
	}
	for _, k := range stored.Keys {
		t.Keys = append(t.Keys, tenants.Key{
			ID: k.ID, SHA256: k.SHA256, Subject: k.Subject, Roles: k.Roles, Narrow: (*tenants.Narrow)(k.Narrow),
			CreatedAt: k.CreatedAt, CreatedBy: k.CreatedBy, ExpiresAt: k.ExpiresAt, RotatedAt: k.RotatedAt,
			RevokedAt: k.RevokedAt, Previous: (*tenants.Previous)(k.Previous),
		})
	}
	return t, nil
}
