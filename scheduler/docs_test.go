package scheduler_test

import (
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// edge is a step of a call from one commit to the next; from is empty for the
// commit that accepts the call.
type edge struct{ from, to scheduler.CallState }

var (
	readDocs = sync.OnceValues(func() (string, error) {
		text, err := os.ReadFile("../docs/scheduler.md")
		return string(text), err
	})
	edgeLine = regexp.MustCompile(`(?m)^\s+(\S+) --> (\w+) : \S.*$`)
	diagrams = sync.OnceValue(func() map[edge]bool {
		text, _ := readDocs()
		_, text, _ = strings.Cut(text, "```mermaid\nstateDiagram-v2\n")
		text, _, _ = strings.Cut(text, "```")
		edges := map[edge]bool{}
		for _, m := range edgeLine.FindAllStringSubmatch(text, -1) {
			edges[edge{scheduler.CallState(strings.TrimPrefix(m[1], "[*]")), scheduler.CallState(m[2])}] = true
		}
		return edges
	})
)

// diagram is the edges of the diagram of a call's states.
func diagram(t tester) map[edge]bool {
	t.Helper()
	_, err := readDocs()
	require.NoError(t, err)
	return diagrams()
}

// steps are, for every edge, commands of which the last takes it: the diagram
// has these edges and no others. That no call takes another is looked at after
// every command of every test (see verify).
var steps = map[edge]func(*world){
	{"", "queued"}:            func(w *world) { w.submit(shell("s", "x"), read("r")); w.expects(1) },
	{"", "awaiting_approval"}: func(w *world) { w.submit(write("a")) },
	{"", "dispatched"}:        func(w *world) { w.submit(read("a")) },
	{"", "claimed"}:           func(w *world) { w.hostID = "me"; w.submit(read("a")) },
	{"", "done"}:              func(w *world) { w.submit(enter("e")) },

	{"", "awaiting_hook"}: func(w *world) { hooked("h")(w); w.submit(read("a")) },
	{"queued", "awaiting_hook"}: func(w *world) {
		w.state.Session.Runtime = scheduler.RuntimeACP
		hooked("h")(w)
		w.submit(call("x", "exit_plan_mode", "{}"), agent("a"), read("b"))
		w.says("h", 1, scheduler.HookDeny)
		w.expects(2)
	},
	{"awaiting_hook", "queued"}: func(w *world) {
		hooked("h")(w)
		w.submit(read("a"), read("b"))
		w.says("h", 0, scheduler.HookPass)
	},
	{"awaiting_hook", "awaiting_approval"}: func(w *world) { hooked("h")(w); w.submit(write("a")); w.says("h", 0, scheduler.HookPass) },
	{"awaiting_hook", "dispatched"}:        func(w *world) { hooked("h")(w); w.submit(read("a")); w.says("h", 0, scheduler.HookPass) },
	{"awaiting_hook", "claimed"}: func(w *world) {
		w.hostID = "me"
		hooked("h")(w)
		w.submit(read("a"))
		w.says("h", 0, scheduler.HookPass)
	},
	{"awaiting_hook", "done"}: func(w *world) { hooked("h")(w); w.submit(read("a")); w.says("h", 0, scheduler.HookDeny) },

	{"queued", "awaiting_approval"}: func(w *world) {
		w.state.Session.Runtime = scheduler.RuntimeACP
		w.submit(read("r"), write("a"))
		w.report(0, "")
		w.expects(1)
	},
	{"queued", "dispatched"}: func(w *world) {
		w.submit(agent("a"), shell("s", "x"))
		w.answer(1, scheduler.OptionReject)
	},
	{"queued", "claimed"}: func(w *world) {
		w.hostID = "me"
		w.submit(read("a"), shell("s", "x"))
		w.answer(1, scheduler.OptionReject)
	},
	{"queued", "done"}: func(w *world) { w.submit(shell("s", "x"), read("r")); w.abort(); w.expects(1) },

	{"awaiting_approval", "queued"}: func(w *world) {
		w.submit(write("a"), write("b"))
		w.answer(0, scheduler.OptionAllowOnce)
	},
	{"awaiting_approval", "dispatched"}: func(w *world) { w.submit(write("a")); w.answer(0, scheduler.OptionAllowOnce) },
	{"awaiting_approval", "claimed"}: func(w *world) {
		w.hostID = "me"
		w.submit(write("a"))
		w.answer(0, scheduler.OptionAllowOnce)
	},
	{"awaiting_approval", "done"}: func(w *world) { w.submit(write("a")); w.answer(0, scheduler.OptionReject) },

	{"dispatched", "awaiting_approval"}: func(w *world) {
		w.submit(read("a"))
		w.setRules(permissions.Rules{Ask: []string{"*"}})
	},
	{"dispatched", "claimed"}: func(w *world) { w.submit(read("a")); w.claim("h", 0) },
	{"dispatched", "done"}:    func(w *world) { w.submit(read("a")); w.report(0, "") },
	{"claimed", "done"}: func(w *world) {
		w.submit(read("a"))
		w.claim("h", 0)
		require.NoError(w, w.tryReport("h", done(0, "")))
	},
}

// expects says at which position the step is taken; 0 otherwise.
func (w *world) expects(position int) { w.watched = position }

func TestTheDiagramOfTheStatesIsTrue(t *testing.T) {
	t.Parallel()
	drawn := diagram(t)
	require.Len(t, drawn, len(steps))
	for e, take := range steps {
		require.Contains(t, drawn, e)
		w := newWorld(t)
		take(w)
		require.Equal(t, e, w.taken[w.watched], "%s --> %s", e.from, e.to)
	}
}

func TestTheTableOfStagesIsTrue(t *testing.T) {
	t.Parallel()
	text, err := readDocs()
	require.NoError(t, err)
	_, table, found := strings.Cut(text, "| core | acp | headless |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	columns := make([][]string, len(everyRuntime))
	for row := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		require.Len(t, cells, len(everyRuntime))
		for i, cell := range cells {
			if name := strings.TrimSpace(cell); name != "–" {
				columns[i] = append(columns[i], name)
			}
		}
	}
	for i, r := range everyRuntime {
		require.Equal(t, scheduler.Stages(r), columns[i], r)
	}
}

func TestTheTableOfReasonsIsComplete(t *testing.T) {
	t.Parallel()
	text, err := readDocs()
	require.NoError(t, err)
	for reason := range meanings {
		if reason != "" {
			require.Contains(t, text, "`"+string(reason)+"`")
		}
	}
}
