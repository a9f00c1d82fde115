package stream

import (
	"cmp"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Config is what a Hub is made of. Log, Feed and Snapshots are required; zero
// values of the rest take the defaults named here.
type Config struct {
	Log       Log
	Feed      Feed
	Snapshots Snapshotter
	Tenants   TenantSnapshotter // needed by OpenTenant only
	Logger    *slog.Logger      // none: nothing is logged

	// Now stamps the frames that the stream says about itself. It should be
	// the clock that events are stamped with. Default: time.Now.
	Now func() time.Time
	// Jitter gives numbers in [0, 1) that keep clients from acting in step.
	// It is called by many goroutines at once.
	Jitter func() float64
	// OnDiverged is told of a log whose history changed, before its readers
	// are: documents cached from it must be dropped. It must not block.
	OnDiverged func(Topic)
	// OnDelivered is told, once a drain that an event began, how long ago that
	// event was committed. It must be quick. None: nobody is told.
	OnDelivered func(time.Duration)

	Heartbeat    time.Duration // of silent and filtered streams
	Compare      time.Duration // between comparisons of heads: how late a lost notice can be
	Linger       time.Duration // how long a ring outlives its last reader
	WriteTimeout time.Duration // for one drain; a reader that takes longer is cut off
	ReadTimeout  time.Duration // for one read of the log
	RetryMin     time.Duration // least and most of the `retry:` hint: a crowd that
	RetryMax     time.Duration // lost its replica comes back spread over it

	RingBytes   int // one log's ring
	PageBytes   int // one read of a log, and what one drain sends
	BudgetBytes int // all rings of the replica
	Pagers      int // readers that are served from the log at a time
	Readers     int // streams of the replica
	Fetchers    int // logs whose gaps are read at a time
}

const (
	defaultHeartbeat    = 15 * time.Second
	defaultCompare      = 5 * time.Second
	defaultLinger       = 10 * time.Second // longer than RetryMax: who comes back finds the ring
	defaultWriteTimeout = 10 * time.Second // 256 KiB at 26 KiB/s
	defaultReadTimeout  = 5 * time.Second
	defaultRetryMin     = time.Second
	defaultRetryMax     = 5 * time.Second
	defaultRingBytes    = 4 << 20 // thousands of usual events
	defaultPageBytes    = 256 << 10
	defaultBudgetBytes  = 128 << 20 // a fraction of what the streams themselves cost
	defaultPagers       = 64        // × PageBytes × 2 = 32 MiB at worst
	defaultReaders      = 50_000    // at about 15 KB each, 750 MB
	defaultFetchers     = 4

	// chunkBytes and chunkFrames bound what a reader that is stuck in a write
	// keeps alive of frames that its ring let go.
	chunkBytes  = 32 << 10
	chunkFrames = 16
	// maxResets in a row without an event between them end a stream: its
	// snapshots don't fit its log, and repeating that helps nobody.
	maxResets = 3
	// comparePatience is how long a comparison waits for a part of the store that
	// is silent. The others' differences wait with it, and it comes again.
	comparePatience = time.Second
	// headsPerCall bounds what one comparison of heads holds, to some megabytes.
	// It is large, because each waits anew for a node that is silent.
	headsPerCall = 8192
)

func (c Config) withDefaults() Config {
	c.Heartbeat = cmp.Or(c.Heartbeat, defaultHeartbeat)
	c.Compare = cmp.Or(c.Compare, defaultCompare)
	c.Linger = cmp.Or(c.Linger, defaultLinger)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, defaultWriteTimeout)
	c.ReadTimeout = cmp.Or(c.ReadTimeout, defaultReadTimeout)
	c.RetryMin = cmp.Or(c.RetryMin, defaultRetryMin)
	c.RetryMax = max(cmp.Or(c.RetryMax, defaultRetryMax), c.RetryMin)
	c.RingBytes = cmp.Or(c.RingBytes, defaultRingBytes)
	c.PageBytes = cmp.Or(c.PageBytes, defaultPageBytes)
	c.BudgetBytes = cmp.Or(c.BudgetBytes, defaultBudgetBytes)
	c.Pagers = cmp.Or(c.Pagers, defaultPagers)
	c.Readers = cmp.Or(c.Readers, defaultReaders)
	c.Fetchers = cmp.Or(c.Fetchers, defaultFetchers)
	return c.withDefaultFuncs()
}

func (c Config) withDefaultFuncs() Config {
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Jitter == nil {
		c.Jitter = rand.Float64
	}
	if c.OnDiverged == nil {
		c.OnDiverged = func(Topic) {}
	}
	return c
}
