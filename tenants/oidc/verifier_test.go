package oidc_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/oidc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestATokenIsWhoItsClaimsSay(t *testing.T) {
	t.Parallel()
	signingKey() // outside of the bubble, whose clock stands still meanwhile
	synctest.Test(t, func(t *testing.T) {
		v := newIDP(t).verifier(t, corp())
		expires := time.Now().Add(10 * time.Minute)
		c, err := v.Authenticate(t.Context(), good(t, nil))
		require.NoError(t, err)
		require.Regexp(t, `^jwt:corp:[0-9a-f]{16}$`, c.KeyID)
		c.KeyID = ""
		require.True(t, expires.Equal(c.Expires), "streams end at exp")
		c.Expires = time.Time{}
		require.Equal(t, tenants.Caller{
			Tenant: "acme", Subject: "alice", Roles: []tenants.Role{tenants.RoleFrontend, tenants.RoleViewer},
		}, c)
	})
}

func TestEveryConfiguredAlgorithmVerifies(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		p, ec, ed := newIDP(t), ecKey(t), edKey(t)
		p.publish("ec", ec.Public())
		p.publish("ed", ed.Public())
		v := p.verifier(t, corp())
		for name, token := range map[string]string{
			"RS256":                        good(t, nil),
			"ES256":                        signed(t, object{"kid": "ec"}, claims(nil), jwa.ES256(), ec),
			"EdDSA":                        signed(t, object{"kid": "ed"}, claims(nil), jwa.EdDSA(), ed),
			"no key id, one key that fits": signed(t, nil, claims(nil), jwa.EdDSA(), ed),
		} {
			_, err := v.Authenticate(t.Context(), token)
			require.NoError(t, err, name)
		}
	})
}

// TestTokensOfEveryWrongKindAreRefused has a line for each.
func TestTokensOfEveryWrongKindAreRefused(t *testing.T) {
	t.Parallel()
	signingKey()
	stranger, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	require.NoError(t, err)
	synctest.Test(t, func(t *testing.T) {
		p := newIDP(t)
		p.publishRaw(object{
			"kty": "RSA", "kid": "short", "e": "AQAB", "n": base64.RawURLEncoding.EncodeToString(short.N.Bytes()),
		})
		p.publishRaw(object{"kty": "oct", "kid": "secret", "k": "c2VjcmV0"})
		p.publish("twice", stranger.Public())
		p.publish("twice", signingKey().Public())
		other := corp()
		other.ID, other.Issuer, other.Tenants, other.Algorithms = "other", "https://other.example", []string{"globex"}, []tenants.Algorithm{"PS256"}
		v := p.verifier(t, corp(), other)
		now := time.Now()
		at := func(d time.Duration) int64 { return now.Add(d).Unix() }
		kid := object{"kid": "k1"}
		for name, token := range map[string]string{
			"expired longer ago than the skew":      good(t, object{"exp": at(-31 * time.Second)}),
			"expired just as long ago as the skew":  good(t, object{"exp": at(-30 * time.Second)}),
			"without an end":                        good(t, object{"exp": nil}),
			"valid later than the skew":             good(t, object{"nbf": at(31 * time.Second)}),
			"issued later than the skew":            good(t, object{"iat": at(31 * time.Second)}),
			"another audience":                      good(t, object{"aud": "other"}),
			"no audience":                           good(t, object{"aud": nil}),
			"an issuer that nobody configured":      good(t, object{"iss": "https://evil.example"}),
			"an issuer with a slash more":           good(t, object{"iss": "https://id.example/"}),
			"no issuer":                             good(t, object{"iss": nil}),
			"an algorithm of another issuer":        good(t, object{"iss": "https://other.example", "org": "globex"}),
			"a tenant that is another issuer's":     signed(t, kid, claims(object{"iss": "https://other.example"}), jwa.PS256(), signingKey()),
			"a tenant that is nobody's":             good(t, object{"org": "initech"}),
			"no tenant":                             good(t, object{"org": nil}),
			"several tenants":                       good(t, object{"org": []string{"acme"}}),
			"no subject":                            good(t, object{"sub": nil}),
			"an empty subject":                      good(t, object{"sub": ""}),
			"a subject that is a number":            good(t, object{"sub": 7}),
			"a subject with a line end":             good(t, object{"sub": "alice\nbob"}),
			"a subject without end":                 good(t, object{"sub": strings.Repeat("a", 129)}),
			"no roles":                              good(t, object{"realm": nil}),
			"roles that give nothing":               good(t, object{"realm": object{"groups": []string{"staff"}}}),
			"a role by its own name":                good(t, object{"realm": object{"groups": []string{"admin", "operator"}}}),
			"a stranger's signature":                signed(t, kid, claims(nil), jwa.RS256(), stranger),
			"a signature of a short key":            signed(t, object{"kid": "short"}, claims(nil), jwa.RS256(), short),
			"a secret of the set":                   signed(t, object{"kid": "secret"}, claims(nil), jwa.HS256(), []byte("secret")),
			"a key id that two keys have":           signed(t, object{"kid": "twice"}, claims(nil), jwa.RS256(), signingKey()),
			"no key id and several that fit":        signed(t, nil, claims(nil), jwa.RS256(), signingKey()),
			"an algorithm that is not configured":   signed(t, kid, claims(nil), jwa.RS512(), signingKey()),
			"the key of another kind":               signed(t, kid, claims(nil), jwa.ES256(), ecKey(t)),
			"the public key as a secret":            signed(t, kid, claims(nil), jwa.HS256(), publicPEM(t)),
			"the modulus as a secret":               signed(t, kid, claims(nil), jwa.HS256(), signingKey().N.Bytes()),
			"its own key set":                       signed(t, object{"kid": "k9", "jku": "https://evil.example/jwks"}, claims(nil), jwa.RS256(), stranger),
			"its own certificate":                   signed(t, object{"kid": "k9", "x5u": "https://evil.example/cert"}, claims(nil), jwa.RS256(), stranger),
			"no signature":                          bare(t, "none", claims(nil)),
			"no signature, spelled otherwise":       bare(t, "nOnE", claims(nil)),
			"no algorithm":                          bare(t, "", claims(nil)),
			"an extension that is critical":         critical(t),
			"a signature that was taken off":        good(t, nil)[:strings.LastIndex(good(t, nil), ".")+1],
			"a claim that was changed":              tampered(t),
			"too large":                             good(t, object{"pad": strings.Repeat("x", 20<<10)}),
			"empty":                                 "",
			"three empty parts":                     "..",
			"four parts":                            good(t, nil) + ".x",
			"an encrypted one":                      good(t, nil) + ".x.y",
			"not base64":                            "a!.b!.c!",
			"claims that are a list":                "eyJhbGciOiJSUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte("[]")) + ".AA",
			"a header that is a text, and padding=": "ImEi=.e30.AA",
		} {
			caller, err := v.Authenticate(t.Context(), token)
			require.ErrorIs(t, err, oidc.ErrRefused, name)
			require.Zero(t, caller, name)
			require.NotContains(t, err.Error(), "alice", name)
		}
		require.LessOrEqual(t, p.count(), 2*2, "each issuer was asked at its start and once more")
	})
}

