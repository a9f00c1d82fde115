package admin_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/sessions"
	sessionstore "github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/admin"
	"github.com/session-gateway/gateway/tenants/store"
)

func TestMain(m *testing.M) {
	logging.Disable()
	goleak.VerifyTestMain(redistest.Main(m))
}

// desk is a replica with its administration, on a Redis of its own.
type desk struct {
	*admin.Service
	dir      *tenants.Directory
	sessions *sessions.Service
	redis    *redis.Client
}

// sink hears of commits and does nothing.
type sink struct{}

func (sink) Notify(stream.Notice) {}
func (sink) Resync([]uint16)      {}

func newDesk(t *testing.T) desk {
	t.Helper()
	server := redistest.Start(t)
	kept, err := sessionstore.Open(t.Context(), sessionstore.Config{URL: server.URL()})
	require.NoError(t, err)
	dir, err := tenants.NewDirectory()
	require.NoError(t, err)
	known := store.New(store.Config{Client: kept.Client(), Directory: dir})
	require.NoError(t, known.Load(t.Context()))
	service, err := sessions.New(sessions.Config{Store: kept, Feed: kept, Settings: dir.Settings})
	require.NoError(t, err)
	d := desk{dir: dir, sessions: service, redis: server.Client(t)}
	d.Service = admin.New(admin.Config{
		Store: known, Directory: dir, Sessions: service, SharedKeys: sessionstore.SharedKeys, Quiet: time.Millisecond,
	})
	run(t, kept.Close, d.Run, known.Run, func(ctx context.Context) error { return kept.Run(ctx, sink{}) })
	return d
}

// run runs parts until the test ends, and then closes what they stand on.
func run(t *testing.T, end func() error, parts ...func(context.Context) error) {
	t.Helper()
	done := make(chan error, len(parts))
	for _, p := range parts {
		go func() { done <- p(t.Context()) }()
	}
	t.Cleanup(func() {
		for range parts {
			require.NoError(t, <-done)
		}
		require.NoError(t, end())
	})
}

var (
	operator = tenants.Caller{Tenant: "ops", KeyID: "op", Subject: "op", Roles: []tenants.Role{tenants.RoleOperator}}
	acme     = tenants.Caller{Tenant: "acme", KeyID: "boss", Subject: "boss", Roles: []tenants.Role{tenants.RoleAdmin}}
	globex   = tenants.Caller{Tenant: "globex", KeyID: "boss", Subject: "boss", Roles: []tenants.Role{tenants.RoleAdmin}}
)

func (d desk) create(t *testing.T, ids ...string) {
	t.Helper()
	for _, id := range ids {
		_, err := d.CreateTenant(t.Context(), operator, sessions.Idempotency{}, admin.NewTenant{ID: id})
		require.NoError(t, err)
	}
}

func codeOf(t *testing.T, err error) sessions.Code {
	t.Helper()
	var p *sessions.Problem
	require.ErrorAs(t, err, &p)
	return p.Code
}

var host = admin.NewKey{ID: "ci", Subject: "ci", Roles: []tenants.Role{tenants.RoleHost}}

func TestAKeyIsToldOnceAndNowhereElse(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme")
	idem := sessions.Idempotency{Key: "k", Route: "POST /keys", BodyHash: [32]byte{1}}
	made, err := d.CreateKey(t.Context(), acme, idem, "acme", host)
	require.NoError(t, err)
	secret := *made.Value.Secret
	require.True(t, tenants.WellFormed(secret))
	caller, err := d.dir.Authenticate(secret)
	require.NoError(t, err)
	require.Equal(t, "acme/ci", caller.Principal())

	again, err := d.CreateKey(t.Context(), acme, idem, "acme", host)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.Nil(t, again.Value.Secret)
	require.Equal(t, made.Value.ID, again.Value.ID)

	other := idem
	other.BodyHash[0] = 2
	_, err = d.CreateKey(t.Context(), acme, other, "acme", host)
	require.Equal(t, sessions.CodeIdempotencyReused, codeOf(t, err))
	require.NotContains(t, d.dump(t), strings.TrimPrefix(secret, tenants.KeyPrefix))
}

// dump is everything that Redis holds, as text.
func (d desk) dump(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	keys, err := d.redis.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	for _, key := range keys {
		all.WriteString(key + "\n")
		switch kind, _ := d.redis.Type(t.Context(), key).Result(); kind {
		case "hash":
			fields, err := d.redis.HGetAll(t.Context(), key).Result()
			require.NoError(t, err)
			for name, value := range fields {
				all.WriteString(name + "=" + value + "\n")
			}
		case "zset":
			members, err := d.redis.ZRange(t.Context(), key, 0, -1).Result()
			require.NoError(t, err)
			all.WriteString(strings.Join(members, "\n") + "\n")
		case "string":
			value, err := d.redis.Get(t.Context(), key).Result()
			require.NoError(t, err)
			all.WriteString(value + "\n")
		}
	}
	return all.String()
}

