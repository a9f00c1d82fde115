package scheduler_test

import (
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// skipped: nobody looked at a call that the boundary denied.
func (d *diff) skipped(c *scheduler.Call) {
	d.Helper()
	require.Nil(d, c.Decision)
	require.Nil(d, c.Result.Decision)
	require.Zero(d, c.Approval)
	require.Nil(d, c.Hooks)
	require.True(d, c.Dispatched.IsZero() && c.Started.IsZero())
	require.False(d, c.Counted)
}

// boundary: of the calls that neither a duplicate, a loop nor a structured
// answer took out, an entry among others is the only one that is not skipped.
func (d *diff) boundary() {
	d.Helper()
	if !d.fx.Submitted {
		return
	}
	entry := -1
	var executable []int
	for i := range d.is.Calls {
		if d.takenOut(&d.is.Calls[i]) {
			continue
		}
		executable = append(executable, i)
		if entry < 0 && d.is.Calls[i].Tool == scheduler.ToolEnterPlanMode {
			entry = i
		}
	}
	holds := entry >= 0 && len(executable) > 1 && d.env.Tools.Lookup(scheduler.ToolEnterPlanMode) != nil
	for _, i := range executable {
		skipped := reason(&d.is.Calls[i]) == scheduler.ReasonPlanBoundary
		require.Equal(d, holds && i != entry, skipped, "call %d", i)
	}
}

func (d *diff) takenOut(c *scheduler.Call) bool {
	answer := c.Tool == scheduler.ToolStructuredOutput && d.env.Tools.Lookup(c.Tool) != nil
	return answer || slices.Contains([]scheduler.Reason{
		scheduler.ReasonDuplicateCall, scheduler.ReasonLoopDetected, scheduler.ReasonStructuredOutputPrecedence,
	}, reason(c))
}

// reason is why a call ended; empty for a success and while it has not.
func reason(c *scheduler.Call) scheduler.Reason {
	if c.Result == nil || c.Result.Reason == nil {
		return ""
	}
	return *c.Result.Reason
}

// edges: a call goes only where the diagram in docs/scheduler.md lets it go.
func (d *diff) edges() {
	d.Helper()
	d.taken = make([]edge, len(d.is.Calls))
	for i := range d.is.Calls {
		d.taken[i] = edge{d.before[i].State, d.is.Calls[i].State}
		if e := d.taken[i]; e.from != e.to {
			require.True(d, diagram(d)[e], "%q --> %q is not drawn", e.from, e.to)
		}
	}
}

// starts: what may be started together, and nothing that writes in plan mode.
func (d *diff) starts() {
	d.Helper()
	flying := 0
	for i := range d.is.Calls {
		if underWay(d.is.Calls[i].State) {
			flying++
		}
	}
	for _, i := range d.fx.Dispatched {
		d.startsAlone(i, flying)
	}
	if !d.planOn() {
		return
	}
	for i := range d.is.Calls {
		was, is := d.before[i], d.is.Calls[i]
		offered := slices.Contains(d.fx.Dispatched, i)
		if started := was.Started.IsZero() && !is.Started.IsZero() && !is.Dispatched.IsZero(); started || offered {
			require.False(d, d.writes(is.Tool), "%s was started in plan mode", is.Tool)
		}
	}
}

func (d *diff) startsAlone(i, flying int) {
	d.Helper()
	if d.state.Session.Runtime == scheduler.RuntimeACP {
		if !d.env.Tools.Lookup(d.is.Calls[i].Tool).Agent {
			require.Equal(d, 1, flying)
		}
		return
	}
	for j := range d.is.Calls {
		require.False(d, waits(d.is.Calls[j].State), "call %d was dispatched while call %d is a question", i, j)
	}
	require.LessOrEqual(d, flying, scheduler.MaxInFlight)
	for j := range d.is.Calls {
		if flying > 1 && underWay(d.is.Calls[j].State) {
			require.True(d, d.safe(d.is.Calls[j].Tool), "%s runs beside others", d.is.Calls[j].Tool)
		}
	}
}

// safe and writes are told from the declaration, not by the code under test.
func (w *world) safe(tool string) bool {
	t := w.tool(tool)
	return t.Agent || t.Permission.ReadOnly || slices.Contains([]permissions.Kind{
		permissions.KindRead, permissions.KindSearch, permissions.KindFetch, permissions.KindThink,
	}, t.Permission.Kind)
}

func (w *world) writes(tool string) bool {
	return !w.safe(tool)
}

// progress: a running batch waits for somebody; an ended one for nobody.
func (d *diff) progress() {
	d.Helper()
	open := 0
	for i := range d.is.Calls {
		if s := d.is.Calls[i].State; underWay(s) || waits(s) {
			open++
		}
	}
	require.Equal(d, d.is.Status == scheduler.BatchRunning, open > 0, "the batch is stuck")
}

// verifyBudget: what was used is what started or is reserved, and not more than
// the session may.
func verifyBudget(w *world, before *scheduler.Batch, after scheduler.State) {
	w.Helper()
	if w.fx.Submitted && before != nil {
		w.settled.add(before)
	}
	now := w.settled
	now.add(after.Batch)
	require.Equal(w, now.used, after.Session.Used)
	if limit := after.Session.MaxToolCalls; limit != scheduler.Unlimited && after.Session.Runtime == scheduler.RuntimeHeadless {
		require.LessOrEqual(w, now.used-now.exits, limit)
	}
}

// tally is the calls of ended batches that count in the budget.
type tally struct {
	used  int
	exits int // approved exits, which are never refused
}

func (n *tally) add(b *scheduler.Batch) {
	for i := range b.Calls {
		c := &b.Calls[i]
		if !counts(c) {
			continue
		}
		n.used++
		if c.Tool == scheduler.ToolExitPlanMode {
			n.exits++
		}
	}
}

// counts says whether a call takes a place in the budget.
func counts(c *scheduler.Call) bool {
	switch {
	case c.Tool == scheduler.ToolStructuredOutput:
		return false
	case c.Result != nil:
		return c.Result.ExecutionStatus != scheduler.ExecutionNotStarted
	default:
		return underWay(c.State) || c.Counted
	}
}
