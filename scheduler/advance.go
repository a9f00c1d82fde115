package scheduler

import (
	"slices"

	"github.com/session-gateway/gateway/permissions"
)

// advance starts what may start now and completes the batch when all its calls
// have ended. Every command ends with it.
func (t *transition) advance() {
	for t.b != nil && t.b.Status == BatchRunning {
		group := t.nextGroup()
		if len(group) == 0 {
			t.complete(BatchCompleted)
			return
		}
		if t.held() || !t.startGroup(group) {
			return
		}
	}
}

// held says whether open questions keep the whole batch back: in core and
// headless nothing is dispatched until every call is decided.
func (t *transition) held() bool {
	if t.s.Runtime == RuntimeACP {
		return false
	}
	for i := range t.b.Calls {
		if s := t.b.Calls[i].State; s == StateAwaitingApproval || s == StateAwaitingHook {
			return true
		}
	}
	return false
}

// nextGroup is the first calls that have not ended and may be under way
// together. Calls that have ended don't part their neighbours.
func (t *transition) nextGroup() []int {
	var group []int
	for i := range t.b.Calls {
		if t.b.Calls[i].State == StateDone {
			continue
		}
		together := t.parallel(i)
		if len(group) > 0 && !together {
			break
		}
		group = append(group, i)
		if !together {
			break
		}
	}
	return group
}

// parallel says whether a call may run beside its neighbours of the same sort:
// safe calls in core and headless, agents in acp.
func (t *transition) parallel(i int) bool {
	tool := t.env.Tools.Lookup(t.b.Calls[i].Tool)
	switch {
	case tool == nil:
		return false
	case t.s.Runtime == RuntimeACP:
		return tool.Agent
	default:
		return tool.safe()
	}
}

// startGroup takes the turn of the group's next calls and says whether one of
// them ended by it, so that there may be more to start. What was in force when
// they were queued may have changed, so all are looked at before any starts: a
// new question keeps the others back.
func (t *transition) startGroup(group []int) bool {
	next := t.next(group)
	for _, i := range next {
		t.decideQueuedAgain(i)
	}
	if !t.held() {
		for _, i := range next {
			t.turn(i)
		}
	}
	return slices.ContainsFunc(next, func(i int) bool { return t.b.Calls[i].State == StateDone })
}

// next is the group's queued calls, in core and headless as many as may join
// those in flight.
func (t *transition) next(group []int) []int {
	room := len(group)
	if t.s.Runtime != RuntimeACP {
		room = MaxInFlight
	}
	queued := group[:0:0]
	for _, i := range group {
		switch t.b.Calls[i].State {
		case StateDispatched, StateClaimed:
			room--
		case StateQueued:
			queued = append(queued, i)
		case StateAwaitingHook, StateAwaitingApproval, StateDone:
		}
	}
	return queued[:max(0, min(room, len(queued)))]
}

// reserve takes one of the budget's calls, or stops the turn.
func (t *transition) reserve(i int) {
	c := t.touch(i)
	if c.Counted {
		return
	}
	if t.s.MaxToolCalls != Unlimited && t.s.Used >= t.s.MaxToolCalls {
		t.finish(i, ReasonMaxToolCalls, textMaxToolCalls(t.s.MaxToolCalls))
		t.stopTurn(i, StopMaxToolCalls)
		return
	}
	t.count(c)
}

// count notes that the budget holds a place for a call, once.
func (t *transition) count(c *Call) {
	if !c.Counted {
		c.Counted = true
		t.s.Used++
	}
}

// dispatch offers a call to the host. A batch sent with a host id is run by its
// sender, unless that was lost: claimed already.
func (t *transition) dispatch(i int) {
	c := t.touch(i)
	c.State, c.Dispatched, c.Deadline = StateDispatched, t.env.Now, after(t.env.Now, t.s.ClaimTimeout)
	t.count(c)
	t.fx.Dispatched = append(t.fx.Dispatched, i)
	if t.b.HostID != "" && !t.b.Abandoned {
		t.take(i, t.b.HostID)
	}
}

// take starts a call at its claim.
func (t *transition) take(i int, host string) {
	c := t.touch(i)
	c.State, c.Host, c.Started = StateClaimed, host, t.env.Now
	c.Deadline = after(t.env.Now, t.env.Tools.Lookup(c.Tool).Timeout)
	t.remember(c)
}

// stillAllowed decides a call again, as its start comes near. What was allowed
// and is to be asked about now is asked about, unless a person said yes to this
// very call; what is denied now ends.
func (t *transition) stillAllowed(i int) bool {
	if t.decided != nil && t.decided[i] == t.s.ModeRevision+1 {
		return true // decided in this very command
	}
	if t.denyAgain(i); t.b.Calls[i].State == StateDone {
		return false
	}
	if t.env.Tools.Lookup(t.b.Calls[i].Tool).Permission.Gateway {
		t.noteDecided(i)
		return true
	}
	d := t.verdict(i)
	if d.Effect == permissions.Allow || d.Effect == permissions.Ask && t.b.Calls[i].Approved {
		t.noteDecided(i)
		return true
	}
	if d.Effect == permissions.Ask && t.s.Approver && t.b.Calls[i].State == StateDispatched {
		t.withdraw(i)
	}
	t.settle(i, d)
	return false
}

// withdraw takes a call back from the hosts because somebody has to be asked.
func (t *transition) withdraw(i int) {
	t.fx.Cancelled = append(t.fx.Cancelled, Cancellation{Position: i, Reason: cancelApprovalRequired})
}

// cancelApprovalRequired is why a call is taken back that may be dispatched again.
const cancelApprovalRequired = "approval_required"

func (t *transition) complete(status BatchStatus) {
	t.b.Status, t.b.Completed = status, t.env.Now
	t.b.Notices, t.s.Notices = append(t.b.Notices, t.s.Notices...), nil
	t.offload()
	t.fx.Completed = true
	t.fx.BatchView, t.b.RuntimeView = t.b.RuntimeView != "", ""
}
