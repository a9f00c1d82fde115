package metrics

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// namespace is what every name begins with.
const namespace = "gateway"

// Build says which program counts.
type Build struct{ Version, Commit, Go string }

// Metrics is everything that is counted.
type Metrics struct {
	registry *prometheus.Registry
	requests requests
	sessions transitions
	store    commits
	streams  prometheus.Histogram
	hooks    *prometheus.CounterVec
	draining prometheus.Gauge
	notAfter prometheus.Gauge
}

// New counts nothing yet.
func New(b Build) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	f := factory{registry}
	f.gaugeVec("build_info", "Which program this is; always 1.", "version", "commit", "go_version").
		WithLabelValues(b.Version, b.Commit, b.Go).Set(1)
	return &Metrics{
		registry: registry,
		requests: newRequests(f),
		sessions: newTransitions(f),
		store:    newCommits(f),
		streams: f.histogram("stream_delivery_seconds",
			"From an event's commit to its being written to a reader who waited for it.", deliveryBuckets),
		hooks:    newHooks(f),
		draining: f.gauge("draining", "1 from the moment that the replica was told to stop."),
		notAfter: f.gauge("tls_certificate_not_after_timestamp_seconds",
			"When the certificate that is served stops being good; 0 without TLS."),
	}
}

// Handler serves what is counted.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{EnableOpenMetrics: true})
}

// Delivered is told how long an event took to a reader that waited for it.
func (m *Metrics) Delivered(took time.Duration) { m.streams.Observe(took.Seconds()) }

// Certificate is told when the certificate that is served stops being good.
func (m *Metrics) Certificate(notAfter time.Time) { m.notAfter.Set(float64(notAfter.Unix())) }

// Draining is told that the replica stops.
func (m *Metrics) Draining() { m.draining.Set(1) }
