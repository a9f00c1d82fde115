package scheduler

import "time"

// after is a deadline; a duration of 0 is none.
func after(now time.Time, d time.Duration) time.Time {
	if d <= 0 {
		return time.Time{}
	}
	return now.Add(d)
}

// Deadline is the earliest deadline of the batch's calls; zero: none.
func (b *Batch) Deadline() time.Time {
	var earliest time.Time
	for i := range b.Calls {
		d := b.Calls[i].Deadline
		if !d.IsZero() && (earliest.IsZero() || d.Before(earliest)) {
			earliest = d
		}
	}
	return earliest
}

// Expire applies the time that has passed: a host that was not heard of,
// hooks that did not answer, questions nobody answered, calls nobody took, calls that run too long.
// Applying it twice changes nothing.
func Expire(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	t.expireLease()
	if t.b != nil && t.b.Status == BatchRunning {
		t.expireCalls()
	}
	if t.fx.Changed() {
		t.advance()
	}
	return *out, t.fx
}

func (t *transition) expireCalls() {
	for i := range t.b.Calls {
		if d := t.b.Calls[i].Deadline; !d.IsZero() && !d.After(t.env.Now) {
			t.expire(i)
		}
	}
}

func (t *transition) expire(i int) {
	switch c := &t.b.Calls[i]; c.State {
	case StateAwaitingApproval:
		t.resolve(c.Approval-1, ApprovalExpired)
		t.finish(i, ReasonApprovalExpired, textApprovalExpired(t.b.Approvals[c.Approval-1]))
		t.stopACPTurn(i)
	case StateDispatched:
		t.finish(i, ReasonHostUnavailable, textHostUnavailable)
	case StateClaimed:
		t.finish(i, ReasonHostTimeout, textHostTimeout)
	case StateAwaitingHook:
		t.expireHooks(i)
	case StateQueued, StateDone: // no deadline
	}
}

// stopACPTurn stops the turn after a question that was answered with no, or not at all.
func (t *transition) stopACPTurn(i int) {
	if t.s.Runtime == RuntimeACP {
		t.stopTurn(i, StopTurnStopped)
	}
}

var zeroTime time.Time
