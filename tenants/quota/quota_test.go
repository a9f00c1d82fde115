package quota_test

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/quota"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(redistest.Main(m)) }

var ci = tenants.Caller{Tenant: "acme", KeyID: "ci"}

// scene is replicas on one Redis whose clock the test moves.
type scene struct {
	t        *testing.T
	client   *redis.Client
	asked    atomic.Int64
	settings tenants.Settings
	sessions int
	bytes    atomic.Int64
	broken   atomic.Bool // nothing can be measured
	measured chan struct{}

	mu  sync.Mutex
	now time.Time
}

func newScene(t *testing.T, s tenants.Settings) *scene {
	t.Helper()
	options, err := redis.ParseURL(redistest.Start(t).URL())
	require.NoError(t, err)
	sc := &scene{t: t, client: redis.NewClient(options), settings: s, measured: make(chan struct{}, 1), now: time.UnixMilli(1_700_000_000_000)}
	sc.client.AddHook(counting{&sc.asked})
	t.Cleanup(func() { _ = sc.client.Close() })
	return sc
}

// counting counts scripts.
type counting struct{ n *atomic.Int64 }

func (c counting) DialHook(next redis.DialHook) redis.DialHook { return next }
func (c counting) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		if strings.HasPrefix(cmd.Name(), "evalsha") {
			c.n.Add(1)
		}
		return next(ctx, cmd)
	}
}

func (c counting) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return next
}

func (s *scene) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

func (s *scene) replica(name string) *quota.Meter {
	s.t.Helper()
	m, err := quota.New(quota.Config{
		Client: s.client, Settings: func(string) *tenants.Settings { return &s.settings }, Replica: name, Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.now
		},
		SessionsOf: func(context.Context, string) (int, error) { return s.sessions, nil },
		BytesOf:    s.bytesOf,
	})
	require.NoError(s.t, err)
	quota.Wait(m, patience)
	return m
}

func (s *scene) bytesOf(context.Context, string) (int64, error) {
	defer func() { s.measured <- struct{}{} }()
	if s.broken.Load() {
		return 0, context.DeadlineExceeded
	}
	return s.bytes.Load(), nil
}

// granted is how many of n requests are not refused.
func granted(t *testing.T, n int, replicas ...*quota.Meter) int {
	t.Helper()
	good := 0
	for i := range n {
		refused := false
		for _, s := range replicas[i%len(replicas)].Spend(t.Context(), ci, quota.Requests) {
			refused = refused || s.Refused
		}
		if !refused {
			good++
		}
	}
	return good
}

func TestReplicasShareALimitAndAskOnceAChunk(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{Limits: tenants.Limits{RequestsPerMinute: 200}})
	a, b := s.replica("a"), s.replica("b")
	require.Equal(t, 200, granted(t, 1000, a, b))
	require.LessOrEqual(t, s.asked.Load(), int64(200/10+2+2), "a chunk is a twentieth; who has none waits")
	s.pass(30 * time.Second)
	require.Equal(t, 100, granted(t, 1000, a, b), "it fills evenly")
}

func TestAKeyHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{
		Limits: tenants.Limits{RequestsPerMinute: 1000}, KeyLimits: tenants.KeyLimits{RequestsPerMinute: 5},
	})
	m := s.replica("a")
	require.Equal(t, 5, granted(t, 50, m))
	other := m.Spend(t.Context(), tenants.Caller{Tenant: "acme", KeyID: "web"}, quota.Requests)
	require.Len(t, other, 2)
	require.False(t, other[1].Refused)
	last := m.Spend(t.Context(), ci, quota.Requests)
	require.True(t, last[1].Refused)
	require.Equal(t, "key-requests", last[1].Name)
	require.Equal(t, 12*time.Second, last[1].Reset, "five a minute")
}

