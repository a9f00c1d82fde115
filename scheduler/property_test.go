package scheduler_test

import (
	"errors"
	"fmt"
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
		delete(actions, "plan mode above")
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
				require.NoError(w, w.tryAnswer(scheduler.Answer{Approval: c.Approval - 1, Option: scheduler.OptionReject}))
			case scheduler.StateDispatched, scheduler.StateClaimed:
				if err := w.tryReport(c.Host, done(i, "")); err != nil {
					require.ErrorIs(w, err, scheduler.ErrCallLate)
				}
			case scheduler.StateQueued, scheduler.StateAwaitingHook, scheduler.StateDone:
			}
		}
	}
	require.False(w, w.open(), "the batch never ends")
}

// maxRandomCalls is more than are in flight at once.
const maxRandomCalls = 14

// randomSession is a session whose every setting is drawn.
func randomSession(rt *rapid.T, modes []permissions.Mode) []option {
	ancestor := rapid.SampledFrom([]permissions.Mode{"", "", permissions.ModePlan, permissions.ModeDefault}).Draw(rt, "ancestor")
	options := []option{
		mode(rapid.SampledFrom(modes).Draw(rt, "mode")),
		ruled(randomRules(rt)),
		settings(func(s *scheduler.Settings) {
			s.Runtime = rapid.SampledFrom(everyRuntime).Draw(rt, "runtime")
			s.MainAgent = rapid.IntRange(0, 4).Draw(rt, "subagent") > 0
			s.Approver = rapid.IntRange(0, 4).Draw(rt, "nobody") > 0
			s.Locked = rapid.IntRange(0, 4).Draw(rt, "locked") == 0
			s.MaxToolCalls = rapid.SampledFrom([]int{scheduler.Unlimited, 0, 1, 3, 7}).Draw(rt, "budget")
			s.IdenticalCalls = rapid.SampledFrom([]int{0, 2, 5, 5, 5}).Draw(rt, "identical")
			s.CallsPerTurn = rapid.SampledFrom([]int{0, 9, 1000, 1000}).Draw(rt, "per turn")
			s.ApprovalTimeout = rapid.SampledFrom([]time.Duration{0, time.Minute, time.Hour}).Draw(rt, "approval timeout")
			s.ClaimTimeout = rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(rt, "claim timeout")
			s.ToolOutputChars = rapid.SampledFrom([]int{1, 50, 25_000}).Draw(rt, "output limit")
			s.BatchOutputChars = rapid.SampledFrom([]int{1, 100, 200_000}).Draw(rt, "batch limit")
		}),
		func(w *world) {
			w.env.AncestorMode = ancestor
			w.state.Session.Plan.Inherited = ancestor == permissions.ModePlan
			w.outputs["x"] = "a stored output"
		},
	}
	if rapid.Bool().Draw(rt, "structured") {
		options = append(options, structured)
	}
	if rapid.IntRange(0, 5).Draw(rt, "module") == 0 {
		options = append(options, withoutModule)
	}
	return options
}

var (
	allModes = []permissions.Mode{permissions.ModePlan, permissions.ModeDefault, permissions.ModeAutoEdit, permissions.ModeYolo}
	hosts    = []string{"", "h1", "h2"}
	patterns = []string{
		"*", "write_file", "edit", "write(*)", "write(a)", "read(b)", "web_fetch", "agent", "execute(*)", "execute(ls*)",
		"enter_plan_mode", "exit_plan_mode", "read_output", "mystery",
	}
	callNames = []string{
		"read_file", "ReadFile", "grep_search", "write_file", "edit", "replace", "run_shell_command", "web_fetch",
		"todo_write", "agent", "mystery", "mcp__docs__lookup", "no_such_tool", "read_output",
		"enter_plan_mode", "EnterPlanMode", "exit_plan_mode", "structured_output",
	}
	callArguments = []string{
		`{}`, `{"file_path":"a"}`, `{"file_path":"b"}`, `{"command":"ls"}`, `{"command":"ls > a"}`, `{"url":"https://a.example/"}`,
		`{"plan":"p"}`, `{"note":"n"}`, `{"userRequested":true}`, `{"ref":"x"}`, `{"bad":1}`, `{`, `[]`, `{"a":1,"a":2}`, `{"n":1}`,
	}
)

func randomRules(rt *rapid.T) permissions.Rules {
	list := func(name string) []string {
		return rapid.SliceOfN(rapid.SampledFrom(patterns), 0, 2).Draw(rt, name)
	}
	rules := permissions.Rules{Deny: list("deny"), Ask: list("ask"), Allow: list("allow")}
	if rapid.IntRange(0, 2).Draw(rt, "deny nothing") > 0 {
		rules.Deny = nil // or little would ever happen
	}
	return rules
}

func randomCalls(rt *rapid.T, names []string) []scheduler.Input {
	return rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) scheduler.Input {
		in := call(
			rapid.SampledFrom([]string{"c1", "c2", "c3", "toolu_a", "toolu_b", "call_0"}).Draw(rt, "id"),
			rapid.SampledFrom(names).Draw(rt, "name"), rapid.SampledFrom(callArguments).Draw(rt, "arguments"),
		)
		if rapid.Bool().Draw(rt, "own id") {
			in.ID = fmt.Sprintf("id-%d", rapid.IntRange(0, 1<<30).Draw(rt, "number"))
		}
		in.IDAssigned = rapid.IntRange(0, 9).Draw(rt, "assigned") == 0
		if rapid.IntRange(0, 19).Draw(rt, "cut") == 0 {
			in.Fault = scheduler.FaultTruncated
		}
		return in
	}), 1, maxRandomCalls).Draw(rt, "calls")
}

