package main

import (
	"context"
	"fmt"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/egress"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/oidc"
)

var _ api.Authenticator = authenticator{}

// authenticator tells whose keys and tokens are.
type authenticator struct {
	*tenants.Directory
	tokens *oidc.Verifier
}

// newAuthenticator dials issuers as the configuration allows.
func (w wiring) newAuthenticator(d *tenants.Directory) authenticator {
	return authenticator{Directory: d, tokens: oidc.New(oidc.Config{
		Issuers: w.callers.file.Issuers, Logger: w.log,
		Client: egress.NewClient(egress.Config{Allow: allowed(w.cfg.EgressAllow)}),
	})}
}

// Authenticate takes a bearer for a key, else for a token. A tenant that an
// issuer speaks for has to be one that there is.
func (a authenticator) Authenticate(ctx context.Context, bearer string) (tenants.Caller, error) {
	caller, err := a.Directory.Authenticate(bearer)
	if err == nil || !oidc.LooksLikeToken(bearer) {
		return caller, err
	}
	if caller, err = a.tokens.Authenticate(ctx, bearer); err != nil {
		return tenants.Caller{}, err
	}
	if !a.StillValid(caller) {
		return tenants.Caller{}, fmt.Errorf("tenant %s of a token: %w", caller.Tenant, tenants.ErrUnknownKey)
	}
	return caller, nil
}
