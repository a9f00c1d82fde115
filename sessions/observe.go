package sessions

import (
	"context"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// Observer is told what happened, after it was committed. Its methods are
// called on the way of commands, so they must be quick; they may be called at
// once. What it is given is not its own: it may read it until it returns.
type Observer interface {
	// Committed is told of every transition. Ctx is of the request, or of the
	// sweeper, that made it.
	Committed(ctx context.Context, t Transition)
	// Swept is told how late the sweeper found the earliest deadline, and how
	// many were due.
	Swept(lag time.Duration, due int)
}

// Transition is one committed change of a session.
type Transition struct {
	Session string
	Runtime scheduler.Runtime
	Created bool             // the session is new
	Batch   *scheduler.Batch // that Effects speak of; nil if they speak of none
	Effects *scheduler.Effects
	Now     time.Time
}

// observed tells of a change that was committed.
func (s *Service) observed(ctx context.Context, c *change) {
	if s.observer == nil {
		return
	}
	s.observer.Committed(ctx, Transition{
		Session: c.doc.topic.Session, Runtime: c.doc.state.Session.Runtime, Created: c.before == nil,
		Batch: c.batch, Effects: &c.fx, Now: c.now,
	})
}

// swept tells how late the sweeper is.
func (s *Service) swept(due []store.Due, now time.Time) {
	if s.observer == nil {
		return
	}
	lag := time.Duration(0)
	for _, d := range due {
		lag = max(lag, now.Sub(d.At))
	}
	s.observer.Swept(lag, len(due))
}
