package scheduler_test

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// tester is a *testing.T or a *rapid.T.
type tester interface {
	require.TestingT
	Helper()
}

// world is a session with everything around it that the scheduler is given:
// it runs commands as a store would, one after the other, and checks after
// each that the effects tell what happened to the state (see verify).
type world struct {
	tester
	env        scheduler.Env
	state      scheduler.State
	fx         scheduler.Effects // of the last command
	tools      []scheduler.Tool
	rules      permissions.Rules
	memory     memory
	grants     grants
	outputs    outputs
	number     uint64
	responseID string
	turnID     string
	hostID     string
	fence      int64                          // that batches carry
	view       string                         // that batches carry
	dispatched []string                       // call ids, in the order in which they reached the host
	raised     []string                       // call ids about which somebody was asked
	absent     *absent                        // set: every command is run without the module too
	names      []string                       // of random calls
	modes      []permissions.Mode             // that are set at random
	taken      []edge                         // by the last command, for every call
	watched    int                            // the position that a test of one step is about
	settled    tally                          // of the batches before
	validated  map[string]int                 // how often arguments were looked at
	holders    map[[2]uint64]scheduler.Sender // of batch and position: who was granted the call
}

type (
	memory  map[string]scheduler.Remembered
	grants  map[[3]string]bool
	outputs map[string]string
)

func (m memory) Recall(id string) (scheduler.Remembered, bool) {
	r, ok := m[id]
	return r, ok
}

func (g grants) Granted(tool, fingerprint, key string) bool {
	return g[[3]string{tool, fingerprint, key}]
}

func (o outputs) Page(ref string, offset, limit int) (scheduler.Page, bool) {
	text, ok := o[ref]
	return scheduler.CutPage(text, offset, limit, utf8.RuneCountInString(text)), ok
}

// start is when every world begins.
var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// option changes a world before its first command.
type option func(*world)

func newWorld(t tester, options ...option) *world {
	w := &world{
		tester: t, memory: memory{}, grants: grants{}, outputs: outputs{}, validated: map[string]int{}, holders: map[[2]uint64]scheduler.Sender{},
		turnID: "t1",
	}
	w.tools = w.standardTools()
	w.env.Now, w.env.Memory, w.env.Grants, w.env.Outputs = start, w.memory, w.grants, w.outputs
	w.state.Session = scheduler.Session{Mode: permissions.ModeDefault, ModeRevision: 1, Settings: scheduler.Settings{
		Runtime: scheduler.RuntimeCore, MainAgent: true, Approver: true, Cwd: "/",
		ApprovalTimeout: 30 * time.Minute, ClaimTimeout: 5 * time.Minute, MaxToolCalls: scheduler.Unlimited,
		IdenticalCalls: 5, CallsPerTurn: 1000, ToolOutputChars: 25_000, BatchOutputChars: 200_000,
	}}
	for _, o := range options {
		o(w)
	}
	w.compile()
	return w
}

// compile makes the registry and the policy out of what the world declares.
func (w *world) compile() {
	w.Helper()
	var err error
	w.env.Tools, err = scheduler.NewRegistry(w.tools)
	require.NoError(w, err)
	if w.absent != nil {
		w.absent.tools, err = scheduler.NewRegistry(withoutPlanMode(w.tools))
		require.NoError(w, err)
	}
	w.env.Policy, err = permissions.Compile(permissions.Origin{Source: permissions.SourceSession, Rules: w.rules})
	require.NoError(w, err)
}

// Options that tests share.

func in(r scheduler.Runtime) option {
	return func(w *world) { w.state.Session.Runtime = r }
}

func mode(m permissions.Mode) option {
	return func(w *world) {
		w.state.Session.Mode = m
		w.state.Session.Plan.Active = m == permissions.ModePlan
	}
}

func ruled(r permissions.Rules) option { return func(w *world) { w.rules = r } }

var (
	allowAll      = ruled(permissions.Rules{Allow: []string{"*"}})
	nobodyToAsk   = option(func(w *world) { w.state.Session.Approver = false })
	underPlan     = option(func(w *world) { w.ancestorPlans(true) })
	structured    = option(func(w *world) { w.tools = append(w.tools, w.structuredTool()) })
	inPlan        = mode(permissions.ModePlan)
	inACP         = in(scheduler.RuntimeACP)
	inHeadless    = in(scheduler.RuntimeHeadless)
	withoutModule = option(func(w *world) { w.tools = withoutPlanMode(w.tools) })
)

func withoutPlanMode(tools []scheduler.Tool) []scheduler.Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t scheduler.Tool) bool {
		return t.Permission.Name == scheduler.ToolEnterPlanMode || t.Permission.Name == scheduler.ToolExitPlanMode
	})
}

func settings(change func(*scheduler.Settings)) option {
	return func(w *world) { change(&w.state.Session.Settings) }
}

func budget(n int) option {
	return settings(func(s *scheduler.Settings) {
		s.Runtime, s.MaxToolCalls = scheduler.RuntimeHeadless, n
	})
}

// Calls that tests share. What a call does is in its id's first letter.

func call(id, name, arguments string) scheduler.Input {
	return scheduler.Input{ID: id, Name: name, Arguments: arguments}
}

func read(id string) scheduler.Input { return call(id, "read_file", file(id)) }

func write(id string) scheduler.Input { return call(id, "write_file", file(id)) }

func fetch(id string) scheduler.Input {
	return call(id, "web_fetch", `{"url":"https://a.example/`+id+`"}`)
}

func agent(id string) scheduler.Input { return call(id, "agent", `{"prompt":"`+id+`"}`) }

func shell(id, command string) scheduler.Input {
	return call(id, "run_shell_command", fmt.Sprintf(`{"command":%q}`, command))
}

func enter(id string) scheduler.Input { return call(id, scheduler.ToolEnterPlanMode, `{}`) }

func leave(id, plan string) scheduler.Input {
	return call(id, scheduler.ToolExitPlanMode, fmt.Sprintf(`{"plan":%q}`, plan))
}

func answer(id, value string) scheduler.Input {
	return call(id, scheduler.ToolStructuredOutput, value)
}

func file(name string) string { return `{"file_path":"` + name + `"}` }

// ancestorPlans puts the session under plan mode, or out of it, without its
// being told: descendants are decided again when their calls start.
func (w *world) ancestorPlans(on bool) {
	w.state.Session.Plan.Inherited = on
	w.env.AncestorMode = permissions.ModeYolo
	if on {
		w.env.AncestorMode = permissions.ModePlan
	}
}

func (w *world) planOn() bool { return w.state.Session.Plan.On() }
