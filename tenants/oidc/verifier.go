package oidc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/tenants"
)

// ErrRefused says that a token is nobody's. What it wraps says why, for a log;
// a client is not told.
var ErrRefused = errors.New("token refused")

// maxTokenBytes bounds a token before anything of it is decoded. Those with a
// hundred groups have a few kilobytes.
const maxTokenBytes = 16 << 10

// Config is what a verifier is made of.
type Config struct {
	Issuers []tenants.Issuer // as tenants.Parse has checked them
	Client  *http.Client     // fetches key sets; it bounds time and size
	Logger  *slog.Logger
}

// Verifier tells whose tokens are. It may be used concurrently.
type Verifier struct {
	issuers map[string]*issuer // by what a token's iss says
	client  *http.Client
}

// New makes a verifier. It knows no keys until it is run.
func New(c Config) *Verifier {
	v := &Verifier{issuers: make(map[string]*issuer, len(c.Issuers)), client: c.Client}
	for _, i := range c.Issuers {
		v.issuers[i.Issuer] = newIssuer(i, &source{
			url: i.JWKSURL, client: c.Client, log: c.Logger.With(slog.String("issuer", i.ID)),
		})
	}
	return v
}

// Run fetches key sets, at once and then again and again, until ctx ends.
func (v *Verifier) Run(ctx context.Context) error {
	defer v.client.CloseIdleConnections()
	g, ctx := errgroup.WithContext(ctx)
	for _, i := range v.issuers {
		g.Go(func() error { return i.keys.run(ctx) })
	}
	return g.Wait()
}

// Authenticate is the caller whose token this is, else an [ErrRefused]. With a
// key id that is not known it may wait for a key set to be fetched.
func (v *Verifier) Authenticate(ctx context.Context, token string) (tenants.Caller, error) {
	caller, err := v.authenticate(ctx, token)
	if err != nil {
		return tenants.Caller{}, fmt.Errorf("%w: %w", ErrRefused, err)
	}
	return caller, nil
}

func (v *Verifier) authenticate(ctx context.Context, token string) (tenants.Caller, error) {
	said, err := read(token)
	if err != nil {
		return tenants.Caller{}, err
	}
	i, known := v.issuers[said.issuer]
	if !known {
		return tenants.Caller{}, errors.New("the issuer is not configured")
	}
	payload, err := i.verify(ctx, said, token)
	if err != nil {
		return tenants.Caller{}, fmt.Errorf("issuer %s: %w", i.ID, err)
	}
	caller, err := i.caller(payload)
	if err != nil {
		return tenants.Caller{}, fmt.Errorf("issuer %s: %w", i.ID, err)
	}
	return caller, nil
}
