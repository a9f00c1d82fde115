package scheduler_test

import (
	"encoding/json"
	"slices"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// freeze writes a value out, to be compared later.
func freeze(t tester, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

// verify holds a command's effects against what it did to the state, and the
// state against what holds at any time.
func verify(w *world, before, after scheduler.State, fx *scheduler.Effects) {
	w.Helper()
	verifySession(w, before.Session, after.Session, fx)
	if after.Batch == nil {
		require.Empty(w, fx.Ended)
		return
	}
	old := make([]scheduler.Call, len(after.Batch.Calls))
	if !fx.Submitted {
		copy(old, before.Batch.Calls)
	}
	d := diff{w, fx, before.Batch, after.Batch, old}
	d.effects()
	d.approvals()
	for i := range after.Batch.Calls {
		d.history(i)
		d.result(i)
	}
	d.starts()
	d.boundary()
	d.edges()
	d.progress()
	verifyBudget(w, before.Batch, after)
}

func verifySession(w *world, before, after scheduler.Session, fx *scheduler.Effects) {
	w.Helper()
	require.Equal(w, before.Settings, after.Settings)
	require.Equal(w, before.Mode != after.Mode, fx.ModeChange != nil)
	if fx.ModeChange != nil {
		require.Equal(w, before.Mode, fx.ModeChange.From)
		require.Equal(w, after.Mode, fx.ModeChange.To)
		require.Equal(w, before.ModeRevision+1, after.ModeRevision)
	} else {
		require.Equal(w, before.ModeRevision, after.ModeRevision)
	}
	require.Equal(w, before.Plan.Revision != after.Plan.Revision, fx.PlanUpdated)
	require.Equal(w, before.Plan.Text != after.Plan.Text, fx.PlanUpdated)
	require.Equal(w, after.Mode == permissions.ModePlan, after.Plan.Active)
	require.Equal(w, before.Plan.Inherited, after.Plan.Inherited)
}

// diff is a batch before and after a command; old is empty calls for a new one.
type diff struct {
	*world
	fx      *scheduler.Effects
	was, is *scheduler.Batch
	before  []scheduler.Call
}

func underWay(s scheduler.CallState) bool {
	return s == scheduler.StateDispatched || s == scheduler.StateClaimed
}

func waits(s scheduler.CallState) bool {
	return s == scheduler.StateAwaitingApproval || s == scheduler.StateAwaitingHook
}

// effects compares every list with what it should tell, each thing once.
func (d *diff) effects() {
	d.Helper()
	var ended, dispatched, claimed, cancelled []int
	for i := range d.is.Calls {
		was, is := d.before[i].State, d.is.Calls[i].State
		if is == scheduler.StateDone && was != is {
			ended = append(ended, i)
		}
		if underWay(is) && !underWay(was) {
			dispatched = append(dispatched, i)
		}
		if is == scheduler.StateClaimed && was == scheduler.StateDispatched {
			claimed = append(claimed, i)
		}
		if underWay(was) && (waits(is) || is == scheduler.StateDone && !told(d.is.Calls[i].Result)) {
			cancelled = append(cancelled, i)
		}
		if freeze(d, d.before[i]) != freeze(d, d.is.Calls[i]) {
			require.Contains(d, d.fx.Touched, i)
		}
	}
	require.ElementsMatch(d, ended, d.fx.Ended)
	require.ElementsMatch(d, dispatched, d.fx.Dispatched)
	require.True(d, slices.IsSorted(d.fx.Dispatched), "calls are offered in order")
	require.ElementsMatch(d, claimed, d.fx.Claimed)
	var named []int
	for _, c := range d.fx.Cancelled {
		named = append(named, c.Position)
		require.NotEmpty(d, c.Reason)
	}
	require.ElementsMatch(d, cancelled, named)
	completed := d.is.Status != scheduler.BatchRunning && (d.fx.Submitted || d.was.Status == scheduler.BatchRunning)
	require.Equal(d, completed, d.fx.Completed)
}

// told says whether a result came from the host.
func told(r *scheduler.Result) bool {
	return r.Reason == nil || *r.Reason == scheduler.ReasonHostError
}

// approvals: what is new was raised, what is not open any more was resolved,
// and an open one is the question that its call waits for and can be answered.
func (d *diff) approvals() {
	d.Helper()
	var old []scheduler.Approval
	if !d.fx.Submitted {
		old = d.was.Approvals
	}
	var raised, resolved []int
	for k, a := range d.is.Approvals {
		isNew := k >= len(old)
		open := isNew || old[k].Status == scheduler.ApprovalPending
		if isNew {
			raised = append(raised, k)
		}
		if open && a.Status != scheduler.ApprovalPending {
			resolved = append(resolved, k)
		}
		if !open {
			require.Equal(d, old[k], a, "a resolved approval has changed")
		}
		require.Equal(d, k+1, a.Number)
		if a.Status != scheduler.ApprovalPending {
			d.resolved(&a)
			continue
		}
		c := d.is.Calls[a.Position]
		require.Equal(d, scheduler.StateAwaitingApproval, c.State)
		require.Equal(d, a.Number, c.Approval)
		require.Equal(d, a.Expires, c.Deadline)
		if a.Plan != nil {
			require.True(d, a.Plan.Holds(d.state.Session.Plan, d.state.Session.ModeRevision), "a stale question is open")
		}
	}
	require.Equal(d, raised, d.fx.Raised)
	require.ElementsMatch(d, resolved, d.fx.Resolved)
}

// resolved: a question that ended its call says the same as the call's result.
func (d *diff) resolved(a *scheduler.Approval) {
	d.Helper()
	c := &d.is.Calls[a.Position]
	want, ends := map[scheduler.ApprovalStatus]scheduler.Reason{
		scheduler.ApprovalRejected: scheduler.ReasonApprovalRejected,
		scheduler.ApprovalExpired:  scheduler.ReasonApprovalExpired,
		scheduler.ApprovalStale:    scheduler.ReasonApprovalStale,
	}[a.Status]
	require.Equal(d, ends, slices.Contains([]scheduler.Reason{
		scheduler.ReasonApprovalRejected, scheduler.ReasonApprovalExpired, scheduler.ReasonApprovalStale,
	}, reason(c)) && c.Approval == a.Number)
	if ends {
		require.Equal(d, want, reason(c))
	}
	require.Equal(d, a.By != "", a.Status == scheduler.ApprovalApproved || a.Status == scheduler.ApprovalRejected)
	require.False(d, a.Resolved.IsZero())
}

// history: an ended call stays as it is.
func (d *diff) history(i int) {
	d.Helper()
	was, is := d.before[i], d.is.Calls[i]
	if was.State != scheduler.StateDone {
		return
	}
	is.Rendered, was.Rendered = nil, nil // the batch's limit comes later
	require.Equal(d, freeze(d, was), freeze(d, is), "an ended call has changed")
}

// result: there is one exactly for an ended call, and it means what its reason
// means.
func (d *diff) result(i int) {
	d.Helper()
	c := d.is.Calls[i]
	require.Equal(d, c.State == scheduler.StateDone, c.Result != nil)
	if c.Result == nil {
		return
	}
	r := c.Result
	require.Equal(d, i, r.Position)
	require.Equal(d, []string{c.ID, c.Name, c.Tool}, []string{r.CallID, r.Name, r.Tool})
	require.Zero(d, c.Deadline)
	want := meanings[""]
	if r.Reason != nil {
		want = meanings[*r.Reason]
	}
	require.Equal(d, want.status, r.Status)
	if r.Status != scheduler.StatusCancelled {
		require.Equal(d, want.execution, r.ExecutionStatus)
	}
	require.Equal(d, want.err != "", r.Error != nil)
	if r.Error != nil {
		require.Equal(d, want.err, r.Error.Type)
	}
	if r.Reason != nil && *r.Reason == scheduler.ReasonPlanBoundary {
		d.skipped(&c)
	}
}

// skipped: nobody looked at a call that the boundary denied.
func (d *diff) skipped(c *scheduler.Call) {
	d.Helper()
	require.Nil(d, c.Decision)
	require.Nil(d, c.Result.Decision)
	require.Zero(d, c.Approval)
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
			require.Contains(d, diagram(d), e)
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
