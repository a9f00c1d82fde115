package validate

import (
	"context"
	"fmt"
	"slices"

	"github.com/session-gateway/gateway/client"
)

// siblings is how many calls stand beside an entry.
const siblings = 2

// entryAt probes an entry at a place among other calls.
func entryAt(place int) func(*run, context.Context) ([]Violation, error) {
	return func(r *run, ctx context.Context) ([]Violation, error) {
		s, err := r.enterable()
		if err != nil {
			return nil, err
		}
		calls, err := r.beside()
		if err != nil {
			return nil, err
		}
		b, err := s.enter(ctx, slices.Insert(calls, place, r.entry())...)
		if err != nil {
			return s.found, err
		}
		s.bounded(b, place)
		return s.found, s.inPlanMode(ctx, b, place)
	}
}

// enterable is the session, if plan mode may be entered there and left again.
func (r *run) enterable() (*stage, error) {
	s := r.session
	switch {
	case !s.Modules.PlanMode:
		return nil, notShown("the session has no plan mode")
	case s.Agent != client.Main:
		return nil, notShown("the session is a %s's: plan mode is the main session's", s.Agent)
	case s.ApprovalModeLocked:
		return nil, notShown("the session's mode is locked")
	case s.ApprovalMode != client.ModePlan && r.person == nil:
		return nil, notShown("no key may put the mode back: that takes the role frontend")
	case s.Runtime == client.Headless && s.Approvals == client.ApproverNone:
		return nil, notShown("the session is headless and nobody can be asked")
	}
	return r.main(), nil
}

// beside are the calls that stand beside an entry.
func (r *run) beside() ([]client.NativeCall, error) {
	if len(r.samples) == 0 {
		return nil, notShown("there is no call that could stand beside the entry")
	}
	var calls []client.NativeCall
	for i := range siblings {
		calls = append(calls, r.call(r.samples[i%len(r.samples)]))
	}
	return calls, nil
}

// enter plays calls that lead into plan mode.
func (s *stage) enter(ctx context.Context, calls ...client.NativeCall) (client.Batch, error) {
	if s.sid == s.Session {
		s.undo.entered = s.session.ApprovalMode != client.ModePlan
	}
	return s.play(ctx, calls...)
}

// bounded wants every other call of a batch to have been skipped.
func (s *stage) bounded(b client.Batch, entry int) {
	for i, c := range b.Calls {
		if why := reasonOf(c.Result); i != entry && why != client.ReasonPlanBoundary {
			s.breach(CodeBoundaryBroken, b, i, "it ended as %q", why)
		}
	}
}

// inPlanMode wants an entry to have given the reminder, and the session to be in
// plan mode.
func (s *stage) inPlanMode(ctx context.Context, b client.Batch, entry int) error {
	result := b.Calls[entry].Result
	if why := reasonOf(result); why == client.ReasonPermissionDenied {
		return notShown("a rule denies the entry")
	}
	if !gaveReminder(result) {
		s.breach(CodeEntryFailed, b, entry, "it ended as %q", reasonOf(result))
		return nil
	}
	if result.Output != s.reminder {
		s.breach(CodeReminderIncomplete, b, entry, "its output has %d characters, the reminder %d", len([]rune(result.Output)), len([]rune(s.reminder)))
	}
	now, err := s.key.Session(ctx, s.sid)
	if err != nil {
		return fmt.Errorf("read the session: %w", err)
	}
	if !now.Plan.Active && !now.Plan.Inherited {
		s.breach(CodeEntryFailed, b, entry, "the session's mode is %s", now.ApprovalMode)
	}
	return nil
}

// probeAgain enters twice.
func (r *run) probeAgain(ctx context.Context) ([]Violation, error) {
	s, err := r.enterable()
	if err != nil {
		return nil, err
	}
	var was [2]client.SessionDocument
	var b client.Batch
	for i := range was {
		if b, err = s.enter(ctx, r.entry()); err != nil {
			return s.found, err
		}
		if err := s.inPlanMode(ctx, b, 0); err != nil {
			return s.found, err
		}
		if was[i], err = r.key.Session(ctx, s.sid); err != nil {
			return s.found, fmt.Errorf("read the session: %w", err)
		}
	}
	if was[0].ModeRevision != was[1].ModeRevision || !equal(was[0].PreviousMode, was[1].PreviousMode) {
		s.breach(CodeEntryNotIdempotent, b, 0, "mode revision %d became %d", was[0].ModeRevision, was[1].ModeRevision)
	}
	return s.found, nil
}

// equal compares what pointers point at.
func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

// probeDuplicates sends a call that was run before, and one twice, around an
// entry.
func (r *run) probeDuplicates(ctx context.Context) ([]Violation, error) {
	s, err := r.enterable()
	if err != nil {
		return nil, err
	}
	if len(r.ran.Calls) == 0 {
		return nil, notShown("no call was run before")
	}
	sibling, known := r.call(r.samples[0]), r.ran.Calls[0]
	replay := r.call(r.samples[len(r.samples)-1]) // the one that ran last alone
	replay.ID = &known.ID
	b, err := s.enter(ctx, replay, sibling, r.entry(), sibling)
	if err != nil {
		return s.found, err
	}
	for _, i := range []int{0, 3} {
		if why := reasonOf(b.Calls[i].Result); why != client.ReasonDuplicateCall {
			s.breach(CodeDuplicateRun, b, i, "it ended as %q", why)
		}
	}
	if why := reasonOf(b.Calls[1].Result); why != client.ReasonPlanBoundary {
		s.breach(CodeBoundaryBroken, b, 1, "it ended as %q", why)
	}
	return s.found, s.inPlanMode(ctx, b, 2)
}
