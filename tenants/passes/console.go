package passes

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/session-gateway/gateway/tenants"
)

const (
	// ConsoleTime is how long a sign-in lasts: a day's work, not a night.
	ConsoleTime = 12 * time.Hour
	// maxSignIns is how many sign-ins one key or person has at once; with the
	// next one the oldest ends. It bounds what is kept.
	maxSignIns = 20
)

// SignIn is a cookie and what goes with it.
type SignIn struct {
	Secret    string // the cookie's value
	CSRF      string // to be sent as X-CSRF-Token with every write
	ExpiresAt time.Time
}

// NewSignIn makes a sign-in of a caller.
func (s *Store) NewSignIn(ctx context.Context, c tenants.Caller) (SignIn, error) {
	principal := digest(c.Principal())[:32]
	in := SignIn{
		Secret: strings.Join([]string{c.Tenant, principal, newSecret()}, "."), CSRF: newSecret(),
		ExpiresAt: s.expiry(c, ConsoleTime),
	}
	text, err := encode(c, in.ExpiresAt, in.CSRF)
	if err != nil {
		return SignIn{}, err
	}
	key := consoleKey(c.Tenant, principal)
	if err := s.makeRoom(ctx, key); err != nil {
		return SignIn{}, err
	}
	pipe := s.client.TxPipeline()
	pipe.HSet(ctx, key, digest(in.Secret), text)
	pipe.Expire(ctx, key, ConsoleTime)
	_, err = pipe.Exec(ctx)
	return in, answered("keep sign-in", err)
}

// makeRoom forgets sign-ins that are over, and the oldest where there are too
// many. Two at once may leave one more than the limit, which the next one ends.
func (s *Store) makeRoom(ctx context.Context, key string) error {
	all, err := s.client.HGetAll(ctx, key).Result()
	if err != nil {
		return answered("read sign-ins", err)
	}
	type entry struct {
		field   string
		expires time.Time
	}
	var live []entry
	var gone []string
	for field, text := range all {
		var p stored
		if err := json.Unmarshal([]byte(text), &p); err != nil || !s.now().Before(p.ExpiresAt) {
			gone = append(gone, field)
			continue
		}
		live = append(live, entry{field, p.ExpiresAt})
	}
	slices.SortFunc(live, func(a, b entry) int { return a.expires.Compare(b.expires) })
	for len(live) >= maxSignIns {
		gone, live = append(gone, live[0].field), live[1:]
	}
	if len(gone) == 0 {
		return nil
	}
	return answered("forget sign-ins", s.client.HDel(ctx, key, gone...).Err())
}

// Console is who a cookie signed in, and what goes with it.
func (s *Store) Console(ctx context.Context, secret string) (tenants.Caller, SignIn, error) {
	key, ok := signInKey(secret)
	if !ok {
		return tenants.Caller{}, SignIn{}, ErrUnknownPass
	}
	text, err := s.client.HGet(ctx, key, digest(secret)).Result()
	if err != nil {
		return tenants.Caller{}, SignIn{}, answered("read sign-in", err)
	}
	tenant, _, _ := strings.Cut(secret, ".")
	c, p, err := s.recall(text, tenant)
	if err != nil {
		return tenants.Caller{}, SignIn{}, err
	}
	return c, SignIn{Secret: secret, CSRF: p.CSRF, ExpiresAt: p.ExpiresAt}, nil
}

// SignOut ends a sign-in. One that has ended is none.
func (s *Store) SignOut(ctx context.Context, secret string) error {
	key, ok := signInKey(secret)
	if !ok {
		return nil
	}
	if err := s.client.HDel(ctx, key, digest(secret)).Err(); err != nil {
		return fmt.Errorf("forget sign-in: %w: %w", ErrUnavailable, err)
	}
	return nil
}

func signInKey(secret string) (string, bool) {
	parts, ok := split(secret, 2)
	if !ok {
		return "", false
	}
	return consoleKey(parts[0], parts[1]), true
}
