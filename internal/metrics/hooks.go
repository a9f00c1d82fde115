package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/tenants"
)

func newHooks(f factory) *prometheus.CounterVec {
	c := f.counterVec("hooks_total", "Webhooks by event and how they ended; refused ones found no room.", "event", "result")
	for _, event := range []tenants.HookEvent{
		tenants.HookPreToolUse, tenants.HookPostToolUse, tenants.HookPostToolBatch, tenants.HookApprovalRequested,
	} {
		for _, result := range []hooks.Result{hooks.Answered, hooks.Failed, hooks.Refused} {
			c.WithLabelValues(string(event), string(result))
		}
	}
	return c
}

// Hook is told of a webhook that was tried.
func (m *Metrics) Hook(event tenants.HookEvent, result hooks.Result) {
	m.hooks.WithLabelValues(string(event), string(result)).Inc()
}
