package passes_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/passes"
)

const secretKey = "a key"

func acme() tenants.Tenant {
	return tenants.Tenant{ID: "acme", Keys: []tenants.Key{{
		ID: "web", SHA256: tenants.DigestOf(secretKey).String(), Subject: "alice", Roles: []tenants.Role{tenants.RoleFrontend},
		Narrow: &tenants.Narrow{SessionID: "ses_1"},
	}}}
}

// scene is two replicas on one Redis, whose clock the test moves.
type scene struct {
	dir         *tenants.Directory
	here, there *passes.Store
	client      redis.UniversalClient
	alice       tenants.Caller
	mu          sync.Mutex
	passed      time.Duration
	byToken     tenants.Caller
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir, err := tenants.NewDirectory(acme())
	require.NoError(t, err)
	options, err := redis.ParseURL(redistest.Start(t).URL())
	require.NoError(t, err)
	s := &scene{dir: dir, client: redis.NewClient(options)}
	t.Cleanup(func() { require.NoError(t, s.client.Close()) })
	s.here = passes.New(passes.Config{Client: s.client, Directory: dir, Now: s.now})
	s.there = passes.New(passes.Config{Client: s.client, Directory: dir, Now: s.now})
	s.alice, err = dir.Authenticate(secretKey)
	require.NoError(t, err)
	s.byToken = tenants.Caller{
		Tenant: "acme", KeyID: "jwt:corp:1", Subject: "carol", Roles: []tenants.Role{tenants.RoleViewer},
		Expires: time.Now().Add(time.Hour),
	}
	return s
}

// slack is how long a busy machine may keep a test from what it does next.
const slack = 30 * time.Second

func (s *scene) now() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return time.Now().Add(s.passed)
}

func (s *scene) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.passed += d
}

func TestATicketOpensOneStreamOnce(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ticket, err := s.here.NewTicket(t.Context(), s.alice, "ses_1")
	require.NoError(t, err)
	require.WithinDuration(t, time.Now().Add(time.Minute), ticket.ExpiresAt, slack)

	for _, elsewhere := range []string{"ses_2", ""} {
		_, err = s.there.OpenTicket(t.Context(), ticket.Secret, elsewhere)
		require.ErrorIs(t, err, passes.ErrUnknownPass)
	}
	opened := make(chan error, 8)
	for range cap(opened) {
		go func() {
			c, err := s.there.OpenTicket(t.Context(), ticket.Secret, "ses_1")
			if err == nil && (c.Subject != "alice" || c.Narrow.SessionID != "ses_1") {
				err = passes.ErrUnavailable
			}
			opened <- err
		}()
	}
	good := 0
	for range cap(opened) {
		err := <-opened
		if err == nil {
			good++
			continue
		}
		require.ErrorIs(t, err, passes.ErrUnknownPass)
	}
	require.Equal(t, 1, good)
}

func TestAPassDiesWithItsTimeAndWithItsKey(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*scene){
		"its time":     func(s *scene) { s.pass(passes.ConsoleTime) },
		"its key":      func(s *scene) { s.dir.Put(tenants.Tenant{ID: "acme"}) },
		"its tenant":   func(s *scene) { s.dir.Remove("acme") },
		"its rotation": func(s *scene) { a := acme(); a.Keys[0].SHA256 = tenants.DigestOf("b").String(); s.dir.Put(a) },
		"an erasure":   func(s *scene) { a := acme(); a.ErasingAt = time.Now(); s.dir.Put(a) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScene(t)
			for _, c := range []tenants.Caller{s.alice, s.byToken} {
				if c.KeyID != "web" && (name == "its key" || name == "its rotation") {
					continue // a token has no key
				}
				ticket, err := s.here.NewTicket(t.Context(), c, "")
				require.NoError(t, err)
				in, err := s.here.NewSignIn(t.Context(), c)
				require.NoError(t, err)
				got, _, err := s.there.Console(t.Context(), in.Secret)
				require.NoError(t, err)
				require.Equal(t, c.Subject, got.Subject)
				defer func() {
					_, err := s.there.OpenTicket(t.Context(), ticket.Secret, "")
					require.ErrorIs(t, err, passes.ErrUnknownPass)
					_, _, err = s.there.Console(t.Context(), in.Secret)
					require.ErrorIs(t, err, passes.ErrUnknownPass)
				}()
			}
			end(s)
		})
	}
}

