package oidc_test

import (
	"context"
	"log/slog"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lestrrat-go/jwx/v3/jwa"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/oidc"
)

// trusted is an issuer with a verifier that has taken a token of it.
func trusted(t *testing.T) (*idp, *oidc.Verifier) {
	t.Helper()
	p := newIDP(t)
	v := p.verifier(t, corp())
	_, err := v.Authenticate(t.Context(), good(t, nil))
	require.NoError(t, err)
	return p, v
}

func TestAnUnknownKeyIsLookedForAtOnceAndThenOnceAMinute(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		p, v := trusted(t)
		next := ecKey(t)
		time.Sleep(time.Minute)

		p.publish("k2", next.Public())
		rotated := signed(t, object{"kid": "k2"}, claims(nil), jwa.ES256(), next)
		_, err := v.Authenticate(t.Context(), rotated)
		require.NoError(t, err, "the set was fetched again")
		require.Equal(t, 2, p.count())

		unknown := signed(t, object{"kid": "k3"}, claims(nil), jwa.ES256(), next)
		begin := time.Now()
		for range 1000 {
			_, err := v.Authenticate(t.Context(), unknown)
			require.ErrorIs(t, err, oidc.ErrRefused)
		}
		require.Zero(t, time.Since(begin), "nobody waits for a fetch that may not be")
		require.Equal(t, 2, p.count(), "however many ask")

		time.Sleep(time.Minute)
		waiting := make(chan error, 100)
		for range cap(waiting) {
			go func() {
				_, err := v.Authenticate(t.Context(), unknown)
				waiting <- err
			}()
		}
		for range cap(waiting) {
			require.ErrorIs(t, <-waiting, oidc.ErrRefused)
		}
		require.Equal(t, 3, p.count(), "all waited for one fetch")
	})
}

func TestAKeyThatWasTakenBackIsGoodForFiveMinutesAtMost(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		p, v := trusted(t)
		p.withdraw()
		p.publish("k2", edKey(t).Public())
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		_, err := v.Authenticate(t.Context(), good(t, nil))
		require.ErrorIs(t, err, oidc.ErrRefused)
	})
}

func TestAnIssuerThatIsDownKeepsItsKeysForAnHour(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		p, v := trusted(t)
		p.breakDown(true)
		time.Sleep(50 * time.Minute)
		_, err := v.Authenticate(t.Context(), good(t, nil))
		require.NoError(t, err)
		time.Sleep(15 * time.Minute)
		_, err = v.Authenticate(t.Context(), good(t, nil))
		require.ErrorIs(t, err, oidc.ErrRefused)
		require.Less(t, p.count(), 20)

		p.breakDown(false)
		time.Sleep(5 * time.Minute)
		_, err = v.Authenticate(t.Context(), good(t, nil))
		require.NoError(t, err, "it is back")
	})
}

func TestABrokenSetLeavesTheKeysBefore(t *testing.T) {
	t.Parallel()
	signingKey()
	synctest.Test(t, func(t *testing.T) {
		p, v := trusted(t)
		p.withdraw()
		time.Sleep(10 * time.Minute)
		p.publishRaw(object{"kty": "oct", "k": "c2VjcmV0", "kid": "k1"})
		time.Sleep(10 * time.Minute)
		_, err := v.Authenticate(t.Context(), good(t, nil))
		require.NoError(t, err)
		require.Contains(t, p.log.String(), "no key that verifies")
		require.Contains(t, p.log.String(), "not a JSON Web Key Set")
	})
}

func TestWhoGivesUpWaitsForNoKeys(t *testing.T) {
	t.Parallel()
	v := oidc.New(oidc.Config{Issuers: []tenants.Issuer{corp()}, Logger: slog.New(slog.DiscardHandler)})
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := v.Authenticate(gone, good(t, nil)) // nobody runs it: no key set would ever come
	require.ErrorIs(t, err, oidc.ErrRefused)
}

func TestTokensAreToldFromKeysByTheirForm(t *testing.T) {
	t.Parallel()
	require.False(t, oidc.LooksLikeToken("gwk_abc"))
	require.True(t, oidc.LooksLikeToken(good(t, nil)))
}
