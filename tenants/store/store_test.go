package store

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/tenants"
)

func TestMain(m *testing.M) {
	logging.Disable() // outages are what some tests are about
	goleak.VerifyTestMain(redistest.Main(m))
}

// drivers are the servers that the suite runs against; each test has a server
// of its own or, in a cluster, tenants of its own.
var drivers = []struct {
	name string
	open func(testing.TB) func() redis.UniversalClient
}{
	{"embedded", func(tb testing.TB) func() redis.UniversalClient {
		server := miniredis.RunT(tb)
		return func() redis.UniversalClient { return redis.NewClient(&redis.Options{Addr: server.Addr()}) }
	}},
	{"redis", func(tb testing.TB) func() redis.UniversalClient {
		server := redistest.Shared(tb)
		return func() redis.UniversalClient { return redis.NewClient(&redis.Options{Addr: server.Addr()}) }
	}},
	{"cluster", func(tb testing.TB) func() redis.UniversalClient {
		options, err := redis.ParseClusterURL(redistest.SharedCluster(tb).URL())
		require.NoError(tb, err)
		return func() redis.UniversalClient { return redis.NewClusterClient(options) }
	}},
}

// replica is a store with its copy.
type replica struct {
	*Store
	dir *tenants.Directory
}

func newReplica(t *testing.T, client redis.UniversalClient, seeds ...tenants.Tenant) replica {
	t.Helper()
	t.Cleanup(func() { require.NoError(t, client.Close()) })
	dir, err := tenants.NewDirectory()
	require.NoError(t, err)
	r := replica{Store: New(Config{Client: client, Directory: dir, Seeds: seeds}), dir: dir}
	require.NoError(t, r.Load(t.Context()))
	return r
}

// running lets a replica follow what others change, until the test ends.
func (r replica) running(t *testing.T) replica {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- r.Run(t.Context()) }()
	t.Cleanup(func() { require.NoError(t, <-done) })
	return r
}

func onEveryDriver(t *testing.T, test func(t *testing.T, open func() redis.UniversalClient)) {
	t.Helper()
	t.Parallel()
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			test(t, d.open(t))
		})
	}
}

var made atomic.Int64

// newTenant is a tenant that no other test uses, with one key.
func newTenant() (t tenants.Tenant, bearer string) {
	bearer = tenants.NewKey()
	return tenants.Tenant{
		ID: fmt.Sprintf("tenant%d", made.Add(1)), CreatedAt: time.Now().UTC(),
		Keys: []tenants.Key{{
			ID: "ci", SHA256: tenants.DigestOf(bearer).String(), Subject: "ci", Roles: []tenants.Role{tenants.RoleHost},
		}},
	}, bearer
}

// revoke takes the only key of a tenant away.
func revoke(t *testing.T, s *Store, id string) {
	t.Helper()
	_, err := s.Change(t.Context(), id, func(c *tenants.Tenant) (*Record, error) {
		c.Keys[0].RevokedAt = time.Now()
		return nil, nil
	})
	require.NoError(t, err)
}

// dies waits until a key is refused.
func dies(t *testing.T, dir *tenants.Directory, bearer string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, err := dir.Authenticate(bearer)
		return err != nil
	}, patience, 5*time.Millisecond)
}

// patience is how long a test waits for what another goroutine or server does.
// It is far over what it takes, for the sake of busy machines.
const patience = 90 * time.Second

// TestAReplicaAsksOftenEnough: what a replica was not told of it finds out within
// the second that is promised.
func TestAReplicaAsksOftenEnough(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, pollEvery, time.Second/2)
}

func TestAKeyIsGoodAtOnceWhereItWasMadeAndDeadEverywhereWithinASecond(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() redis.UniversalClient) {
		here, there := newReplica(t, open()), newReplica(t, open()).running(t)
		tenant, bearer := newTenant()
		require.NoError(t, here.Create(t.Context(), tenant, nil))
		caller, err := here.dir.Authenticate(bearer)
		require.NoError(t, err)
		require.Equal(t, tenant.ID, caller.Tenant)
		require.Eventually(t, func() bool {
			_, err := there.dir.Authenticate(bearer)
			return err == nil
		}, patience, 5*time.Millisecond)

		revoke(t, here.Store, tenant.ID)
		require.False(t, here.dir.StillValid(caller))
		dies(t, there.dir, bearer)
	})
}

func TestARevocationThatNobodyWasToldOfIsFoundByAsking(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	here, there := newReplica(t, server.Client(t)), newReplica(t, deaf(t, server)).running(t)
	tenant, bearer := newTenant()
	require.NoError(t, here.Create(t.Context(), tenant, nil))
	require.Eventually(t, func() bool { return there.dir.Knows(tenant.ID) }, patience, 5*time.Millisecond)
	revoke(t, here.Store, tenant.ID)
	dies(t, there.dir, bearer)
}

// deaf is a client that is never told anything: its user may not subscribe.
func deaf(t *testing.T, server *redistest.Server) redis.UniversalClient {
	t.Helper()
	rule := []any{"ACL", "SETUSER", "deaf", "on", ">pw", "~*", "+@all", "resetchannels"}
	require.NoError(t, server.Client(t).Do(t.Context(), rule...).Err())
	return redis.NewClient(&redis.Options{Addr: server.Addr(), Username: "deaf", Password: "pw"})
}

