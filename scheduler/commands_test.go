package scheduler_test

import (
	"fmt"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// do runs a command on the state and takes over what came of it.
func (w *world) do(command func(scheduler.Env, scheduler.State) (scheduler.State, scheduler.Effects)) {
	w.Helper()
	before, frozen := w.state, freeze(w, w.state)
	after, fx := command(w.env, before)
	require.Equal(w, frozen, freeze(w, before), "the state that was passed in has changed")
	w.state, w.fx = after, fx
	verify(w, before, after, &fx)
	w.compareAbsent(command)
	w.note()
}

// note does what a store does with effects.
func (w *world) note() {
	for _, r := range w.fx.Remembered {
		w.memory[r.ID] = r
	}
	for _, g := range w.fx.Granted {
		w.grants[[3]string{g.Tool, g.Fingerprint, g.Key}] = true
	}
	for _, o := range w.fx.Stored {
		w.outputs[o.Ref] = o.Text
	}
	for _, i := range w.fx.Dispatched {
		w.dispatched = append(w.dispatched, w.state.Batch.Calls[i].ID)
	}
	for _, k := range w.fx.Raised {
		w.raised = append(w.raised, w.state.Batch.Calls[w.state.Batch.Approvals[k].Position].ID)
	}
}

func (w *world) submission(calls []scheduler.Input) scheduler.Submission {
	w.number++
	return scheduler.Submission{
		ID: fmt.Sprintf("b%d", w.number), Number: w.number, TurnID: w.turnID, HostID: w.hostID,
		Fence: w.fence, ResponseID: w.responseID, Format: "native", Calls: calls, RuntimeView: w.view, By: "sender",
	}
}

func (w *world) submit(calls ...scheduler.Input) {
	w.Helper()
	batch := w.submission(calls)
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		after, fx, err := scheduler.Submit(env, s, batch)
		require.NoError(w, err)
		return after, fx
	})
}

// claim takes calls for a host and gives what came of each.
func (w *world) claim(host string, positions ...int) []scheduler.Claim {
	w.Helper()
	claims, err := w.tryClaim(scheduler.Sender{Host: host}, positions...)
	require.NoError(w, err)
	return claims
}

func (w *world) tryClaim(from scheduler.Sender, positions ...int) (claims []scheduler.Claim, err error) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (after scheduler.State, fx scheduler.Effects) {
		after, fx, claims, err = scheduler.TakeCalls(env, s, from, positions)
		return after, fx
	})
	return claims, err
}

func (w *world) tryReport(host string, results ...scheduler.HostResult) error {
	w.Helper()
	return w.tryReportFrom(scheduler.Sender{Host: host}, results...)
}

func (w *world) tryReportFrom(from scheduler.Sender, results ...scheduler.HostResult) (err error) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (after scheduler.State, fx scheduler.Effects) {
		after, fx, err = scheduler.Report(env, s, from, results)
		return after, fx
	})
	return err
}

func done(position int, output string) scheduler.HostResult {
	return scheduler.HostResult{Position: position, Success: true, Output: output}
}

func failed(position int, message string) scheduler.HostResult {
	return scheduler.HostResult{Position: position, Message: message}
}

// report ends a dispatched call with success.
func (w *world) report(position int, output string) {
	w.Helper()
	require.NoError(w, w.tryReport("", done(position, output)))
}

func (w *world) tryAnswer(a scheduler.Answer) error {
	w.Helper()
	var err error
	w.do(func(env scheduler.Env, s scheduler.State) (after scheduler.State, fx scheduler.Effects) {
		after, fx, err = scheduler.Respond(env, s, a)
		return after, fx
	})
	return err
}

// answer gives ada's answer to the question about a call.
func (w *world) answer(position int, option string) {
	w.Helper()
	require.Equal(w, scheduler.StateAwaitingApproval, w.call(position).State)
	require.NoError(w, w.tryAnswer(scheduler.Answer{Approval: w.call(position).Approval - 1, Option: option, By: "ada"}))
}