func TestAClockThatDiffersIsForgivenUpToTheSkew(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		strict := corp()
		strict.ID, strict.Issuer, strict.ClockSkewS = "strict", "https://strict.example", new(int)
		v := newIDP(t).verifier(t, corp(), strict)
		for claim, off := range map[string]time.Duration{"nbf": 29, "iat": 29, "exp": -29} {
			moment := time.Now().Add(off * time.Second).Unix()
			_, err := v.Authenticate(t.Context(), good(t, object{claim: moment}))
			require.NoError(t, err, claim)
			_, err = v.Authenticate(t.Context(), good(t, object{claim: moment, "iss": strict.Issuer}))
			require.ErrorIs(t, err, oidc.ErrRefused, claim)
		}
	})
}

func TestWhatATokenOpensEndsWithItUnlessItCameWithinTheSkew(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		v := newIDP(t).verifier(t, corp())
		exp := time.Now().Add(time.Minute)
		token := good(t, object{"exp": exp.Unix()})
		early, err := v.Authenticate(t.Context(), token)
		require.NoError(t, err)
		require.True(t, exp.Equal(early.Expires))
		time.Sleep(time.Minute)
		late, err := v.Authenticate(t.Context(), token)
		require.NoError(t, err)
		require.True(t, exp.Add(30*time.Second).Equal(late.Expires))
		time.Sleep(30 * time.Second)
		_, err = v.Authenticate(t.Context(), token)
		require.ErrorIs(t, err, oidc.ErrRefused)
	})
}

// publicPEM is the issuer's key as everybody can get it.
func publicPEM(t *testing.T) []byte {
	t.Helper()
	der, err := x509.MarshalPKIXPublicKey(signingKey().Public())
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
}

// bare is a token without a signature.
func bare(t *testing.T, algorithm string, payload object) string {
	t.Helper()
	return part(t, object{"alg": algorithm, "kid": "k1"}) + "." + part(t, payload) + "."
}

func part(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func critical(t *testing.T) string {
	t.Helper()
	parts := strings.Split(good(t, nil), ".")
	return part(t, object{"alg": "RS256", "kid": "k1", "crit": []string{"exp"}}) + "." + parts[1] + "." + parts[2]
}

// tampered is a good token whose claims were changed afterwards.
func tampered(t *testing.T) string {
	t.Helper()
	parts := strings.Split(good(t, nil), ".")
	return parts[0] + "." + part(t, claims(object{"sub": "mallory"})) + "." + parts[2]
}

func FuzzTokens(f *testing.F) {
	f.Add("..")
	f.Add("eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUifQ.")
	v := oidc.New(oidc.Config{})
	f.Fuzz(func(t *testing.T, token string) {
		_, err := v.Authenticate(t.Context(), token)
		require.ErrorIs(t, err, oidc.ErrRefused, "nothing is configured")
	})
}
