package sessions_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// TestACompositeTransitionIsToldInTheOrderOfTheContract drives one commit in
// which calls end, are cancelled and asked about, questions end and the mode
// changes, all at once.
func TestACompositeTransitionIsToldInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) {
		s.ApprovalMode = new(permissions.ModePlan)
		s.Rules = &permissions.Rules{Ask: []string{"read(b)"}}
	}).ID
	b := a.send(sid,
		call("a", "nothing", `{}`), call("b", "read_file", `{"file_path": "a"}`),
		call("c", "read_file", `{"file_path": "b"}`), call("d", "exit_plan_mode", `{"plan": "p"}`))
	a.choose(a.question(b, 2), "allow_once")
	exit := a.question(b, 3)
	events := a.since(sid, func() { a.choose(exit, "auto_edit") })
	require.Equal(t, []string{
		"mode.changed", "plan.exited", "call.result", "approval.resolved", "call.dispatched", "call.dispatched",
	}, types(events))
	require.Equal(t, 3, data[scheduler.Result](t, events, "call.result").Position)

	a.rules(sid, permissions.Rules{})
	events = a.since(sid, func() { a.rules(sid, permissions.Rules{Deny: []string{"read(b)"}, Ask: []string{"read(a)"}}) })
	require.Equal(t, []string{"call.cancelled", "call.cancelled", "call.result", "approval.requested", "session.updated"}, types(events))
	for i, position := range []int{1, 2, 2} {
		require.Equal(t, position, data[struct{ Position int }](t, events[i:i+1], events[i].Type).Position)
	}
	events = a.since(sid, func() { require.NoError(t, a.Close(t.Context(), a.caller, sid)) })
	require.Equal(t, []string{"call.result", "approval.resolved", "batch.completed", "session.closed"}, types(events))
}

func TestTheStartOfABatchShowsTheStateAtTheCommitsEnd(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	var b sessions.Batch
	events := a.since(sid, func() {
		b = a.send(sid, call("1", "enter_plan_mode", `{}`), call("2", "read_file", `{}`), call("3", "enter_plan_mode", `{}`))
	})
	require.Equal(t, []string{
		"batch.started", "mode.changed", "plan.entered", "call.result", "call.result", "call.result", "batch.completed",
	}, types(events))
	require.Equal(t, string(events[0].Data), string(events[6].Data))
	started := data[sessions.Batch](t, events, "batch.started")
	require.Equal(t, "completed", started.Status)
	for i, c := range started.Calls {
		require.Equal(t, scheduler.StateDone, c.State)
		require.Nil(t, c.Result, "a batch's events are without results")
		require.Equal(t, i, data[scheduler.Result](t, events[3+i:4+i], "call.result").Position)
		require.Equal(t, encoded(t, b.Calls[i].Result), encoded(t, data[scheduler.Result](t, events[3+i:4+i], "call.result")))
	}
}

func TestLargeDataIsAPreviewAndTheBatchHoldsTheWhole(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) {
		require.NoError(t, unmarshal(`{"limits": {"tool_output_chars": 1000000, "batch_output_chars": 1000000}}`, s))
	}).ID
	large := strings.Repeat("ä ", sessions.MaxEventData)
	arguments := encoded(t, map[string]string{"file_path": "a", "content": large})
	var b sessions.Batch
	events := a.since(sid, func() { b = a.send(sid, call("1", "write_file", arguments)) })
	require.Equal(t, []string{"batch.started", "approval.requested"}, types(events))
	events = append(events, a.since(sid, func() { a.choose(a.question(b, 0), "allow_once") })...)
	events = append(events, a.since(sid, func() { a.succeed(b, 0, large) })...)
	require.Equal(t, []string{
		"batch.started", "approval.requested", "approval.resolved", "call.dispatched", "call.result", "batch.completed",
	}, types(events))
	for i, at := range []string{"calls.0", "", "", "", "", ""} {
		require.LessOrEqual(t, len(events[i].Data), sessions.MaxEventData, events[i].Type)
		var v map[string]any
		require.NoError(t, json.Unmarshal(events[i].Data, &v))
		if at != "" {
			v = v["calls"].([]any)[0].(map[string]any)
		}
		switch events[i].Type {
		case "call.result":
			require.Equal(t, true, v["output_preview"])
			require.True(t, strings.HasPrefix(large, v["output"].(string)))
			require.NotEmpty(t, v["output"])
		case "batch.completed": // the call has ended: no arguments
		default:
			require.Equal(t, true, v["arguments_preview"], events[i].Type)
			require.True(t, strings.HasPrefix(arguments, v["arguments"].(string)))
		}
	}
	require.Equal(t, large, a.read(b).Calls[0].Result.Output)
	b = a.send(sid, call("2", "read_file", arguments))
	require.JSONEq(t, arguments, string(a.read(b).Calls[0].Arguments))
	events = a.since(sid, func() {
		_, err := a.tell(b, failed(0, large, ""))
		require.NoError(t, err)
	})
	require.LessOrEqual(t, len(events[0].Data), sessions.MaxEventData, "an error's message is an output too")
}