// pass lets time go by and applies it, twice: the second changes nothing.
func (w *world) pass(d time.Duration) {
	w.Helper()
	w.env.Now = w.env.Now.Add(d)
	w.do(scheduler.Expire)
	once := freeze(w, w.state)
	after, fx := scheduler.Expire(w.env, w.state)
	require.False(w, fx.Changed(), "time was applied twice")
	require.Equal(w, once, freeze(w, after))
}

func (w *world) setMode(m permissions.Mode) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		return scheduler.SetMode(env, s, m, "ada")
	})
}

func (w *world) setPlan(text string) {
	w.Helper()
	plan, err := w.state.Session.Plan.Replace(text)
	require.NoError(w, err)
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		return scheduler.SetPlan(env, s, plan)
	})
}

// redecide puts what the world declares into force.
func (w *world) redecide() {
	w.Helper()
	w.compile()
	w.do(scheduler.Redecide)
}

func (w *world) setRules(r permissions.Rules) {
	w.Helper()
	w.rules = r
	w.redecide()
}

func (w *world) abort() {
	w.Helper()
	w.do(scheduler.Abort)
}

// attach gives the lease to a host and gives what it has to send along.
func (w *world) attach(host string) scheduler.Sender {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		return scheduler.Attach(env, s, scheduler.Attachment{Host: host, By: host, TTL: leaseTTL})
	})
	return scheduler.Sender{Host: host, Fence: w.state.Session.Fences}
}

// leaseTTL is how long hosts of tests live without a word.
const leaseTTL = 30 * time.Second

// renew does what a heartbeat does to a loaded session: it is no command.
func (w *world) renew() {
	lease := *w.state.Session.Lease
	lease.Expires = w.env.Now.Add(lease.TTL)
	w.state.Session.Lease = &lease
	if w.absent != nil {
		w.absent.state.Session.Lease = &lease
	}
}

func (w *world) tryDetach(from scheduler.Sender) (err error) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (after scheduler.State, fx scheduler.Effects) {
		after, fx, err = scheduler.Detach(env, s, from)
		return after, fx
	})
	return err
}

func (w *world) tryProgress(from scheduler.Sender, p scheduler.Progress) (err error) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (after scheduler.State, fx scheduler.Effects) {
		after, fx, err = scheduler.ReportProgress(env, s, from, p)
		return after, fx
	})
	return err
}

func (w *world) closeSession() {
	w.Helper()
	w.do(scheduler.CloseSession)
}

// finishAll reports success for whatever is dispatched until the batch ends or
// waits for a person.
func (w *world) finishAll() {
	w.Helper()
	for range 2 * len(w.state.Batch.Calls) {
		for i := range w.state.Batch.Calls {
			if s := w.call(i).State; s == scheduler.StateDispatched || s == scheduler.StateClaimed {
				require.NoError(w, w.tryReportFrom(w.runner(i), done(i, "done")))
			}
		}
	}
}

// batch submits calls and finishes whatever reaches the host.
func (w *world) batch(calls ...scheduler.Input) []string {
	w.Helper()
	w.submit(calls...)
	w.finishAll()
	return w.outcomes()
}

func (w *world) call(i int) *scheduler.Call { return &w.state.Batch.Calls[i] }

func (w *world) result(i int) *scheduler.Result {
	w.Helper()
	require.NotNil(w, w.call(i).Result, "call %d has not ended", i)
	return w.call(i).Result
}

// outcomes are the reasons of the ended calls, "ok" without one, and the
// states of the others.
func (w *world) outcomes() []string {
	out := make([]string, len(w.state.Batch.Calls))
	for i := range w.state.Batch.Calls {
		switch c := w.call(i); {
		case c.State != scheduler.StateDone:
			out[i] = string(c.State)
		case c.Result.Reason != nil:
			out[i] = string(*c.Result.Reason)
		default:
			out[i] = "ok"
		}
	}
	return out
}

// stop is why the batch stopped the turn; empty if it did not.
func (w *world) stop() string {
	if w.state.Batch.Stop == nil {
		return ""
	}
	return w.state.Batch.Stop.Reason
}
