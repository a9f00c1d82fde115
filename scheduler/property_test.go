package scheduler_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// TestTheSchedulerKeepsItsPromises drives a session with random batches, rules,
// modes, hosts, people and clocks. What is promised stands in verify, which
// looks at every command.
func TestTheSchedulerKeepsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, randomSession(rt, allModes)...)
		w.names, w.modes = callNames, allModes
		rt.Repeat(w.actions())
		w.drain()
	})
}

// TestOffEqualsAbsent: a session that has the module and never enters plan mode
// can't be told from one without it, batches with the module's tools apart.
func TestOffEqualsAbsent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		w := newWorld(rt, append(randomSession(rt, allModes[1:]), func(w *world) {
			w.ancestorPlans(false)
			w.absent = &absent{state: w.state}
		})...)
		w.modes = allModes[1:]
		w.names = slices.DeleteFunc(slices.Clone(callNames), func(name string) bool {
			return strings.HasSuffix(name, "_plan_mode") || strings.HasSuffix(name, "PlanMode")
		})
		actions := w.actions()
		delete(actions, actionPlanAbove)
		rt.Repeat(actions)
	})
}

// drain lets hosts and people do all that is left to do: every batch ends.
func (w *world) drain() {
	for range 2 * maxRandomCalls {
		if !w.open() {
			return
		}
		for i := range w.state.Batch.Calls {
			switch c := w.call(i); c.State {
			case scheduler.StateAwaitingApproval:
				require.NoError(w, w.tryAnswer(scheduler.Answer{Approval: c.Approval - 1, Option: scheduler.OptionReject, By: "ada"}))
			case scheduler.StateDispatched, scheduler.StateClaimed:
				if err := w.tryReportFrom(w.runner(i), done(i, "")); err != nil {
					require.ErrorIs(w, err, scheduler.ErrCallLate)
				}
			case scheduler.StateAwaitingHook:
				w.says(c.Hooks[0].ID, i, scheduler.HookDeny)
				w.says(c.Hooks[len(c.Hooks)-1].ID, i, scheduler.HookDeny)
				w.pass(hookTimeout)
			case scheduler.StateQueued, scheduler.StateDone:
			}
		}
	}
	require.False(w, w.open(), "the batch never ends")
}

// maxRandomCalls is more than are in flight at once.
const maxRandomCalls = 14

// actions are what may happen to a session, in any order. Those that need a
// batch mostly open one where none is.
func (w *world) actions() map[string]func(*rapid.T) {
	passed := []time.Duration{time.Second, 0, time.Minute, time.Hour}
	return map[string]func(*rapid.T){
		"host takes a call":        w.onBatch(w.randomClaim),
		"host takes another":       w.onBatch(w.randomClaim),
		"host reports":             w.onBatch(w.randomReport),
		"host reports more":        w.onBatch(w.randomReport),
		"host speaks":              w.onBatch(w.randomProgress),
		"host attaches":            w.randomAttach,
		"host detaches":            w.randomDetach,
		"host is alive":            w.randomRenewal,
		"person says yes":          w.onBatch(w.randomApproval),
		"person says yes again":    w.onBatch(w.randomApproval),
		"person answers":           w.onBatch(w.randomAnswer),
		"person changes the mode":  func(rt *rapid.T) { w.setMode(rapid.SampledFrom(w.modes).Draw(rt, "mode")) },
		"person changes the plan":  func(rt *rapid.T) { w.setPlan(rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "text")) },
		"person changes rules":     func(rt *rapid.T) { w.setRules(randomRules(rt)) },
		"person revokes grants":    func(*rapid.T) { clear(w.grants); w.redecide() },
		"person prompts":           func(*rapid.T) { w.randomTurn() },
		"person cancels the turn":  func(rt *rapid.T) { w.once(rt, func() { w.do(scheduler.CancelTurn) }) },
		"host says something":      func(*rapid.T) { w.say("x") },
		"person aborts":            func(rt *rapid.T) { w.once(rt, w.abort) },
		"person closes":            func(rt *rapid.T) { w.once(rt, w.closeSession) },
		"rules above change":       func(rt *rapid.T) { w.rules = randomRules(rt); w.compile() },
		actionPlanAbove:            func(rt *rapid.T) { w.ancestorPlans(rapid.Bool().Draw(rt, "on")) },
		"time passes":              func(rt *rapid.T) { w.pass(rapid.SampledFrom(passed).Draw(rt, "passed")) },
		"time passes without word": func(*rapid.T) { w.env.Now = w.env.Now.Add(time.Second) },
		"tools are declared anew":  w.randomTools,
		"tenant changes its hooks": w.randomHooks,
		"hook answers":             w.onBatch(w.randomWord),
		"hook answers more":        w.onBatch(w.randomWord),
	}
}

const actionPlanAbove = "plan mode above changes"

func (w *world) onBatch(act func(*rapid.T)) func(*rapid.T) {
	return func(rt *rapid.T) {
		if !w.open() && !rarely(rt, "on the batch that ended") || w.state.Batch == nil {
			w.randomSubmit(rt)
			return
		}
		act(rt)
	}
}

// once in a while something ends everything.
func (w *world) once(rt *rapid.T, do func()) {
	if rarely(rt, "really") {
		do()
	}
}

func (w *world) open() bool {
	return w.state.Batch != nil && w.state.Batch.Status == scheduler.BatchRunning
}

