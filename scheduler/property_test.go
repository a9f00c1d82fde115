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

// randomSession is a session whose every setting is drawn. What rapid draws
// first, and shrinks to, is what lets most happen.
func randomSession(rt *rapid.T, modes []permissions.Mode) []option {
	ancestor := rapid.SampledFrom([]permissions.Mode{"", permissions.ModeDefault, permissions.ModePlan}).Draw(rt, "ancestor")
	options := []option{
		mode(rapid.SampledFrom(modes).Draw(rt, "mode")),
		ruled(randomRules(rt)),
		settings(func(s *scheduler.Settings) {
			s.Runtime = rapid.SampledFrom(everyRuntime).Draw(rt, "runtime")
			s.MainAgent = !rarely(rt, "subagent")
			s.Approver = !rarely(rt, "nobody to ask")
			s.Locked = rarely(rt, "locked")
			s.MaxToolCalls = rapid.SampledFrom([]int{scheduler.Unlimited, 7, 3, 1, 0}).Draw(rt, "budget")
			s.IdenticalCalls = rapid.SampledFrom([]int{0, 0, 0, 5, 2}).Draw(rt, "identical")
			s.CallsPerTurn = rapid.SampledFrom([]int{0, 0, 0, 1000, 9}).Draw(rt, "per turn")
			s.ApprovalTimeout = rapid.SampledFrom([]time.Duration{time.Hour, 0, time.Minute}).Draw(rt, "approval timeout")
			s.ClaimTimeout = rapid.SampledFrom([]time.Duration{time.Hour, 0, time.Minute}).Draw(rt, "claim timeout")
			s.ToolOutputChars = rapid.SampledFrom([]int{25_000, 50, 1}).Draw(rt, "output limit")
			s.BatchOutputChars = rapid.SampledFrom([]int{200_000, 100, 1}).Draw(rt, "batch limit")
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
	if rarely(rt, "without the module") {
		options = append(options, withoutModule)
	}
	return options
}

// rarely is true once in a while.
func rarely(rt *rapid.T, what string) bool {
	return rapid.SampledFrom([]bool{false, false, false, false, false, true}).Draw(rt, what)
}

var (
	allModes = []permissions.Mode{permissions.ModePlan, permissions.ModeDefault, permissions.ModeAutoEdit, permissions.ModeYolo}
	patterns = []string{
		"*", "write_file", "edit", "write(*)", "write(a)", "read(b)", "web_fetch", "agent", "execute(*)", "execute(ls*)",
		"enter_plan_mode", "exit_plan_mode", "read_output", "mystery",
	}
	callNames = []string{
		"read_file", "ReadFile", "grep_search", "write_file", "edit", "replace", "run_shell_command", "web_fetch",
		"todo_write", "agent", "mystery", "mcp__docs__lookup", "no_such_tool", "read_output",
		"enter_plan_mode", "EnterPlanMode", "exit_plan_mode", "structured_output",
	}
	// usualCalls keep batches going that random names and arguments would end
	// at their submission.
	usualCalls = []scheduler.Input{
		read("a"), read("b"), fetch("f"), agent("g"), write("a"), write("b"), shell("s", "ls"), shell("t", "ls > a"),
		call("", "edit", file("a")), leave("", "one"), leave("", "two"), call("", "read_output", `{"ref":"x"}`),
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
	if !rarely(rt, "rules that deny") {
		rules.Deny = nil // or little would ever happen
	}
	return rules
}

func (w *world) randomCalls(rt *rapid.T) []scheduler.Input {
	calls := make([]scheduler.Input, rapid.IntRange(1, maxRandomCalls).Draw(rt, "calls"))
	for i := range calls {
		calls[i] = w.randomCall(rt)
		calls[i].ID = fmt.Sprintf("toolu_%d_%d", w.number, i)
		if rarely(rt, "known id") {
			calls[i].ID = rapid.SampledFrom([]string{"toolu_a", "toolu_b", "call_0"}).Draw(rt, "id")
		}
		calls[i].IDAssigned = rarely(rt, "assigned id")
	}
	if rarely(rt, "many readers") {
		for n := range maxRandomCalls {
			calls = append(calls, read(fmt.Sprintf("toolu_%d_r%d", w.number, n)))
		}
	}
	return calls
}

func (w *world) randomCall(rt *rapid.T) scheduler.Input {
	in := rapid.SampledFrom(usualCalls).Draw(rt, "usual")
	if rarely(rt, "unusual") || !slices.Contains(w.names, in.Name) {
		in = call("", rapid.SampledFrom(w.names).Draw(rt, "name"), rapid.SampledFrom(callArguments).Draw(rt, "arguments"))
	}
	if rarely(rt, "cut") && rarely(rt, "off") {
		in.Fault = scheduler.FaultTruncated
	}
	return in
}

// actions are what may happen to a session, in any order. Those that need a
// batch mostly open one where none is.
func (w *world) actions() map[string]func(*rapid.T) {
	passed := []time.Duration{time.Second, 0, time.Minute, time.Hour}
	return map[string]func(*rapid.T){
		"host takes a call":        w.onBatch(w.randomClaim),
		"host takes another":       w.onBatch(w.randomClaim),
		"host reports":             w.onBatch(w.randomReport),
		"host reports more":        w.onBatch(w.randomReport),
		"person says yes":          w.onBatch(w.randomApproval),
		"person says yes again":    w.onBatch(w.randomApproval),
		"person answers":           w.onBatch(w.randomAnswer),
		"person changes the mode":  func(rt *rapid.T) { w.setMode(rapid.SampledFrom(w.modes).Draw(rt, "mode")) },
		"person changes the plan":  func(rt *rapid.T) { w.setPlan(rapid.SampledFrom([]string{"", "a", "b"}).Draw(rt, "text")) },
		"person changes rules":     func(rt *rapid.T) { w.setRules(randomRules(rt)) },
		"person revokes grants":    func(*rapid.T) { clear(w.grants); w.redecide() },
		"person aborts":            func(rt *rapid.T) { w.once(rt, w.abort) },
		"person closes":            func(rt *rapid.T) { w.once(rt, w.closeSession) },
		"rules above change":       func(rt *rapid.T) { w.rules = randomRules(rt); w.compile() },
		actionPlanAbove:            func(rt *rapid.T) { w.ancestorPlans(rapid.Bool().Draw(rt, "on")) },
		"time passes":              func(rt *rapid.T) { w.pass(rapid.SampledFrom(passed).Draw(rt, "passed")) },
		"time passes without word": func(*rapid.T) { w.env.Now = w.env.Now.Add(time.Second) },
		"tools are declared anew":  w.randomTools,
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
	w.turnID = rapid.SampledFrom([]string{"", "t1", "t2"}).Draw(rt, "turn")
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
	w.claim(rapid.SampledFrom([]string{"h1", "h2"}).Draw(rt, "host"), positions...)
}

// randomReport mostly reports what is under way by who holds it, and else
// anything: results twice, other ones, for the wrong call, by the wrong host.
func (w *world) randomReport(rt *rapid.T) {
	var results []scheduler.HostResult
	host := rapid.SampledFrom([]string{"h1", "h2", "me", ""}).Draw(rt, "host")
	for range rapid.IntRange(1, 3).Draw(rt, "results") {
		i := w.position(rt)
		if slices.ContainsFunc(results, func(r scheduler.HostResult) bool { return r.Position == i }) {
			continue
		}
		if c := w.call(i); c.State == scheduler.StateClaimed && !rarely(rt, "not the holder") {
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
