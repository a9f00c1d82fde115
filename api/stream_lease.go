package api

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// renewalsPerLease is how often a stream renews its host's lease within its
// time: two renewals in a row may fail before the host is lost.
const renewalsPerLease = 3

// streamLease is the lease of the host that reads a stream; nil for other
// readers.
type streamLease struct {
	renew func(context.Context) (sessions.Renewal, error)
	every time.Duration
	log   *slog.Logger
}

// leaseOf renews the lease that a stream is to keep, once, before it begins.
func (s *server) leaseOf(ctx context.Context, asked askedStream) (*streamLease, error) {
	host, fence := asked.host, asked.fence
	switch {
	case host == nil && fence == nil:
		return nil, nil //nolint:nilnil // a reader without a lease
	case host == nil || fence == nil:
		return nil, invalidQuery([]sessions.Field{{Path: "host_id", Detail: "goes with fence"}})
	case !callerOf(ctx).Is(tenants.RoleHost):
		return nil, refusal(sessions.CodeForbidden, "Only hosts have leases.")
	}
	caller, from := callerOf(ctx), scheduler.Sender{Host: *host, Fence: *fence}
	l := &streamLease{log: s.log, renew: func(ctx context.Context) (sessions.Renewal, error) {
		return s.service.Heartbeat(ctx, caller, asked.session, from)
	}}
	first, err := l.renew(ctx)
	if err != nil {
		return nil, err
	}
	l.every = time.Duration(first.TTLS) * time.Second / renewalsPerLease
	return l, nil
}

// keptBy is a stream that renews the lease as long as it runs.
func (l *streamLease) keptBy(s stream.Stream) stream.Stream {
	if l == nil {
		return s
	}
	return &leasing{Stream: s, lease: l}
}

// leasing is a stream that its host's lease lives by.
type leasing struct {
	stream.Stream
	lease    *streamLease
	life     context.Context //nolint:containedctx // of one stream, from its first step on: it ends with the lease too
	end      context.CancelFunc
	renewing sync.WaitGroup
}

// Advance ends when there is nothing to renew any more: the host is to learn of it.
func (l *leasing) Advance(ctx context.Context) (open bool, err error) {
	if l.life == nil {
		l.life, l.end = context.WithCancel(ctx)
		l.renewing.Go(func() {
			defer l.end()
			l.lease.keep(l.life)
		})
	}
	defer func() {
		if !open {
			l.end()
			l.renewing.Wait()
		}
	}()
	return l.Stream.Advance(l.life) //nolint:contextcheck // made of ctx at the first step
}

// keep renews until ctx ends or the lease is over. What the store can't answer
// now it may answer before the lease runs out.
func (l *streamLease) keep(ctx context.Context) {
	tick := time.NewTicker(l.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := l.renew(ctx); err != nil {
			l.log.LogAttrs(ctx, slog.LevelDebug, "lease not renewed by its stream", slog.Any("error", err))
			if isOver(err) {
				return
			}
		}
	}
}

// isOver says whether an error is about the lease and not about the store.
func isOver(err error) bool {
	p, ok := errors.AsType[*sessions.Problem](err)
	return ok && !kindsByCode[p.Code].Retryable
}
