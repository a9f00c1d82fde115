package metrics

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// noReason stands for the reason of a plain success.
const noReason = "none"

// transitions counts what happens to sessions.
type transitions struct {
	created   *prometheus.CounterVec
	submitted *prometheus.CounterVec
	completed *prometheus.CounterVec
	took      *prometheus.HistogramVec
	calls     *prometheus.CounterVec
	requested *prometheus.CounterVec
	resolved  *prometheus.CounterVec
	answered  *prometheus.HistogramVec
	lost      *prometheus.CounterVec
	lag       prometheus.Gauge
	due       prometheus.Gauge
}

var _ sessions.Observer = (*transitions)(nil)

func newTransitions(f factory) transitions {
	t := transitions{
		created:   f.counterVec("sessions_created_total", "Sessions that were created.", "runtime"),
		submitted: f.counterVec("batches_submitted_total", "Batches that were accepted.", "runtime"),
		completed: f.counterVec("batches_completed_total", "Batches that ended, by status.", "runtime", "status"),
		took: f.histogramVec("batch_duration_seconds",
			"From a batch's submission to its last result.", batchBuckets, "runtime"),
		calls: f.counterVec("calls_ended_total", "Calls that got their result.", "runtime", "status", "reason"),
		requested: f.counterVec("approvals_requested_total",
			"Questions that were put to a person.", "kind"),
		resolved: f.counterVec("approvals_resolved_total",
			"Questions that are not open any more, by how they ended; expired ones nobody answered in time.", "kind", "status"),
		answered: f.histogramVec("approval_answer_seconds", "From a question to a person's answer.", batchBuckets, "kind"),
		lost:     f.counterVec("hosts_lost_total", "Hosts that were not heard of any more, or left.", "runtime"),
		lag:      f.gauge("sweeper_lag_seconds", "How late this replica's last sweep found the earliest deadline that was due."),
		due:      f.gauge("sweeper_due_deadlines", "Deadlines that the last sweep found due."),
	}
	t.announce()
	return t
}

// announce makes what alerts look at exist before it happens.
func (t *transitions) announce() {
	for _, runtime := range []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeACP, scheduler.RuntimeHeadless} {
		t.created.WithLabelValues(string(runtime))
		t.submitted.WithLabelValues(string(runtime))
		t.took.WithLabelValues(string(runtime))
		t.lost.WithLabelValues(string(runtime))
	}
	for _, kind := range []scheduler.ApprovalKind{scheduler.ApprovalTool, scheduler.ApprovalPlanExit} {
		t.requested.WithLabelValues(string(kind))
		t.answered.WithLabelValues(string(kind))
		for _, status := range []scheduler.ApprovalStatus{
			scheduler.ApprovalApproved, scheduler.ApprovalRejected, scheduler.ApprovalExpired,
			scheduler.ApprovalCancelled, scheduler.ApprovalStale,
		} {
			t.resolved.WithLabelValues(string(kind), string(status))
		}
	}
}

// Sessions is the observer of the use cases.
func (m *Metrics) Sessions() sessions.Observer { return &m.sessions }

// Committed counts a transition.
func (t *transitions) Committed(_ context.Context, x sessions.Transition) {
	runtime := string(x.Runtime)
	if x.Created {
		t.created.WithLabelValues(runtime).Inc()
	}
	if x.Effects.Lost != nil {
		t.lost.WithLabelValues(runtime).Inc()
	}
	if x.Batch != nil {
		t.batch(runtime, x)
		t.approvals(x)
	}
}

func (t *transitions) batch(runtime string, x sessions.Transition) {
	if x.Effects.Submitted {
		t.submitted.WithLabelValues(runtime).Inc()
	}
	for _, i := range x.Effects.Ended {
		r, reason := x.Batch.Calls[i].Result, noReason
		if r.Reason != nil {
			reason = string(*r.Reason)
		}
		t.calls.WithLabelValues(runtime, string(r.Status), reason).Inc()
	}
	if x.Effects.Completed {
		t.completed.WithLabelValues(runtime, string(x.Batch.Status)).Inc()
		t.took.WithLabelValues(runtime).Observe(x.Now.Sub(x.Batch.Created).Seconds())
	}
}

func (t *transitions) approvals(x sessions.Transition) {
	for _, k := range x.Effects.Raised {
		t.requested.WithLabelValues(string(x.Batch.Approvals[k].Kind)).Inc()
	}
	for _, k := range x.Effects.Resolved {
		a := &x.Batch.Approvals[k]
		t.resolved.WithLabelValues(string(a.Kind), string(a.Status)).Inc()
		if a.Status == scheduler.ApprovalApproved || a.Status == scheduler.ApprovalRejected {
			t.answered.WithLabelValues(string(a.Kind)).Observe(a.Resolved.Sub(a.Requested).Seconds())
		}
	}
}

// Swept notes how late the sweeper is.
func (t *transitions) Swept(lag time.Duration, due int) {
	t.lag.Set(lag.Seconds())
	t.due.Set(float64(due))
}
