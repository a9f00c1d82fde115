package metrics

import (
	"context"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// pendingEvery is how old the count of open approvals gets, pendingTimeout how
// long it may take: a few pipelines over all buckets.
const (
	pendingEvery   = 15 * time.Second
	pendingTimeout = 5 * time.Second
)

// Streams is what is asked of the hub.
type Streams interface {
	Stats() stream.Stats
	Totals() stream.Totals
	MaxReaders() int
}

// Store is what is asked of the store.
type Store interface {
	Stats() store.Stats
	Pending(ctx context.Context) (store.Pending, error)
	Now() time.Time
}

// Sources are read when somebody scrapes.
type Sources struct {
	Streams Streams
	Store   Store
	Log     *slog.Logger

	pending atomic.Pointer[store.Pending]
}

var _ prometheus.Collector = (*Sources)(nil)

// Watch adds sources. It is called once.
func (m *Metrics) Watch(s *Sources) { m.registry.MustRegister(s) }

// Run counts the open approvals now and then, until ctx ends.
func (s *Sources) Run(ctx context.Context) error {
	tick := time.NewTicker(pendingEvery)
	defer tick.Stop()
	for {
		s.count(ctx)
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// count keeps the last answer when there is none: that Redis is away has a
// metric of its own.
func (s *Sources) count(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pendingTimeout)
	defer cancel()
	p, err := s.Store.Pending(ctx)
	if err != nil {
		s.Log.LogAttrs(ctx, slog.LevelDebug, "open approvals not counted", slog.Any("error", err))
		return
	}
	s.pending.Store(&p)
}

// reading is a metric that is read from a source.
type reading struct {
	*prometheus.Desc
	kind prometheus.ValueType
}

func gaugeOf(name, help string) reading {
	return reading{prometheus.NewDesc(namespace+"_"+name, help, nil, nil), prometheus.GaugeValue}
}

func counterOf(name, help string, labels ...string) reading {
	return reading{prometheus.NewDesc(namespace+"_"+name, help, labels, nil), prometheus.CounterValue}
}

func (r reading) of(v float64, labels ...string) prometheus.Metric {
	return prometheus.MustNewConstMetric(r.Desc, r.kind, v, labels...)
}

var (
	streamsOpen  = gaugeOf("streams_open", "Streams that are open.")
	streamsLimit = gaugeOf("streams_limit", "Streams that this replica takes.")
	ringBytes    = gaugeOf("stream_ring_bytes", "Bytes of frames kept for readers.")
	framesSent   = counterOf("stream_frames_sent_total", "Events that were written to readers.")
	slowReaders  = counterOf("stream_slow_readers_total", "Readers that were cut off because they did not keep up.")
	streamResets = counterOf("stream_resets_total", "Readers that had to begin anew from a snapshot.", "reason")

	redisUp      = gaugeOf("redis_up", "1 if Redis answered the last sample.")
	redisFill    = gaugeOf("redis_memory_used_ratio", "Share of maxmemory used, of the fullest node; 0 without a limit.")
	redisEvicted = counterOf("redis_evicted_keys_total", "Keys that Redis threw away; any is a loss.")
	redisOffset  = gaugeOf("redis_clock_offset_seconds", "Redis's clock minus this machine's.")

	openApprovals  = gaugeOf("approvals_open", "Questions that wait for a person, of the whole deployment.")
	oldestApproval = gaugeOf("approvals_oldest_open_seconds", "How long the oldest of them has waited.")
)

// Describe names what is read.
func (s *Sources) Describe(out chan<- *prometheus.Desc) {
	for _, r := range []reading{
		streamsOpen, streamsLimit, ringBytes, framesSent, slowReaders, streamResets,
		redisUp, redisFill, redisEvicted, redisOffset, openApprovals, oldestApproval,
	} {
		out <- r.Desc
	}
}

// Collect reads it.
func (s *Sources) Collect(out chan<- prometheus.Metric) {
	s.collectStreams(out)
	s.collectStore(out)
	if p := s.pending.Load(); p != nil {
		age := time.Duration(0)
		if !p.Oldest.IsZero() {
			age = max(0, s.Store.Now().Sub(p.Oldest))
		}
		out <- openApprovals.of(float64(p.Count))
		out <- oldestApproval.of(age.Seconds())
	}
}

func (s *Sources) collectStreams(out chan<- prometheus.Metric) {
	held, done := s.Streams.Stats(), s.Streams.Totals()
	out <- streamsOpen.of(float64(held.Readers))
	out <- streamsLimit.of(float64(s.Streams.MaxReaders()))
	out <- ringBytes.of(float64(held.RingBytes))
	out <- framesSent.of(float64(done.Frames))
	out <- slowReaders.of(float64(done.SlowReaders))
	for reason, n := range done.Resets {
		out <- streamResets.of(float64(n), string(reason))
	}
}

func (s *Sources) collectStore(out chan<- prometheus.Metric) {
	r := s.Store.Stats()
	up := 0.0
	if r.Up {
		up = 1
	}
	out <- redisUp.of(up)
	out <- redisFill.of(r.Fill)
	out <- redisEvicted.of(r.Evicted)
	out <- redisOffset.of(r.Offset.Seconds())
}
