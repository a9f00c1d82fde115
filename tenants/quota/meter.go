package quota

import (
	"context"
	_ "embed"
	"fmt"
	"log/slog"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/redis/go-redis/v9"

	"github.com/session-gateway/gateway/tenants"
)

var (
	//go:embed take.lua
	takeSource string
	takeScript = redis.NewScript(takeSource)
	//go:embed open.lua
	openSource string
	openScript = redis.NewScript(openSource)
)

const (
	// Window is what limits are counted over.
	Window = time.Minute
	// maxBuckets bounds what a replica remembers; whoever was idle longest is
	// asked for anew.
	maxBuckets = 16_384
	// takeTimeout is how long a request waits for an allowance: a Redis that is
	// slower is treated as one that is away.
	takeTimeout = 250 * time.Millisecond
	// retryAfterOutage is how long a replica goes by itself before it asks again.
	retryAfterOutage = time.Second
)

// Resource is what a limit is of.
type Resource string

// What is counted by the minute.
const (
	Requests Resource = "requests"
	Batches  Resource = "batches"
)

// Config is what a meter needs.
type Config struct {
	Client     redis.UniversalClient // closed by who opened it
	Settings   func(tenant string) *tenants.Settings
	Tenant     tenants.Limits    // for tenants that have set none
	Key        tenants.KeyLimits // for their keys
	Replica    string            // this process, unlike all others
	Logger     *slog.Logger
	Now        func() time.Time
	SessionsOf func(ctx context.Context, tenant string) (int, error)   // how many a tenant has
	BytesOf    func(ctx context.Context, tenant string) (int64, error) // what these take
}

// Meter counts what callers use. It may be used concurrently.
type Meter struct {
	Config
	wait    time.Duration // takeTimeout, but in tests
	buckets *lru.Cache[string, *bucket]
	streams *streams
	storage *storage
}

// New makes a meter.
func New(c Config) (*Meter, error) {
	buckets, err := lru.New[string, *bucket](maxBuckets)
	if err != nil {
		return nil, fmt.Errorf("make buckets: %w", err)
	}
	return &Meter{Config: c, wait: takeTimeout, buckets: buckets, streams: newStreams(), storage: newStorage()}, nil
}

// bucket is what a replica knows of one limit.
type bucket struct {
	mu     sync.Mutex // guards what follows; held while Redis is asked, so that one asks for all
	have   int        // taken and not given yet
	left   int        // what Redis had left then
	empty  time.Time  // until then Redis has nothing
	alone  time.Time  // until then Redis isn't asked
	own    float64    // of a limit of one's own, while alone
	filled time.Time
}

// limits are those of the tenant and of its key.
func (m *Meter) limits(tenant string, of func(tenants.Limits) int64) [2]int64 {
	s := m.Settings(tenant)
	return [2]int64{limit(of(s.Limits), of(m.Tenant)), limit(of(s.KeyLimits.Limits()), of(m.Key.Limits()))}
}

// limit is what is set, else the deployment's; 0: none.
func limit(set, deployment int64) int64 {
	if set == 0 {
		set = deployment
	}
	return max(set, 0)
}

func (r Resource) of(l tenants.Limits) int64 {
	if r == Batches {
		return int64(l.BatchesPerMinute)
	}
	return int64(l.RequestsPerMinute)
}