func TestAPassOfATokenEndsWithTheToken(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	in, err := s.here.NewSignIn(t.Context(), s.byToken)
	require.NoError(t, err)
	require.True(t, s.byToken.Expires.Equal(in.ExpiresAt))
	s.pass(time.Hour + time.Second)
	_, _, err = s.here.Console(t.Context(), in.Secret)
	require.ErrorIs(t, err, passes.ErrUnknownPass)
}

func TestRightsAreThoseThatTheKeyHasNow(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	in, err := s.here.NewSignIn(t.Context(), s.alice)
	require.NoError(t, err)
	less := acme()
	less.Keys[0].Roles = []tenants.Role{tenants.RoleViewer}
	s.dir.Put(less)
	c, _, err := s.here.Console(t.Context(), in.Secret)
	require.NoError(t, err)
	require.Equal(t, []tenants.Role{tenants.RoleViewer}, c.Roles)
}

func TestSigningOutEndsOneSignInOnly(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first, err := s.here.NewSignIn(t.Context(), s.alice)
	require.NoError(t, err)
	second, err := s.here.NewSignIn(t.Context(), s.alice)
	require.NoError(t, err)
	require.NotEqual(t, first.CSRF, second.CSRF)
	require.NoError(t, s.there.SignOut(t.Context(), first.Secret))
	require.NoError(t, s.there.SignOut(t.Context(), first.Secret), "again")
	require.NoError(t, s.there.SignOut(t.Context(), "nonsense"))
	_, _, err = s.here.Console(t.Context(), first.Secret)
	require.ErrorIs(t, err, passes.ErrUnknownPass)
	_, _, err = s.here.Console(t.Context(), second.Secret)
	require.NoError(t, err)
}

func TestOnlySoManySignInsAreKept(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	first, err := s.here.NewSignIn(t.Context(), s.alice)
	require.NoError(t, err)
	for range 20 {
		s.pass(time.Second)
		_, err := s.here.NewSignIn(t.Context(), s.alice)
		require.NoError(t, err)
	}
	_, _, err = s.here.Console(t.Context(), first.Secret)
	require.ErrorIs(t, err, passes.ErrUnknownPass, "the oldest has ended")
	keys, err := s.client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 1)
	n, err := s.client.HLen(t.Context(), keys[0]).Result()
	require.NoError(t, err)
	require.EqualValues(t, 20, n)
}

func TestNothingThatIsKeptIsASecretAndAllOfItNamesItsTenant(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	ticket, err := s.here.NewTicket(t.Context(), s.alice, "ses_1")
	require.NoError(t, err)
	in, err := s.here.NewSignIn(t.Context(), s.alice)
	require.NoError(t, err)
	keys, err := s.client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 2)
	for _, key := range keys {
		require.Contains(t, key, ":acme:")
		ttl, err := s.client.TTL(t.Context(), key).Result()
		require.NoError(t, err)
		require.Positive(t, ttl)
		dump, err := s.client.Dump(t.Context(), key).Result()
		require.NoError(t, err)
		for _, secret := range []string{ticket.Secret, in.Secret, secretKey} {
			random := secret[strings.LastIndex(secret, ".")+1:]
			require.NotContains(t, key+dump, random)
		}
	}
}

func TestWhatIsNoPassIsNobodys(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, secret := range []string{
		"", "gwt_", "gwt_acme", "gwt_acme.", "gwt_acme.x.y", "gwt_a:b.x", "gwt_{acme}.x", "gwt_acme." + strings.Repeat("x", 65), "acme.x", "acme.x.y", "a b.c.d",
	} {
		_, err := s.here.OpenTicket(t.Context(), secret, "")
		require.ErrorIs(t, err, passes.ErrUnknownPass, secret)
		_, _, err = s.here.Console(t.Context(), secret)
		require.ErrorIs(t, err, passes.ErrUnknownPass, secret)
	}
}

func TestARedisThatIsAwayIsNoUnknownPass(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	in, err := s.here.NewSignIn(t.Context(), s.alice)
	require.NoError(t, err)
	require.NoError(t, s.client.Close())
	_, _, err = s.here.Console(t.Context(), in.Secret)
	require.ErrorIs(t, err, passes.ErrUnavailable)
	_, err = s.here.NewTicket(t.Context(), s.alice, "")
	require.ErrorIs(t, err, passes.ErrUnavailable)
	s.client = redis.NewClient(&redis.Options{})
}