func TestDataUpToTheBoundIsWhole(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := a.send(a.create(func(s *sessions.Spec) {
		require.NoError(t, unmarshal(`{"limits": {"tool_output_chars": 100000}}`, s))
	}).ID, call("1", "read_file", `{}`))
	text := strings.Repeat("x", 31<<10)
	events := a.since(b.SessionID, func() { a.succeed(b, 0, text) })
	require.Equal(t, text, data[scheduler.Result](t, events, "call.result").Output)
	require.NotContains(t, string(events[0].Data), "preview")
}

// TestTheReminderIsNeverAPreview: it is far below the bound, and stays whole
// whatever else the result holds.
func TestTheReminderIsNeverAPreview(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	id := strings.Repeat("i", sessions.MaxIDBytes)
	note := encoded(t, map[string]string{"note": strings.Repeat("n", 60_000)})
	events := a.since(sid, func() { a.send(sid, call(id, "enter_plan_mode", note)) })
	require.Equal(t, planmode.ReminderFor(false), data[scheduler.Result](t, events, "call.result").Output)
	require.Len(t, data[sessions.PlanState](t, events, "plan.entered").Text, 60_000)
}

func TestSessionEventsLeaveOutToolsRulesAndTheirOwnId(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Rules = &permissions.Rules{Deny: []string{"x"}} }).ID
	a.rules(sid, permissions.Rules{})
	_, err := a.SetTools(t.Context(), a.caller, sid, standardTools())
	require.NoError(t, err)
	require.NoError(t, a.Close(t.Context(), a.caller, sid))
	events := a.events(sid)
	require.Equal(t, []string{"session.created", "session.updated", "session.updated", "session.closed"}, types(events))
	for i, e := range events {
		var got, want map[string]any
		require.NoError(t, json.Unmarshal(e.Data, &got))
		for _, left := range []string{"tools", "rules", "last_event_id"} {
			require.NotContains(t, got, left)
		}
		require.EqualValues(t, []int{1, 1, 2, 2}[i], got["tools_revision"])
		require.EqualValues(t, []int{1, 2, 2, 2}[i], got["rules_revision"])
		if e.Type == "session.closed" {
			require.NoError(t, unmarshal(encoded(t, a.session(sid)), &want))
			for _, left := range []string{"tools", "rules", "last_event_id"} {
				delete(want, left)
			}
			require.Equal(t, want, got, "the rest is the session")
		}
	}
}

func TestASnapshotIsTheSessionItsOpenBatchAndItsQuestions(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	topic := a.topic(sid)
	read := func() (v struct {
		Session   sessions.Session
		OpenBatch *sessions.Batch `json:"open_batch"`
		Approvals []sessions.Approval
	},
	) {
		text, id, err := a.Snapshot(t.Context(), topic)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &v))
		require.Equal(t, *v.Session.LastEventID, id.String())
		require.Len(t, a.events(sid), int(id.Seq), "the id of the last event that it includes")
		require.Equal(t, encoded(t, a.session(sid)), encoded(t, v.Session))
		return v
	}
	empty := read()
	require.Nil(t, empty.OpenBatch)
	require.NotNil(t, empty.Approvals)
	require.Empty(t, empty.Approvals)
	b := a.send(sid, writes(2)...)
	a.choose(a.question(b, 0), "reject")
	open := read()
	require.Equal(t, encoded(t, a.read(b)), encoded(t, open.OpenBatch), "with the results that there are")
	require.Len(t, open.Approvals, 1)
	require.Equal(t, a.question(b, 1), open.Approvals[0].ID)
	abort(a, b)
	require.Nil(t, read().OpenBatch)
}

// TestNoInputForgesAnEvent: line breaks of every kind inside of what people,
// models and hosts say stay inside of JSON.
func TestNoInputForgesAnEvent(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	nasty := "a\r\n\ndata: x\u2028\u2029\x00\"\\</script>"
	sid := a.create(nil).ID
	b := a.send(sid, call("1", "write_file", "{\n\"file_path\":\r\n\t"+encoded(t, nasty)+"\n}"), call("2", "read_file", "no\njson"))
	_, err := a.answer(a.question(b, 0), sessions.Response{OptionID: "reject", Feedback: &nasty})
	require.NoError(t, err)
	b = reads(a, 1)
	a.succeed(b, 0, nasty)
	for _, e := range append(a.events(sid), a.events(b.SessionID)...) {
		require.NotContains(t, string(e.Data), "\n", e.Type)
		require.NotContains(t, string(e.Data), "\r", e.Type)
	}
	require.Equal(t, nasty, a.read(b).Calls[0].Result.Output)
}

func TestEveryEventOfABatchNamesIt(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := reads(a, 2)
	a.claim(b, "h", 0)
	abort(a, b)
	for _, e := range a.events(b.SessionID) {
		want := b.ID
		if strings.HasPrefix(e.Type, "session.") {
			want = ""
		}
		require.Equal(t, want, e.BatchID, "%d %s", e.Seq, e.Type)
	}
}