func TestWithoutALimitNothingIsCounted(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{Limits: tenants.Limits{RequestsPerMinute: -1}})
	m := s.replica("a")
	m.Tenant.RequestsPerMinute = 5
	require.Empty(t, m.Spend(t.Context(), ci, quota.Requests), "the tenant has none, whatever the deployment's")
	m.Tenant.BatchesPerMinute = 5
	require.Len(t, m.Spend(t.Context(), ci, quota.Batches), 1, "the deployment's")
}

func TestAnOutageStopsNobodyAndBoundsEachReplica(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{Limits: tenants.Limits{RequestsPerMinute: 60, OpenStreams: 1}})
	m := s.replica("a")
	require.NoError(t, s.client.Close())
	require.Equal(t, 60, granted(t, 1000, m))
	s.pass(10 * time.Second)
	require.Equal(t, 10, granted(t, 1000, m))
	_, refused := m.OpenStream(t.Context(), ci)
	require.Nil(t, refused)
	_, refused = m.OpenStream(t.Context(), ci)
	require.NotNil(t, refused)
}

func TestAStreamTooManyIsRefusedAndNoOtherOneIsTouched(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{Limits: tenants.Limits{OpenStreams: 2}})
	a, b := s.replica("a"), s.replica("b")
	first, refused := a.OpenStream(t.Context(), ci)
	require.Nil(t, refused)
	_, refused = b.OpenStream(t.Context(), ci)
	require.Nil(t, refused)
	for range 3 {
		_, refused = a.OpenStream(t.Context(), ci)
		require.Equal(t, &quota.Standing{Name: "tenant-streams", Limit: 2, Refused: true}, refused)
	}
	first()
	_, refused = b.OpenStream(t.Context(), ci)
	require.Nil(t, refused, "a place was given back")

	s.pass(2 * time.Minute) // the other replica has died
	_, refused = s.replica("c").OpenStream(t.Context(), ci)
	require.Nil(t, refused)
}

func TestSessionsAreCounted(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{Limits: tenants.Limits{Sessions: 2}})
	m := s.replica("a")
	s.sessions = 1
	full, err := m.NewSession(t.Context(), ci)
	require.NoError(t, err)
	require.Nil(t, full)
	s.sessions = 2
	full, err = m.NewSession(t.Context(), ci)
	require.NoError(t, err)
	require.True(t, full.Refused)
}

// patience is how long a test waits for what another goroutine does.
// It is far over what it takes, for the sake of busy machines.
const patience = 90 * time.Second

func TestStoredBytesAreMeasuredNowAndThen(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{Limits: tenants.Limits{StoredBytes: 100}})
	m := s.replica("a")
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- m.Measure(ctx) }()
	full := func() bool { return m.Storage(ci) != nil }
	measure := func(bytes int64) {
		s.bytes.Store(bytes)
		s.pass(time.Minute)
		full() // it asks
		<-s.measured
	}
	require.False(t, full(), "not measured yet")
	<-s.measured
	measure(100)
	require.Eventually(t, full, patience, time.Millisecond)
	s.broken.Store(true)
	measure(0)
	require.True(t, full(), "the last measurement counts on")
	s.broken.Store(false)
	measure(99)
	require.Eventually(t, func() bool { return !full() }, patience, time.Millisecond, "something was deleted")
	stop()
	require.ErrorIs(t, <-done, context.Canceled)
}

func TestEveryKeyNamesItsTenantAndEnds(t *testing.T) {
	t.Parallel()
	s := newScene(t, tenants.Settings{
		Limits:    tenants.Limits{RequestsPerMinute: 10, OpenStreams: 10},
		KeyLimits: tenants.KeyLimits{RequestsPerMinute: 10, OpenStreams: 10},
	})
	m := s.replica("a")
	m.Spend(t.Context(), ci, quota.Requests)
	_, refused := m.OpenStream(t.Context(), ci)
	require.Nil(t, refused)
	keys, err := s.client.Keys(t.Context(), "*").Result()
	require.NoError(t, err)
	require.Len(t, keys, 4)
	for _, key := range keys {
		require.Contains(t, key, "}:acme:")
	}
}
