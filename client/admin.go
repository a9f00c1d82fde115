package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// ErrCutOff says that an export broke off: what was written of it is not all.
var ErrCutOff = errors.New("the export broke off")

// Tenants are those that the key administers, fetched as they are asked for.
func (c *Client) Tenants(ctx context.Context) iter.Seq2[Tenant, error] {
	return pages(url.Values{}, func(q url.Values) ([]Tenant, *string, error) {
		r := get("admin", "tenants")
		r.query = q
		page, err := call[TenantPage](ctx, c, r)
		return page.Data, page.NextCursor, err
	})
}

// CreateTenant makes a tenant without keys.
func (c *Client) CreateTenant(ctx context.Context, t TenantCreation) (Tenant, error) {
	return post[Tenant](ctx, c, t, "admin", "tenants")
}

// Tenant is one tenant. A tenant that was erased is a 404.
func (c *Client) Tenant(ctx context.Context, id string) (Tenant, error) {
	return call[Tenant](ctx, c, get("admin", "tenants", id))
}

// DeleteTenant begins the erasure of a tenant.
func (c *Client) DeleteTenant(ctx context.Context, id string) (Tenant, error) {
	return call[Tenant](ctx, c, request{method: http.MethodDelete, path: []string{"admin", "tenants", id}})
}

// ExportTenant writes all that there is of a tenant to w, an [ExportLine] a
// line. It is not repeated when it breaks off.
func (c *Client) ExportTenant(ctx context.Context, id string, w io.Writer) error {
	return c.download(ctx, get("admin", "tenants", id, "export"), w)
}

// TenantSettings are what a tenant has set, without the secrets of its hooks.
func (c *Client) TenantSettings(ctx context.Context, id string) (TenantSettings, error) {
	return call[TenantSettings](ctx, c, get("admin", "tenants", id, "settings"))
}

// SetTenantSettings replaces what a tenant has set, if its revision still is
// the one given.
func (c *Client) SetTenantSettings(ctx context.Context, id string, s TenantSettingsPut, revision int) (TenantSettings, error) {
	return call[TenantSettings](ctx, c, request{
		method: http.MethodPut, path: []string{"admin", "tenants", id, "settings"}, body: s,
		header: http.Header{"If-Match": {strconv.Quote(strconv.Itoa(revision))}},
	})
}

// Keys are all keys of a tenant, revoked ones that are remembered too.
func (c *Client) Keys(ctx context.Context, tenant string) ([]Key, error) {
	page, err := call[KeyPage](ctx, c, get("admin", "tenants", tenant, "keys"))
	return page.Data, err
}

// CreateKey makes a key. Its secret is nil if the answer that had it was lost
// and this is the repetition: then rotate it.
func (c *Client) CreateKey(ctx context.Context, tenant string, k KeyCreation) (MadeKey, error) {
	return post[MadeKey](ctx, c, k, "admin", "tenants", tenant, "keys")
}

// RotateKey gives a key another secret, which is told as CreateKey does.
func (c *Client) RotateKey(ctx context.Context, tenant, id string, r KeyRotation) (MadeKey, error) {
	return post[MadeKey](ctx, c, r, "admin", "tenants", tenant, "keys", id, "rotate")
}

// RevokeKey takes a key away.
func (c *Client) RevokeKey(ctx context.Context, tenant, id string) error {
	_, err := call[struct{}](ctx, c, request{method: http.MethodDelete, path: []string{"admin", "tenants", tenant, "keys", id}})
	return err
}

// Audit writes the tenant's audit log to w, an [AuditLine] a line, byte for byte
// as it was sealed: what was written since a time, which may be zero. It is not
// repeated when it breaks off.
func (c *Client) Audit(ctx context.Context, since time.Time, w io.Writer) error {
	r := get("audit")
	if !since.IsZero() {
		r.query = url.Values{"since": {since.UTC().Format(time.RFC3339Nano)}}
	}
	return c.download(ctx, r, w)
}

// download copies an answer that is too long to be kept.
func (c *Client) download(ctx context.Context, r request, w io.Writer) error {
	_, err := c.once(ctx, r, nil, func(resp *http.Response) error {
		if _, err := io.Copy(w, resp.Body); err != nil {
			return fmt.Errorf("%w: %w", ErrCutOff, err)
		}
		return nil
	})
	return err
}