func TestARotatedKeyIsGoodBesideItsSuccessorForTheOverlap(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme")
	first, err := d.CreateKey(t.Context(), acme, sessions.Idempotency{}, "acme", host)
	require.NoError(t, err)
	second, err := d.RotateKey(t.Context(), acme, sessions.Idempotency{}, "acme", "ci", time.Hour)
	require.NoError(t, err)
	for _, secret := range []*string{first.Value.Secret, second.Value.Secret} {
		_, err := d.dir.Authenticate(*secret)
		require.NoError(t, err)
	}
	third, err := d.RotateKey(t.Context(), acme, sessions.Idempotency{}, "acme", "ci", 0)
	require.NoError(t, err)
	for _, secret := range []*string{first.Value.Secret, second.Value.Secret} {
		_, err := d.dir.Authenticate(*secret)
		require.ErrorIs(t, err, tenants.ErrUnknownKey)
	}
	_, err = d.dir.Authenticate(*third.Value.Secret)
	require.NoError(t, err)

	require.NoError(t, d.RevokeKey(t.Context(), acme, "acme", "ci"))
	require.NoError(t, d.RevokeKey(t.Context(), acme, "acme", "ci"), "twice")
	_, err = d.RotateKey(t.Context(), acme, sessions.Idempotency{}, "acme", "ci", 0)
	require.Equal(t, admin.CodeKeyDead, codeOf(t, err))
	_, err = d.CreateKey(t.Context(), acme, sessions.Idempotency{}, "acme", host)
	require.Equal(t, admin.CodeKeyExists, codeOf(t, err), "its id is not given again")
}

func TestNobodyAdministersWhatIsNotTheirs(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme", "globex")
	ctx, none := t.Context(), sessions.Idempotency{}
	narrowed := acme
	narrowed.Narrow = &tenants.Narrow{SessionID: "s"}
	for name, c := range map[string]struct {
		caller tenants.Caller
		code   sessions.Code
	}{
		"another tenant's admin":     {globex, sessions.CodeNotFound},
		"a narrowed admin":           {narrowed, sessions.CodeNotFound},
		"somebody without the roles": {tenants.Caller{Tenant: "acme", Roles: []tenants.Role{tenants.RoleFrontend}}, sessions.CodeNotFound},
	} {
		_, err := d.Tenant(ctx, c.caller, "acme")
		require.Equal(t, c.code, codeOf(t, err), name)
		_, err = d.Keys(ctx, c.caller, "acme")
		require.Equal(t, c.code, codeOf(t, err), name)
		_, err = d.CreateKey(ctx, c.caller, none, "acme", host)
		require.Equal(t, c.code, codeOf(t, err), name)
		_, err = d.PutSettings(ctx, c.caller, "acme", tenants.Settings{}, nil)
		require.Equal(t, c.code, codeOf(t, err), name)
		require.Equal(t, c.code, codeOf(t, d.Export(ctx, c.caller, "acme", func(admin.ExportLine) error { return nil })), name)
	}
	_, err := d.CreateTenant(ctx, acme, none, admin.NewTenant{ID: "third"})
	require.Equal(t, sessions.CodeForbidden, codeOf(t, err))
	_, err = d.DeleteTenant(ctx, acme, "acme")
	require.Equal(t, sessions.CodeForbidden, codeOf(t, err))
	_, err = d.CreateKey(ctx, acme, none, "acme", admin.NewKey{Subject: "x", Roles: []tenants.Role{tenants.RoleOperator}})
	require.Equal(t, sessions.CodeForbidden, codeOf(t, err))
	page, err := d.Tenants(ctx, acme, 10, "")
	require.NoError(t, err)
	require.Len(t, page.Data, 1)
	page, err = d.Tenants(ctx, operator, 1, "")
	require.NoError(t, err)
	require.Equal(t, "acme", page.Data[0].ID)
	page, err = d.Tenants(ctx, operator, 1, *page.NextCursor)
	require.NoError(t, err)
	require.Equal(t, "globex", page.Data[0].ID)
	require.Nil(t, page.NextCursor)
}