func TestDuringAnOutageKeysStayAsTheyWere(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	r := newReplica(t, redis.NewClient(&redis.Options{Addr: server.Addr()})).running(t)
	tenant, bearer := newTenant()
	require.NoError(t, r.Create(t.Context(), tenant, nil))
	server.Kill()
	_, err := r.Get(t.Context(), tenant.ID)
	require.ErrorIs(t, err, ErrUnavailable)
	_, err = r.dir.Authenticate(bearer)
	require.NoError(t, err)
}

func TestChangesOfTwoReplicasAreBothKept(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() redis.UniversalClient) {
		tenant, _ := newTenant()
		replicas := []replica{newReplica(t, open()), newReplica(t, open())}
		require.NoError(t, replicas[0].Create(t.Context(), tenant, nil))
		require.ErrorIs(t, replicas[1].Create(t.Context(), tenant, nil), ErrExists)
		const each = 10
		done := make(chan error, len(replicas))
		for i, r := range replicas {
			go func() {
				var err error
				for n := 0; n < each && err == nil; n++ {
					_, err = r.Change(t.Context(), tenant.ID, func(c *tenants.Tenant) (*Record, error) {
						c.Keys = append(c.Keys, tenants.Key{ID: fmt.Sprintf("k%d-%d", i, n)})
						return nil, nil
					})
				}
				done <- err
			}()
		}
		for range replicas {
			require.NoError(t, <-done)
		}
		got, err := replicas[0].Get(t.Context(), tenant.ID)
		require.NoError(t, err)
		require.Len(t, got.Keys, 1+2*each)
	})
}

func TestADeletedTenantIsNobodyAndLeavesNoKey(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() redis.UniversalClient) {
		here, there := newReplica(t, open()), newReplica(t, open()).running(t)
		tenant, bearer := newTenant()
		require.NoError(t, here.Create(t.Context(), tenant, nil))
		require.Eventually(t, func() bool { return there.dir.Knows(tenant.ID) }, patience, 5*time.Millisecond)
		require.NoError(t, here.Delete(t.Context(), tenant.ID))
		require.NoError(t, here.Delete(t.Context(), tenant.ID), "twice")
		dies(t, there.dir, bearer)
		_, err := there.Get(t.Context(), tenant.ID)
		require.ErrorIs(t, err, ErrNotFound)
		found, _, err := here.List(t.Context(), "", tenants.MaxTenants)
		require.NoError(t, err)
		for _, other := range found {
			require.NotEqual(t, tenant.ID, other.ID)
		}
	})
}

func TestARequestIsCarriedOutOnce(t *testing.T) {
	onEveryDriver(t, func(t *testing.T, open func() redis.UniversalClient) {
		r := newReplica(t, open())
		tenant, _ := newTenant()
		record := &Record{Scope: "s", Text: "answer", TTL: time.Minute}
		require.NoError(t, r.Create(t.Context(), tenant, record))
		require.ErrorIs(t, r.Create(t.Context(), tenant, record), ErrAnswered)
		text, stored, err := r.Answer(t.Context(), tenant.ID, "s")
		require.NoError(t, err)
		require.True(t, stored)
		require.Equal(t, "answer", text)
		_, stored, err = r.Answer(t.Context(), tenant.ID, "another")
		require.NoError(t, err)
		require.False(t, stored)
	})
}

func TestTenantsAreListedInPages(t *testing.T) {
	t.Parallel()
	r := newReplica(t, redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()}))
	for _, id := range []string{"c", "a", "b"} {
		require.NoError(t, r.Create(t.Context(), tenants.Tenant{ID: id}, nil))
	}
	first, more, err := r.List(t.Context(), "", 2)
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, []string{"a", "b"}, []string{first[0].ID, first[1].ID})
	rest, more, err := r.List(t.Context(), "b", 2)
	require.NoError(t, err)
	require.False(t, more)
	require.Len(t, rest, 1)
}

func TestADocumentOfANewerBuildIsNotUnderstoodAndItsKeysAreRefused(t *testing.T) {
	t.Parallel()
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(t).Addr()})
	r := newReplica(t, client)
	tenant, bearer := newTenant()
	require.NoError(t, r.Create(t.Context(), tenant, nil))
	ctx := t.Context()
	require.NoError(t, client.HSet(ctx, tenantKey(tenant.ID), fieldDoc, `{"schema":2}`, fieldToken, "t").Err())
	require.NoError(t, client.HSet(ctx, indexKey, tenant.ID, "t").Err())
	require.NoError(t, client.Set(ctx, versionKey, "t", 0).Err())
	require.NoError(t, r.refresh(ctx))
	_, err := r.dir.Authenticate(bearer)
	require.ErrorIs(t, err, tenants.ErrUnknownKey)
	_, err = r.Get(ctx, tenant.ID)
	require.ErrorIs(t, err, ErrNewerSchema)
}
