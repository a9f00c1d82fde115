package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/casetest/recorded"
	"github.com/session-gateway/gateway/providers"
)

// TestMission is what the gateway is for, from one end to the other: messages
// as each provider sends them, with the entry into plan mode at every place,
// a host that executes, and a person who approves.
func TestMission(t *testing.T) {
	t.Parallel()
	runMissions(t, startStand(t))
}

// TestMissionOfTheBuiltProgram is the same against a process of its own.
func TestMissionOfTheBuiltProgram(t *testing.T) {
	t.Parallel()
	runMissions(t, standAt(t, startProcess(t, "--bootstrap="+bootstrapFile(t)).base))
}

func runMissions(t *testing.T, s *stand) {
	t.Helper()
	records, err := recorded.Load(os.DirFS("testdata/messages"))
	require.NoError(t, err)
	for _, r := range records {
		for _, place := range []string{"first", "between", "last"} {
			t.Run(r.Name+" with the entry "+place, func(t *testing.T) {
				t.Parallel()
				m := begin(t, s, r)
				m.enter(place)
				m.explore()
				m.present()
				m.work()
			})
		}
	}
}

// mission is one message's way through planning to work.
type mission struct {
	*testing.T
	*stand
	format     providers.Format
	body       object // of POST …/batches, as recorded
	session    casetest.Session
	plan       casetest.Plan
	crew       *casetest.Crew
	dispatched []string // the tools that reached the host
	approved   []string // the tools that a person was asked for
	round      int
}

// begin declares the message's tools: what gets, lists, reads and searches
// only reads, everything else changes something and so needs a person.
func begin(t *testing.T, s *stand, r recorded.Record) *mission {
	t.Helper()
	m := &mission{T: t, stand: s}
	require.NoError(t, json.Unmarshal(r.Batch, &m.body))
	format, asked, err := r.Asked()
	require.NoError(t, err)
	m.format = format
	tools := recorded.Tools(asked)
	for _, tool := range tools {
		tool["kind"] = "edit"
		if reads(tool["name"].(string)) {
			tool["kind"] = "read"
		}
	}
	m.session, err = s.Host.CreateSession(t.Context(), object{"tools": tools})
	require.NoError(t, err)
	m.plan, err = s.Host.Plan(t.Context(), m.session.ID)
	require.NoError(t, err)
	feed, err := s.Host.Follow(t.Context(), m.session.ID, casetest.Chain{})
	require.NoError(t, err)
	t.Cleanup(feed.Close)
	m.crew = &casetest.Crew{Players: s.Players, Feed: feed, Execute: m.execute, Answer: m.answer}
	return m
}

func reads(tool string) bool {
	return slices.ContainsFunc([]string{"get_", "list_", "read_", "search_"}, func(p string) bool {
		return strings.HasPrefix(tool, p)
	})
}

// execute is the host's work.
func (m *mission) execute(d casetest.Dispatched) map[string]any {
	m.dispatched = append(m.dispatched, d.Tool)
	return object{"status": "success", "output": fmt.Sprintf("round %d: %s did it", m.round, d.Tool)}
}

// answer is the person's: every question is approved, a plan by its hash.
func (m *mission) answer(a casetest.Approval) any {
	m.approved = append(m.approved, a.Kind)
	if a.Kind == "plan_exit" {
		return object{"option_id": "restore_previous", "plan_sha256": a.Plan.SHA256}
	}
	return object{"option_id": "allow_once"}
}

