package sessions

import (
	"context"
	"time"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
)

// applyTime commits what the time that has passed does to a session: a host that
// was not heard of, questions that expired, calls that ran out, an idle session
// or one without parent that ends, a closed one that goes. nil, nil says that nothing was to be done.
func (s *Service) applyTime(ctx context.Context, d *document) (*document, error) {
	now := s.now()
	if d.newer {
		return nil, nil //nolint:nilnil // time passes at the replicas that can write it
	}
	if !s.timePassed(d, now) && (d.status == statusClosed || !d.orphaned()) {
		return nil, nil //nolint:nilnil // nothing to do
	}
	if d.status == statusClosed {
		return nil, s.remove(ctx, d)
	}
	c, err := s.change(d, d.clone(), now)
	if err != nil {
		return nil, err
	}
	if err := s.expire(ctx, c); err != nil {
		return nil, err
	}
	if !c.changed() {
		return nil, nil //nolint:nilnil // nothing to do
	}
	commit := c.commit(s)
	commit.Unconfirmed = true // reads don't wait for replicas; an answer to a command does
	return c.doc, s.commit(ctx, c, commit)
}

// expire makes the change that the passed time is.
func (s *Service) expire(ctx context.Context, c *change) error {
	d := c.doc
	switch {
	case d.orphaned() || d.openBatch() == nil && passed(d.idleAt(), c.now):
		return s.closing(ctx, c)
	case d.openBatch() == nil && d.state.Session.Open != nil && passed(d.turnTimeout(), c.now):
		c.apply(scheduler.ExpireTurn(d.env(c), d.state))
		return nil
	}
	pages, err := s.fetch(ctx, d.topic, scheduler.PendingReads(d.state, d.registry, nil))
	if err != nil {
		return err
	}
	c.outputs = pages
	c.apply(scheduler.Expire(d.env(c), d.state))
	return nil
}

// closing makes a change that ends the session and its open calls.
func (s *Service) closing(ctx context.Context, c *change) error {
	children, err := s.store.Children(ctx, c.doc.topic)
	if err != nil {
		return err
	}
	c.apply(scheduler.CloseSession(c.doc.env(c), c.doc.state))
	c.doc.status, c.doc.closed = statusClosed, c.now
	c.session, c.dueNow = eventSessionClosed, children
	return nil
}

// remove deletes a closed session after its retention. What is below it has
// ended by then; a child that was missed would be left under a parent that
// can't be read, so it is looked for once more.
func (s *Service) remove(ctx context.Context, d *document) error {
	if err := s.closeBelow(ctx, d.topic); err != nil {
		return err
	}
	if err := s.store.Delete(ctx, store.Removal{Topic: d.topic, Batches: d.batches, Turns: d.turns, Parent: d.spec.Parent}); err != nil {
		return err
	}
	s.documents.Remove(d.topic)
	return errNotFound("session")
}

// timePassed says whether a deadline of the document has come.
func (s *Service) timePassed(d *document, now time.Time) bool {
	return passed(d.deadline(s.retention), now)
}

// passed says whether a moment has come; a zero one never does.
func passed(at, now time.Time) bool { return !at.IsZero() && !at.After(now) }

// earlier is the first of two moments; a zero one never comes.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
