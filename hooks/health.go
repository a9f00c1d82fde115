package hooks

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// maxRemembered bounds the hooks whose failure is remembered; of others each
// failure is told.
const maxRemembered = 4096

// health tells of a hook that fails once, and once when it answers again.
type health struct {
	log *slog.Logger

	mu      sync.Mutex
	failing map[[2]string]bool // by tenant and hook
}

func newHealth(log *slog.Logger) *health {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &health{log: log, failing: make(map[[2]string]bool)}
}

func (h *health) failed(ctx context.Context, m *Message, err error) {
	if !h.turns(m, true) {
		return
	}
	h.log.WarnContext(ctx, "webhook fails; told once until it answers again", append(about(m), slog.Any("error", err))...)
}

func (h *health) answered(ctx context.Context, m *Message, took time.Duration) {
	if h.turns(m, false) {
		h.log.InfoContext(ctx, "webhook answers again", append(about(m), slog.Duration("took", took))...)
	}
}

func about(m *Message) []any {
	return []any{
		slog.String("tenant", m.Tenant), slog.String("hook", m.Hook.ID), slog.String("event", string(m.Event)),
		slog.String("webhook_id", m.ID),
	}
}

// turns notes whether a hook fails, and says whether that is new.
func (h *health) turns(m *Message, failing bool) bool {
	hook := [2]string{m.Tenant, m.Hook.ID}
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.failing[hook] == failing:
		return false
	case !failing:
		delete(h.failing, hook)
	case len(h.failing) < maxRemembered:
		h.failing[hook] = true
	}
	return true
}