func (w *world) randomSubmit(rt *rapid.T) {
	w.hostID = ""
	if rarely(rt, "sent by its host") {
		w.hostID = "me"
	}
	w.fence = 0
	if l := w.state.Session.Lease; l != nil && w.hostID != "" {
		w.refusesStrangers(rt)
		w.hostID, w.fence = l.Host, rapid.SampledFrom([]int64{0, l.Fence}).Draw(rt, "fence")
	}
	w.view = rapid.SampledFrom([]string{"", `{"model":"m"}`}).Draw(rt, "view")
	w.turnID = rapid.SampledFrom([]string{"", "t1", "t2"}).Draw(rt, "turn")
	if turn := w.state.Session.Open; turn != nil {
		w.turnID = turn.ID
	}
	w.responseID = rapid.SampledFrom([]string{"", "r1", "r2"}).Draw(rt, "response")
	w.submit(w.randomCalls(rt)...)
}

// position is mostly a call that is under way.
func (w *world) position(rt *rapid.T) int {
	var flying []int
	for i := range w.state.Batch.Calls {
		if underWay(w.call(i).State) {
			flying = append(flying, i)
		}
	}
	if len(flying) > 0 && !rarely(rt, "any position") {
		return rapid.SampledFrom(flying).Draw(rt, "under way")
	}
	return rapid.IntRange(0, len(w.state.Batch.Calls)-1).Draw(rt, "position")
}

func (w *world) randomClaim(rt *rapid.T) {
	positions := []int{w.position(rt)}
	if rapid.Bool().Draw(rt, "two") {
		positions = append(positions, w.position(rt))
	}
	from := w.randomSender(rt, "h1", "h2")
	claims, err := w.tryClaim(from, positions...)
	w.judged(from, err)
	for _, c := range claims {
		if c.Granted {
			w.granted(c.Position, from.Host)
		}
	}
}

// randomReport mostly reports what is under way by who holds it, and else
// anything: results twice, other ones, for the wrong call, by the wrong host.
func (w *world) randomReport(rt *rapid.T) {
	var results []scheduler.HostResult
	from := w.randomSender(rt, "h1", "h2", "me", "")
	for range rapid.IntRange(1, 3).Draw(rt, "results") {
		i := w.position(rt)
		if slices.ContainsFunc(results, func(r scheduler.HostResult) bool { return r.Position == i }) {
			continue
		}
		if c := w.call(i); c.State == scheduler.StateClaimed && !rarely(rt, "not the holder") {
			from = w.runner(i)
		}
		results = append(results, scheduler.HostResult{
			Position: i, Success: rapid.Bool().Draw(rt, "success"),
			Output: rapid.SampledFrom([]string{"", "out", "another", numbered(20)}).Draw(rt, "output"),
		})
	}
	before := freeze(rt, w.state)
	err := w.tryReportFrom(from, results...)
	w.judged(from, err)
	if err != nil && !errors.Is(err, scheduler.ErrCallLate) {
		require.Equal(rt, before, freeze(rt, w.state), "a refused report changes nothing")
		require.False(rt, w.fx.Changed())
	}
}

// randomApproval says yes to an open question.
func (w *world) randomApproval(rt *rapid.T) {
	var open []int
	for k, a := range w.state.Batch.Approvals {
		if a.Status == scheduler.ApprovalPending {
			open = append(open, k)
		}
	}
	if len(open) == 0 {
		return
	}
	k := rapid.SampledFrom(open).Draw(rt, "question")
	options := w.state.Batch.Approvals[k].Options()
	option := rapid.SampledFrom(options[:len(options)-1]).Draw(rt, "yes").ID
	err := w.tryAnswer(scheduler.Answer{Approval: k, Option: option, By: "ada"})
	if err != nil {
		require.ErrorIs(rt, err, scheduler.ErrExpired, "an open question takes every yes")
	}
}

func (w *world) randomAnswer(rt *rapid.T) {
	if len(w.state.Batch.Approvals) == 0 {
		return
	}
	a := scheduler.Answer{
		Approval: rapid.IntRange(0, len(w.state.Batch.Approvals)-1).Draw(rt, "approval"),
		Option: rapid.SampledFrom([]string{
			"allow_once", "allow_session", "reject", "restore_previous", "auto_edit", "default", "nonsense",
		}).Draw(rt, "option"),
		By:         rapid.SampledFrom([]string{"ada", "bob"}).Draw(rt, "who"),
		PlanSHA256: rapid.SampledFrom([]string{"", "", "", "other"}).Draw(rt, "hash"),
	}
	before, was := freeze(rt, w.state), w.state.Batch.Approvals[a.Approval].Status
	wasMode := w.state.Session.Mode
	err := w.tryAnswer(a)
	if err != nil {
		require.Equal(rt, before, freeze(rt, w.state), "a refused answer changes nothing")
		require.False(rt, w.fx.Changed())
	} else {
		require.Equal(rt, scheduler.ApprovalPending, was)
	}
	if wasMode == permissions.ModePlan && w.state.Session.Mode != permissions.ModePlan {
		require.Equal(rt, scheduler.ApprovalPlanExit, w.state.Batch.Approvals[a.Approval].Kind)
		require.Contains(rt, []string{"restore_previous", "auto_edit", "default"}, a.Option)
	}
}

// randomTools declares a tool anew: another declaration, or stricter arguments.
func (w *world) randomTools(rt *rapid.T) {
	t := w.tool(rapid.SampledFrom([]string{"write_file", "web_fetch", "read_file"}).Draw(rt, "tool"))
	t.Fingerprint = rapid.SampledFrom([]string{"1", "2"}).Draw(rt, "fingerprint")
	t.Validate = w.validate
	if rarely(rt, "strict") {
		t.Validate = func([]byte) error { return errSchema }
	}
	w.redecide()
}