// actions are what may happen to a session, in any order.
func (w *world) actions() map[string]func(*rapid.T) {
	return map[string]func(*rapid.T){
		"submit":       w.randomSubmit,
		"claim":        w.randomClaim,
		"report":       w.randomReport,
		"report many":  w.randomReport,
		"answer":       w.randomAnswer,
		"answer again": w.randomAnswer,
		"time": func(rt *rapid.T) {
			w.pass(rapid.SampledFrom([]time.Duration{0, time.Second, time.Minute, time.Hour}).Draw(rt, "passed"))
		},
		"clock only":       func(rt *rapid.T) { w.env.Now = w.env.Now.Add(time.Second) },
		"mode":             func(rt *rapid.T) { w.setMode(rapid.SampledFrom(w.modes).Draw(rt, "mode")) },
		"plan":             func(rt *rapid.T) { w.setPlan(rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "text")) },
		"rules":            func(rt *rapid.T) { w.setRules(randomRules(rt)) },
		"rules from above": func(rt *rapid.T) { w.rules = randomRules(rt); w.compile() },
		"plan mode above":  func(rt *rapid.T) { w.ancestorPlans(rapid.Bool().Draw(rt, "on")) },
		"tools":            w.randomTools,
		"revoke":           func(*rapid.T) { clear(w.grants); w.redecide() },
		"abort":            func(rt *rapid.T) { w.rarely(rt, w.abort) },
		"close":            func(rt *rapid.T) { w.rarely(rt, w.closeSession) },
	}
}

func (w *world) rarely(rt *rapid.T, do func()) {
	if rapid.IntRange(0, 3).Draw(rt, "really") == 0 {
		do()
	}
}

func (w *world) open() bool {
	return w.state.Batch != nil && w.state.Batch.Status == scheduler.BatchRunning
}

func (w *world) randomSubmit(rt *rapid.T) {
	if w.open() {
		_, fx, err := scheduler.Submit(w.env, w.state, scheduler.Submission{Calls: []scheduler.Input{read("a")}})
		require.ErrorIs(rt, err, scheduler.ErrBatchOpen)
		require.False(rt, fx.Changed())
		return
	}
	w.hostID = rapid.SampledFrom([]string{"", "", "", "me"}).Draw(rt, "sender")
	w.turnID = rapid.SampledFrom([]string{"", "t1", "t2"}).Draw(rt, "turn")
	w.responseID = rapid.SampledFrom([]string{"", "r1", "r2"}).Draw(rt, "response")
	w.submit(randomCalls(rt, w.names)...)
}

func (w *world) position(rt *rapid.T) int {
	return rapid.IntRange(0, len(w.state.Batch.Calls)-1).Draw(rt, "position")
}

func (w *world) randomClaim(rt *rapid.T) {
	if w.state.Batch == nil {
		return
	}
	w.claim(rapid.SampledFrom(hosts[1:]).Draw(rt, "host"), rapid.SliceOfNDistinct(
		rapid.IntRange(0, len(w.state.Batch.Calls)-1), 1, len(w.state.Batch.Calls), rapid.ID[int],
	).Draw(rt, "positions")...)
}

// randomReport mostly reports what is under way by who holds it, and else
// anything: results twice, other ones, for the wrong call, by the wrong host.
func (w *world) randomReport(rt *rapid.T) {
	if w.state.Batch == nil {
		return
	}
	var results []scheduler.HostResult
	host := rapid.SampledFrom(append(slices.Clone(hosts), "me")).Draw(rt, "host")
	for range rapid.IntRange(1, 3).Draw(rt, "results") {
		i := w.position(rt)
		if slices.ContainsFunc(results, func(r scheduler.HostResult) bool { return r.Position == i }) {
			continue
		}
		if c := w.call(i); c.State == scheduler.StateClaimed && rapid.IntRange(0, 4).Draw(rt, "holder") > 0 {
			host = c.Host
		}
		results = append(results, scheduler.HostResult{
			Position: i, Success: rapid.Bool().Draw(rt, "success"),
			Output: rapid.SampledFrom([]string{"", "out", "another", numbered(20)}).Draw(rt, "output"),
		})
	}
	before := freeze(rt, w.state)
	if err := w.tryReport(host, results...); err != nil && !errors.Is(err, scheduler.ErrCallLate) {
		require.Equal(rt, before, freeze(rt, w.state), "a refused report changes nothing")
		require.False(rt, w.fx.Changed())
	}
}

func (w *world) randomAnswer(rt *rapid.T) {
	if w.state.Batch == nil || len(w.state.Batch.Approvals) == 0 {
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
	if rapid.IntRange(0, 3).Draw(rt, "strict") == 0 {
		t.Validate = func([]byte) error { return errSchema }
	}
	w.redecide()
}