func TestSettingsAreReplacedAsAWholeAtARevision(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme")
	hook := tenants.Hook{ID: "pager", URL: "https://hooks.example/", Events: []tenants.HookEvent{tenants.HookApprovalRequested}, Secret: "whsec_c2VjcmV0"}
	set, err := d.PutSettings(t.Context(), acme, "acme", tenants.Settings{Hooks: []tenants.Hook{hook}, Approvers: tenants.Approvers{Min: tenants.MaxApprovers}}, nil)
	require.NoError(t, err)
	require.EqualValues(t, 1, set.Revision)
	require.Empty(t, set.Hooks[0].Secret)
	require.Equal(t, hook.Secret, d.dir.Settings("acme").Hooks[0].Secret)

	zero, one := int64(0), int64(1)
	_, err = d.PutSettings(t.Context(), acme, "acme", tenants.Settings{}, &zero)
	require.Equal(t, sessions.CodePreconditionFailed, codeOf(t, err))
	hook.Secret = ""
	_, err = d.PutSettings(t.Context(), acme, "acme", tenants.Settings{Hooks: []tenants.Hook{hook}}, &one)
	require.NoError(t, err)
	now := d.dir.Settings("acme")
	require.Equal(t, "whsec_c2VjcmV0", now.Hooks[0].Secret, "kept")
	require.Zero(t, now.Approvers.Min, "unset")
	require.EqualValues(t, 2, now.Revision)
}

func TestWhatIsWrongWithSettingsIsNamedFieldByField(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme")
	paths := []string{""}
	_, err := d.PutSettings(t.Context(), acme, "acme", tenants.Settings{
		Rules: tenants.Rules{Deny: []string{"fine", "write("}}, ProtectedPaths: &paths, PlanShell: "maybe",
		Approvers: tenants.Approvers{Min: 17, Roles: []tenants.Role{tenants.RoleHost}},
		Hooks:     []tenants.Hook{{ID: "A", URL: "ftp://x", Events: []tenants.HookEvent{"x"}, Secret: "plain", TimeoutMS: -1, OnTimeout: "allow"}},
		Limits:    tenants.Limits{Sessions: -2},
	}, nil)
	var p *sessions.Problem
	require.ErrorAs(t, err, &p)
	var named []string
	for _, f := range p.Fields {
		named = append(named, f.Path)
		require.NotContains(t, f.Detail, "plain")
	}
	require.ElementsMatch(t, []string{
		"/plan_shell", "/approvers/min", "/approvers/roles/0", "/hooks/0/id", "/hooks/0/url", "/hooks/0/events/0",
		"/hooks/0/secret", "/hooks/0/timeout_ms", "/hooks/0/on_timeout", "/limits/sessions", "/rules/deny/1", "/protected_paths/0",
	}, named)
	require.Zero(t, d.dir.Settings("acme").Revision)
}

func TestAnErasedTenantLeavesNothingAndItsNeighbourEverything(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.create(t, "acme", "globex")
	ctx := t.Context()
	made, err := d.CreateKey(ctx, acme, sessions.Idempotency{Key: "k", Route: "r"}, "acme", host)
	require.NoError(t, err)
	for range 20 {
		for _, c := range []tenants.Caller{acme, globex} {
			_, err := d.sessions.Create(ctx, c, sessions.Idempotency{Key: tenants.NewKey(), Route: "r"}, sessions.Spec{})
			require.NoError(t, err)
		}
	}
	_, err = d.PutSettings(ctx, acme, "acme", tenants.Settings{PlanShell: tenants.PlanShellReadOnly}, nil)
	require.NoError(t, err)
	lines := map[string]int{}
	require.NoError(t, d.Export(ctx, acme, "acme", func(l admin.ExportLine) error {
		lines[l.Type]++
		return nil
	}))
	delete(lines, "audit") // seals come when they do
	require.Equal(t, map[string]int{"tenant": 1, "settings": 1, "key": 1, "session": 20, "event": 20}, lines)

	gone, err := d.DeleteTenant(ctx, operator, "acme")
	require.NoError(t, err)
	require.Equal(t, "erasing", gone.Status)
	_, err = d.dir.Authenticate(*made.Value.Secret)
	require.ErrorIs(t, err, tenants.ErrUnknownKey)
	_, err = d.CreateTenant(ctx, operator, sessions.Idempotency{}, admin.NewTenant{ID: "acme"})
	require.Equal(t, admin.CodeTenantExists, codeOf(t, err), "not before it is gone")
	require.Eventually(t, func() bool {
		_, err := d.Tenant(ctx, operator, "acme")
		return err != nil && codeOf(t, err) == sessions.CodeNotFound
	}, 90*time.Second, 20*time.Millisecond)
	require.NotContains(t, d.dump(t), "acme")
	page, err := d.sessions.List(ctx, globex, sessions.SessionFilter{})
	require.NoError(t, err)
	require.Len(t, page.Data, 20)
	d.create(t, "acme")
}
