package host

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/session-gateway/gateway/client"
)

const (
	// DefaultLease is how long the gateway relies on a host that it hears nothing
	// of. It is also how long calls wait that a dead host had claimed.
	DefaultLease = 15 * time.Second
	// beats is how often a lease is renewed within its time: one answer that is
	// lost or late must not cost it.
	beats = 3
)

// ErrReplaced says that another host has taken over the session.
var ErrReplaced = errors.New("another host has taken over the session")

// errLeaseOver is why calls are ended that the gateway has ended, or will have
// by the time that it can be reached.
var errLeaseOver = errors.New("the host's lease is over")

// lease is the host's right to run the session's calls. One goroutine keeps it.
type lease struct {
	*Host
	expires time.Time // as this host counts, from when it asked
}

// attach takes the lease. What was claimed under an older one is lost.
func (l *lease) attach(ctx context.Context) error {
	asked := time.Now()
	a, err := l.Client.Attach(ctx, l.Session, client.Attachment{HostID: l.HostID, TTLS: new(int(l.Lease / time.Second))})
	if err != nil {
		return fmt.Errorf("attach to the session: %w", err)
	}
	l.fence.Store(a.Fence)
	l.expires = asked.Add(l.Lease)
	l.Log.Info("attached", slog.Int64("fence", a.Fence))
	return nil
}

// keep renews the lease until ctx ends, and takes a new one where it was lost
// to nobody.
func (l *lease) keep(ctx context.Context) error {
	beat := time.NewTicker(l.Lease / beats)
	defer beat.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-beat.C:
		case <-l.loss:
		}
		if err := l.renew(ctx); err != nil && ctx.Err() == nil {
			return err
		}
	}
}

// renew renews the lease once.
func (l *lease) renew(ctx context.Context) error {
	asked := time.Now()
	limited, cancel := context.WithDeadline(ctx, l.expires)
	defer cancel()
	_, err := l.Client.Heartbeat(limited, l.Session, l.HostID, l.fence.Load())
	var problem *client.ProblemError
	switch {
	case err == nil:
		l.expires = asked.Add(l.Lease)
		return nil
	case client.Is(err, client.CodeHostFenced) && errors.As(err, &problem) && problem.Problem.AttachedHostID != nil:
		return ErrReplaced
	case client.Is(err, client.CodeHostFenced), time.Now().After(l.expires):
		return l.again(ctx, err)
	case errors.As(err, &problem) && !problem.Problem.Retryable:
		return unlessClosed(err)
	default:
		l.Log.Warn("the lease could not be renewed", slog.Any("error", err))
		return nil
	}
}

// again attaches anew. Whatever runs is ended first: the gateway gives it up,
// and nobody may run on what another could be given.
func (l *lease) again(ctx context.Context, why error) error {
	l.Log.Warn("the lease is over; attaching again", slog.Any("error", why))
	l.calls.endAll(errLeaseOver, func(place) bool { return true })
	return unlessClosed(l.attach(ctx))
}

// unlessClosed drops the error of a session that is closed, which the events
// tell too.
func unlessClosed(err error) error {
	if client.Is(err, client.CodeSessionClosed) {
		return nil
	}
	return err
}

// leave gives the lease up, so that the next host need not wait for its end.
func (l *lease) leave(ctx context.Context) error {
	ctx, cancel := outliving(ctx)
	defer cancel()
	err := l.Client.Detach(ctx, l.Session, l.HostID, l.fence.Load())
	for _, code := range []client.Code{client.CodeHostFenced, client.CodeSessionClosed, client.CodeNotFound} {
		if client.Is(err, code) {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("leave the session: %w", err)
	}
	return nil
}