// send submits a message, serves its batch and checks what always holds: one
// result per call, in order, in the document and on the stream, and a next
// request that the provider takes and that says everything.
func (m *mission) send(body object) (casetest.Batch, json.RawMessage) {
	m.Helper()
	m.round++
	m.dispatched, m.approved = nil, nil
	raw, err := json.Marshal(body)
	require.NoError(m, err)
	submitted, err := m.Host.Submit(m.Context(), m.session.ID, raw)
	require.NoError(m, err)
	batch, events, err := m.crew.Finish(m.Context(), submitted)
	require.NoError(m, err)
	require.NoError(m, casetest.CheckResults(batch, events))

	_, asked, err := recorded.Record{Batch: raw}.Asked()
	require.NoError(m, err)
	require.Len(m, batch.Calls, len(asked))
	next, err := m.Host.NextRequest(m.Context(), m.session.ID, batch.ID, "")
	require.NoError(m, err)
	require.Empty(m, casetest.CheckRendering(providers.Exchange{From: m.format, To: m.format, Calls: asked}, batch, next))
	for i, call := range batch.Calls {
		require.Equal(m, i, call.Position)
		require.Equal(m, i, call.Result.Position)
		require.Equal(m, asked[i].Name, call.Name)
	}
	return batch, next
}

// enter sends the message with the entry in it: only the entry is executed,
// its answer is the reminder, and the next request holds both in full.
func (m *mission) enter(place string) {
	m.Helper()
	body, at := withCall(m.body, m.format, place, "enter_plan_mode", nil)
	batch, next := m.send(body)
	require.Empty(m, m.dispatched, "no sibling reaches the host")
	require.Empty(m, m.approved, "nobody is asked about one")
	for i, call := range batch.Calls {
		if i == at {
			require.Equal(m, m.plan.Reminder, call.Result.Output)
			continue
		}
		require.Equal(m, "plan_boundary", call.Result.Reason)
		require.Equal(m, "not_started", call.Result.ExecutionStatus)
	}
	require.Contains(m, casetest.TextsIn(next), m.plan.Reminder, "byte for byte, as a text of its own")
	require.Equal(m, "plan", m.mode())
}

// explore sends the message again, as the model was told it may: what reads
// runs, what writes is denied by plan mode.
func (m *mission) explore() {
	m.Helper()
	batch, _ := m.send(m.body)
	for _, call := range batch.Calls {
		switch {
		case call.Result.Reason == "output_truncated":
		case reads(call.Tool):
			require.Equal(m, "success", call.Result.Status, "%s", call.Result.Raw)
		default:
			require.Equal(m, "plan_mode_denied", call.Result.Reason, "%s", call.Result.Raw)
		}
	}
	for _, tool := range m.dispatched {
		require.True(m, reads(tool), tool)
	}
	require.Empty(m, m.approved)
}

// present asks for the way out with a plan, which a person approves.
func (m *mission) present() {
	m.Helper()
	only := without(m.body, m.format)
	body, _ := withCall(only, m.format, "first", "exit_plan_mode", object{"plan": "1. Change it.\n2. Test it."})
	batch, _ := m.send(body)
	require.Equal(m, []string{"plan_exit"}, m.approved)
	require.Contains(m, batch.Calls[0].Result.Output, "alice")
	require.Equal(m, "default", m.mode())
	plan, err := m.Host.Plan(m.Context(), m.session.ID)
	require.NoError(m, err)
	require.Equal(m, "1. Change it.\n2. Test it.", plan.LastApproved.Text)
	require.Equal(m, "alice", plan.LastApproved.By)
}

// work sends the calls under new ids, as a new response: all of them run, the
// writing ones after a person said yes.
func (m *mission) work() {
	m.Helper()
	batch, _ := m.send(renewed(m.body, m.format))
	wrote := 0
	for _, call := range batch.Calls {
		if call.Result.Reason == "output_truncated" {
			continue
		}
		require.Equal(m, "success", call.Result.Status, "%s", call.Result.Raw)
		require.Contains(m, m.dispatched, call.Tool)
		if !reads(call.Tool) {
			wrote++
		}
	}
	require.Len(m, m.approved, wrote)
}

func (m *mission) mode() string {
	m.Helper()
	s, err := m.Host.Session(m.Context(), m.session.ID)
	require.NoError(m, err)
	return s.ApprovalMode
}
