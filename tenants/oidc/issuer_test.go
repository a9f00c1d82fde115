package oidc_test

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/oidc"
)

type object = map[string]any

// signingKey is made once: it takes the machine a while.
var signingKey = sync.OnceValue(func() *rsa.PrivateKey {
	k, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return k
})

// idp is an identity provider whose key set can change, and which counts how
// often it is asked. It answers from memory.
type idp struct {
	tb  testing.TB
	log *bytes.Buffer

	mu     sync.Mutex
	keys   []any
	broken bool
	asked  int
}

func newIDP(tb testing.TB) *idp {
	tb.Helper()
	p := &idp{tb: tb, log: &bytes.Buffer{}}
	p.publish("k1", signingKey().Public())
	return p
}

// publish adds a key to the set.
func (p *idp) publish(id string, public crypto.PublicKey) {
	p.tb.Helper()
	k, err := jwk.Import(public)
	require.NoError(p.tb, err)
	require.NoError(p.tb, k.Set(jwk.KeyIDKey, id))
	p.publishRaw(k)
}

// publishRaw adds whatever it is.
func (p *idp) publishRaw(k any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = append(p.keys, k)
}

// withdraw empties the set.
func (p *idp) withdraw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = nil
}

func (p *idp) breakDown(broken bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.broken = broken
}

func (p *idp) count() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked
}

// RoundTrip answers with the key set.
func (p *idp) RoundTrip(r *http.Request) (*http.Response, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked++
	if p.broken {
		return nil, errors.New("no route to the issuer")
	}
	body, err := json.Marshal(object{"keys": p.keys})
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(bytes.NewReader(body)), Request: r}, nil
}

// corp is the issuer of most tests.
func corp() tenants.Issuer {
	return tenants.Issuer{
		ID: "corp", Issuer: "https://id.example", Audience: "session-gateway", JWKSURL: "https://id.example/jwks.json",
		Algorithms: []tenants.Algorithm{"RS256", "ES256", "EdDSA"}, Tenants: []string{"acme", "globex"},
		Claims: tenants.Claims{Tenant: "org", Roles: "realm.groups"},
		Roles:  map[string][]tenants.Role{"admins": {tenants.RoleAdmin}, "users": {tenants.RoleFrontend, tenants.RoleViewer}},
	}
}

// verifier runs until the test ends.
func (p *idp) verifier(t *testing.T, issuers ...tenants.Issuer) *oidc.Verifier {
	t.Helper()
	v := oidc.New(oidc.Config{
		Issuers: issuers, Client: &http.Client{Transport: p}, Logger: slog.New(slog.NewTextHandler(p.log, nil)),
	})
	done := make(chan error, 1)
	ctx := t.Context()
	go func() { done <- v.Run(ctx) }()
	t.Cleanup(func() { require.ErrorIs(t, <-done, ctx.Err()) })
	return v
}

// claims are those of a good token, changed.
func claims(change object) object {
	now := time.Now()
	c := object{
		"iss": "https://id.example", "aud": []string{"other", "session-gateway"}, "sub": "alice", "org": "acme",
		"realm": object{"groups": []string{"staff", "users"}},
		"iat":   now.Unix(), "exp": now.Add(10 * time.Minute).Unix(),
	}
	for name, value := range change {
		if value == nil {
			delete(c, name)
			continue
		}
		c[name] = value
	}
	return c
}

// signed is a token with a header of one's own.
func signed(t *testing.T, header, payload object, algorithm jwa.SignatureAlgorithm, by any) string {
	t.Helper()
	body, err := json.Marshal(payload)
	require.NoError(t, err)
	h := jws.NewHeaders()
	for name, value := range header {
		require.NoError(t, h.Set(name, value))
	}
	token, err := jws.Sign(body, jws.WithKey(algorithm, by, jws.WithProtectedHeaders(h)))
	require.NoError(t, err)
	return string(token)
}

// good is a token of the first key.
func good(t *testing.T, change object) string {
	t.Helper()
	return signed(t, object{"kid": "k1"}, claims(change), jwa.RS256(), signingKey())
}

func ecKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return k
}

func edKey(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, k, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	return k
}
