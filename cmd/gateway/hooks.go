package main

import (
	"time"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/internal/egress"
)

// maxHookTimeout bounds a webhook's request; its own time, which a tenant sets,
// ends it sooner.
const maxHookTimeout = time.Minute

// newHookSender sends webhooks to what is public or allowed.
func (w wiring) newHookSender() *hooks.Sender {
	return hooks.New(hooks.Config{
		Client: egress.NewClient(egress.Config{
			Allow: allowed(w.cfg.EgressAllow), Timeout: maxHookTimeout, MaxBody: hooks.MaxAnswerBytes,
		}),
		Logger: w.log, Observe: w.tell.metrics.Hook,
	})
}
