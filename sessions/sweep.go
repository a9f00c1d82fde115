package sessions

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/sessions/store"
)

// How the sweeper works. It only makes sure that time passes for sessions that
// nobody asks for; every command applies the time itself first.
const (
	sweepEvery   = time.Second      // plus up to a quarter, so that replicas spread
	sweepBatch   = 64               // entries of a bucket at a time
	sweepWorkers = 8                // sessions at a time
	sweepLease   = 30 * time.Second // after which an entry whose taker died comes back
)

// sweep fires deadlines until ctx ends.
func (s *Service) sweep(ctx context.Context) error {
	timer := time.NewTimer(sweepEvery)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-timer.C:
		}
		if err := s.sweepOnce(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "sweep failed", slog.Any("error", err))
		}
		timer.Reset(sweepEvery + rand.N(sweepEvery/4)) //nolint:gosec // spreads replicas, guards nothing
	}
}

// sweepOnce fires what is due now, also where some of it can't be read.
func (s *Service) sweepOnce(ctx context.Context) error {
	now := s.now()
	due, unread := s.store.Due(ctx, store.AllBuckets(), now, sweepBatch)
	s.swept(due, now)
	var g errgroup.Group
	g.SetLimit(sweepWorkers)
	for _, d := range due {
		g.Go(func() error {
			if err := s.fire(ctx, d); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "deadline failed",
					slog.String("tenant", d.Topic.Tenant), slog.String("session_id", d.Topic.Session), slog.Any("error", err))
			}
			return nil
		})
	}
	return errors.Join(unread, g.Wait())
}

// fire takes a deadline and applies it. Firing twice changes nothing.
func (s *Service) fire(ctx context.Context, d store.Due) error {
	if d.Webhooks {
		if s.hooks == nil {
			return nil // for a replica that sends them
		}
		return s.sendWebhooks(ctx, d, nil)
	}
	lease := s.now().Add(sweepLease)
	taken, err := s.store.Take(ctx, d, lease)
	if err != nil || !taken {
		return err
	}
	held := store.Due{Topic: d.Topic, At: lease}
	next, err := s.settleDue(ctx, held)
	if err != nil { // soon again, not only when the lease is over
		_, again := s.store.Take(ctx, held, s.now().Add(sweepEvery))
		return errors.Join(err, again)
	}
	// A commit has set the entry anew; where none was needed, put it right.
	_, err = s.store.Take(ctx, held, next)
	return err
}

// settleDue applies the time that has passed, and gives the next deadline.
func (s *Service) settleDue(ctx context.Context, held store.Due) (time.Time, error) {
	if store.IsAudit(held.Topic) {
		return s.sealAudit(ctx, held.Topic)
	}
	doc, err := s.current(ctx, held.Topic)
	switch {
	case isNotFound(err):
		return time.Time{}, nil
	case err != nil:
		return time.Time{}, err
	case doc.newer: // for a newer build; if there is none, it comes back with the lease
		return held.At, nil
	case doc.status == statusClosed: // a child that was made just then did not come due with the others
		if err := s.closeBelow(ctx, held.Topic); err != nil {
			return time.Time{}, err
		}
	}
	return doc.deadline(s.retention), nil
}
