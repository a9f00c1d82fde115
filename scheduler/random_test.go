package scheduler_test

import (
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

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
	in.RuntimeView = rapid.SampledFrom([]string{"", `{"model":"of the call"}`}).Draw(rt, "view")
	if rarely(rt, "cut") && rarely(rt, "off") {
		in.Fault = scheduler.FaultTruncated
	}
	return in
}
