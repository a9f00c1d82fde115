package metrics

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/session-gateway/gateway/sessions/store"
)

// commits counts what the store does.
type commits struct {
	total  *prometheus.CounterVec
	took   prometheus.Histogram
	failed *prometheus.CounterVec
}

var _ store.Observer = (*commits)(nil)

func newCommits(f factory) commits {
	c := commits{
		total: f.counterVec("commits_total",
			"Commits by outcome; one in conflict was decided again.", "outcome"),
		took:   f.histogram("commit_duration_seconds", "Time of a commit, whatever its outcome.", commitBuckets),
		failed: f.counterVec("redis_errors_total", "Commands and pipelines that Redis or the network failed.", "kind"),
	}
	for _, kind := range []string{"connection", "timeout", "out_of_memory"} {
		c.failed.WithLabelValues(kind)
	}
	for _, outcome := range []string{"applied", "conflict", "unavailable"} {
		c.total.WithLabelValues(outcome)
	}
	return c
}

// Store is the observer of the store.
func (m *Metrics) Store() store.Observer { return &m.store }

// Committed counts a commit.
func (c *commits) Committed(outcome string, took time.Duration) {
	c.total.WithLabelValues(outcome).Inc()
	c.took.Observe(took.Seconds())
}

// RedisFailed counts a failure.
func (c *commits) RedisFailed(kind string) { c.failed.WithLabelValues(kind).Inc() }
