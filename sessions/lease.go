package sessions

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// The bounds of a host's lease.
const (
	// MinLeaseS leaves room for a few heartbeats over a slow network.
	MinLeaseS = 5
	// MaxLeaseS is how long a dead host keeps the calls that it claimed.
	MaxLeaseS     = 300
	DefaultLeaseS = 30
	// MaxCapabilitiesBytes: every reader of the events is sent them.
	MaxCapabilitiesBytes = 8 << 10
)

// leaseHost is what a host may be called that attaches: fit for a path.
var leaseHost = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`)

// AttachRequest is the body of POST …/hosts.
type AttachRequest struct {
	HostID       string
	Capabilities json.RawMessage // an object; nil: none given
	TTLS         *int
}

func (r AttachRequest) ttl() int { return or(r.TTLS, DefaultLeaseS) }

func (r AttachRequest) check() *Problem {
	var wrong fields
	if !leaseHost.MatchString(r.HostID) {
		wrong.add("/host_id", "is not 1 to 128 letters, digits, underscores, dots and hyphens")
	}
	if len(r.Capabilities) > MaxCapabilitiesBytes {
		wrong.add("/capabilities", "is over %d bytes", MaxCapabilitiesBytes)
	}
	if ttl := r.ttl(); ttl < MinLeaseS || ttl > MaxLeaseS {
		wrong.add("/ttl_s", "is not between %d and %d", MinLeaseS, MaxLeaseS)
	}
	return wrong.problem()
}

// Attach makes a host the one that runs the session's calls. A newer
// attachment takes over from an older one.
func (s *Service) Attach(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, r AttachRequest) (Reply[Host], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Host]{}, err
	}
	if p := r.check(); p != nil {
		return Reply[Host]{}, p
	}
	return run(ctx, s, command[Host]{
		caller: c, topic: t, idem: idem, status: httpCreated, reads: pendingReads,
		answer: func(ch *change) Host { return hostView(ch.doc.state.Session.Lease) },
		decide: func(ch *change) error {
			ch.apply(scheduler.Attach(ch.doc.env(ch), ch.doc.state, scheduler.Attachment{
				Host: r.HostID, Capabilities: string(r.Capabilities), By: c.Subject, TTL: seconds(r.ttl()),
			}))
			return nil
		},
	})
}

// Detach ends the lease of a host that leaves.
func (s *Service) Detach(ctx context.Context, c tenants.Caller, sid string, from scheduler.Sender) error {
	_, err := s.updateReading(ctx, c, sid, func(ch *change) error {
		next, fx, err := scheduler.Detach(ch.doc.env(ch), ch.doc.state, from)
		if err != nil {
			return ch.doc.fenced()
		}
		ch.apply(next, fx)
		return nil
	})
	return err
}

// Hosts is who is attached: at most one.
func (s *Service) Hosts(ctx context.Context, c tenants.Caller, sid string) ([]Host, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return nil, err
	}
	if l := d.state.Session.Lease; l != nil {
		return []Host{hostView(l)}, nil
	}
	return []Host{}, nil
}

// Heartbeat renews a host's lease, in one round trip. It is no event and is not
// stored under an idempotency key: a second one renews again, which is what it
// is for.
func (s *Service) Heartbeat(ctx context.Context, c tenants.Caller, sid string, from scheduler.Sender) (Renewal, error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Renewal{}, err
	}
	if seen, err := s.Sees(ctx, c, sid); err != nil || !seen {
		return Renewal{}, cmp.Or(err, error(errNotFound("session")))
	}
	l, err := s.store.Renew(ctx, t, from.Host, from.Fence)
	if errors.Is(err, store.ErrLeaseOver) {
		return Renewal{}, s.leaseProblem(ctx, t)
	}
	if err != nil {
		return Renewal{}, storeProblem(err)
	}
	return Renewal{
		HostID: l.Host, Fence: l.Fence, TTLS: int(l.TTL / time.Second), ExpiresAt: scheduler.Timestamp{Time: l.Expires},
	}, nil
}

// leaseProblem says why a lease could not be renewed.
func (s *Service) leaseProblem(ctx context.Context, t stream.Topic) error {
	d, err := s.current(ctx, t)
	switch {
	case err != nil:
		return err
	case d.status == statusClosed:
		return refuse(CodeSessionClosed, "the session is closed")
	default:
		return d.fenced()
	}
}

// fenced tells a host that it is not the attached one, and who is.
func (d *document) fenced() *Problem {
	l := d.state.Session.Lease
	if l == nil {
		return refuse(CodeHostFenced, "this attachment is over; attach again").with("attached_host_id", nil)
	}
	return refuse(CodeHostFenced, "another host is attached, or this one anew").with("attached_host_id", l.Host)
}

// lease is what a change does to the lease that is kept beside the session.
func (c *change) lease() *store.LeaseChange {
	switch d := c.doc; {
	case c.fx.Attached:
		l := d.state.Session.Lease
		d.lease = &store.Lease{Host: l.Host, Fence: l.Fence, TTL: l.TTL, Expires: l.Expires}
		return &store.LeaseChange{To: d.lease}
	case c.fx.Lost != nil:
		read := d.lease
		d.lease = nil
		return &store.LeaseChange{Checked: c.fx.Lost.Reason == scheduler.LossExpired, From: read}
	default:
		return nil
	}
}

// takeLease tells the session until when its host is relied on. Without a lease
// that fits, as after a failover that lost it, that was until it attached.
func (d *document) takeLease(read *store.Lease) {
	d.lease = read
	l := d.state.Session.Lease
	if l == nil {
		return
	}
	l.Expires = l.Attached
	if read != nil && read.Fence == l.Fence {
		l.Expires = read.Expires
	}
}

func hostView(l *scheduler.Lease) Host {
	return Host{
		HostID: l.Host, Fence: l.Fence, Capabilities: capabilities(l), TTLS: int(l.TTL / time.Second),
		AttachedAt: scheduler.Timestamp{Time: l.Attached}, ExpiresAt: scheduler.Timestamp{Time: l.Expires},
	}
}

func capabilities(l *scheduler.Lease) scheduler.RawJSON {
	if l.Capabilities == "" {
		return nil
	}
	return scheduler.RawJSON(l.Capabilities)
}

type hostEvent struct {
	HostID       string             `json:"host_id"`
	Fence        int64              `json:"fence"`
	Capabilities *scheduler.RawJSON `json:"capabilities,omitempty"`
	Reason       scheduler.Loss     `json:"reason,omitempty"`
}

// tellHosts says who is gone, then who has come.
func (n *narration) tellHosts(fx *scheduler.Effects) {
	if lost := fx.Lost; lost != nil {
		n.add(eventHostLost, hostEvent{HostID: lost.Host, Fence: lost.Fence, Reason: lost.Reason})
	}
	if fx.Attached {
		l := n.d.state.Session.Lease
		told := capabilities(l)
		n.add(eventHostAttached, hostEvent{HostID: l.Host, Fence: l.Fence, Capabilities: &told})
	}
}
