package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/lestrrat-go/jwx/v3/jwk"
	"github.com/lestrrat-go/jwx/v3/jws"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// provider is an identity provider on loopback.
type provider struct {
	url string
	key *ecdsa.PrivateKey
}

func newProvider(t *testing.T) provider {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	public, err := jwk.Import(key.Public())
	require.NoError(t, err)
	set, err := json.Marshal(object{"keys": []any{public}})
	require.NoError(t, err)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(set) }))
	t.Cleanup(s.Close)
	return provider{url: s.URL, key: key}
}

// bootstrap is the cast's file with the provider, who may speak for acme.
func (p provider) bootstrap(t *testing.T) string {
	t.Helper()
	name := bootstrapFile(t)
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	var file object
	require.NoError(t, json.Unmarshal(raw, &file))
	file["issuers"] = []object{{
		"id": "corp", "issuer": p.url, "audience": "gateway", "jwks_url": p.url + "/jwks", "algorithms": []string{"ES256"},
		"tenants": []string{"acme", "nobody"}, "claims": object{"tenant": "org", "roles": "groups"},
		"roles": object{"people": []string{"frontend"}, "readers": []string{"viewer"}},
	}}
	raw, err = json.Marshal(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

func (p provider) token(t *testing.T, change object) string {
	t.Helper()
	claims := object{
		"iss": p.url, "aud": "gateway", "sub": "carol@acme.example", "org": "acme", "groups": []string{"people"},
		"exp": time.Now().Add(time.Minute).Unix(),
	}
	maps.Copy(claims, change)
	raw, err := json.Marshal(claims)
	require.NoError(t, err)
	token, err := jws.Sign(raw, jws.WithKey(jwa.ES256(), p.key))
	require.NoError(t, err)
	return string(token)
}

// TestWhoeverATokenNamesIsWhoAnswered shows tokens at the whole program.
func TestWhoeverATokenNamesIsWhoAnswered(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	s := standAt(t, start(t, "--bootstrap="+p.bootstrap(t), "--egress-allow=127.0.0.0/8").base)
	plan := newPlanning(t, s, nil)
	plan.send(write)
	asked := plan.pending(t, plan.sid)
	carol := s.Host.As(p.token(t, nil))
	path := "/v1/approvals/" + asked.ID
	for name, token := range map[string]string{
		"expired":                 p.token(t, object{"exp": time.Now().Add(-time.Minute).Unix()}),
		"a foreign tenant":        p.token(t, object{"org": "globex"}),
		"a tenant that is not":    p.token(t, object{"org": "nobody"}),
		"another audience":        p.token(t, object{"aud": "elsewhere"}),
		"signed by somebody else": provider{url: p.url, key: newProvider(t).key}.token(t, nil),
	} {
		_, err := s.Host.As(token).Session(t.Context(), plan.sid)
		refused(t, err, http.StatusUnauthorized, "unauthenticated")
		require.NotContains(t, err.Error(), token, name)
	}
	answer := casetest.Call{Method: "POST", Path: path + "/respond", Body: object{"option_id": "allow_once"}}
	refused(t, s.Host.As(p.token(t, object{"groups": []string{"readers"}})).Send(t.Context(), answer, nil), http.StatusForbidden, "forbidden")

	var approval struct {
		ResolvedBy string `json:"resolved_by"`
	}
	require.NoError(t, carol.Send(t.Context(), answer, &approval))
	require.Equal(t, "carol@acme.example", approval.ResolvedBy)
}
