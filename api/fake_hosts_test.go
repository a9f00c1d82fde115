package api_test

import (
	"context"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

const hostID = "host-1"

func hostDocument() sessions.Host {
	return sessions.Host{
		HostID: hostID, Fence: 3, Capabilities: scheduler.RawJSON(`{"n":12345678901234567890}`), TTLS: 30,
		AttachedAt: at, ExpiresAt: scheduler.Timestamp{Time: at.Add(30 * time.Second)},
	}
}

func (f *fake) Attach(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id string, r sessions.AttachRequest) (sessions.Reply[sessions.Host], error) {
	_, err := f.changed(id, func() { f.idem, f.attached = idem, r })
	return sessions.Reply[sessions.Host]{Value: hostDocument(), Replayed: f.replayed}, err
}

func (f *fake) Hosts(_ context.Context, _ tenants.Caller, id string) ([]sessions.Host, error) {
	return []sessions.Host{hostDocument()}, f.found(id)
}

func (f *fake) Heartbeat(_ context.Context, _ tenants.Caller, id string, from scheduler.Sender) (sessions.Renewal, error) {
	if id != sid {
		return sessions.Renewal{}, &sessions.Problem{Code: sessions.CodeNotFound}
	}
	err := f.wrote(func() { f.sender = from }) // what is ordered may change while a stream renews
	return sessions.Renewal{HostID: from.Host, Fence: from.Fence, TTLS: 30, ExpiresAt: at}, err
}

func (f *fake) lastSender() scheduler.Sender {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.sender
}

func (f *fake) Detach(_ context.Context, _ tenants.Caller, id string, from scheduler.Sender) error {
	_, err := f.changed(id, func() { f.sender = from })
	return err
}

func (f *fake) ReportProgress(_ context.Context, _ tenants.Caller, idem sessions.Idempotency, id, _ string, r sessions.ProgressRequest) (sessions.Reply[sessions.Progress], error) {
	_, err := f.changed(id, func() { f.idem, f.progress = idem, r })
	return sessions.Reply[sessions.Progress]{Value: sessions.Progress{CallID: "c1", Deadline: &at, Told: true}, Replayed: f.replayed}, err
}
