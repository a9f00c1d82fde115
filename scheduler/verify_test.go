package scheduler_test

import (
	"encoding/json"
	"reflect"
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
	verifyLease(w, before, after, fx)
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
	d.hooks()
	d.starts()
	d.boundary()
	d.edges()
	d.progress()
	d.views()
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
	verifyTurn(w, &before, &after, fx)
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
		if !d.fx.Touched[i] {
			require.True(d, reflect.DeepEqual(d.before[i], d.is.Calls[i]), "call %d has changed untold", i)
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
	require.True(d, reflect.DeepEqual(was, is), "ended call %d has changed", i)
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
