package sessions_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// check asks for a verdict, and may be refused.
func (a *actor) check(sid string, r sessions.ModelRequest) (sessions.ModelRequestCheck, error) {
	reply, err := a.CheckModelRequest(context.Background(), a.caller, sessions.Idempotency{}, sid, r)
	return reply.Value, err
}

// followUp is the list of a batch's rendering in the Anthropic format.
func (a *actor) followUp(b sessions.Batch) string {
	a.t.Helper()
	up, err := a.FollowUp(context.Background(), a.caller, b.SessionID, b.ID)
	require.NoError(a.t, err)
	rendered, err := providers.Render(providers.Anthropic, up.Answers())
	require.NoError(a.t, err)
	var doc struct{ Messages json.RawMessage }
	require.NoError(a.t, json.Unmarshal(rendered, &doc))
	return string(doc.Messages)
}

func TestANextModelRequestIsCheckedAgainstTheLedger(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	b := a.send(sid, call("c1", "write_file", `{"file_path": "a"}`), call("c2", "enter_plan_mode", `{}`))
	messages := a.followUp(b)
	request := func(messages string) sessions.ModelRequest {
		return sessions.ModelRequest{Format: "anthropic", BatchID: b.ID, Messages: json.RawMessage(messages)}
	}
	events := a.since(sid, func() {
		verdict, err := a.check(sid, request(messages))
		require.NoError(t, err)
		require.Equal(t, "conforming", verdict.Verdict)
		require.Empty(t, verdict.Violations)
	})
	require.Equal(t, []string{"model_request.checked"}, types(events))
	require.Equal(t, b.ID, events[0].BatchID)

	cut := strings.Replace(messages, strings.Split(planmode.ReminderFor(false), "\n")[1], "", 1)
	require.NotEqual(t, messages, cut)
	events = a.since(sid, func() {
		verdict, err := a.check(sid, request(cut))
		require.NoError(t, err)
		require.Equal(t, "violations", verdict.Verdict)
		require.Equal(t, providers.ViolationReminder, verdict.Violations[0].Code)
		require.Equal(t, "c2", verdict.Violations[0].CallID)
		require.Len(t, verdict.Violations, 1)
	})
	told := data[sessions.ModelRequestCheck](t, events, "model_request.checked")
	require.Equal(t, "violations", told.Verdict)
	require.NotContains(t, string(events[0].Data), "system-reminder", "no text of either side")
}

func TestARewrittenOutputIsFoundByWhatTheModelWasToRead(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) {
		require.NoError(t, unmarshal(`{"limits": {"tool_output_chars": 1000, "batch_output_chars": 20}}`, s))
	}).ID
	b := a.send(sid, call("c1", "read_file", `{}`), call("c2", "read_file", `{"path": "b"}`))
	a.succeed(b, 0, strings.Repeat("long ", 100))
	a.succeed(b, 1, "short")
	messages := a.followUp(b)
	require.NotContains(t, messages, strings.Repeat("long ", 100), "the batch's limit put it aside")
	verdict, err := a.check(sid, sessions.ModelRequest{Format: "anthropic", BatchID: b.ID, Messages: json.RawMessage(messages)})
	require.NoError(t, err)
	require.Equal(t, "conforming", verdict.Verdict)
	whole := `[{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "` + strings.Repeat("long ", 100) +
		`"}, {"type": "tool_result", "tool_use_id": "c2", "content": "short"}]}]`
	verdict, err = a.check(sid, sessions.ModelRequest{Format: "anthropic", BatchID: b.ID, Messages: json.RawMessage(whole)})
	require.NoError(t, err)
	require.Equal(t, providers.ViolationAltered, verdict.Violations[0].Code)
}

func TestAnOpenBatchCantBeChecked(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	b := a.send(sid, call("c1", "read_file", `{}`))
	_, err := a.check(sid, sessions.ModelRequest{Format: "anthropic", BatchID: b.ID, Messages: json.RawMessage(`[]`)})
	require.Equal(t, b.ID, refused(t, err, sessions.CodeBatchIncomplete).Extra["batch_id"])
	for _, id := range []string{"bat_1", strings.Replace(b.ID, "_1", "_2", 1)} {
		_, err = a.check(sid, sessions.ModelRequest{Format: "anthropic", BatchID: id, Messages: json.RawMessage(`[]`)})
		refused(t, err, sessions.CodeNotFound)
	}
	a.succeed(b, 0, "x")
	verdict, err := a.check(sid, sessions.ModelRequest{Format: "native", BatchID: b.ID, Messages: json.RawMessage(`[]`)})
	require.NoError(t, err)
	require.Equal(t, providers.ViolationMissing, verdict.Violations[0].Code)
}

func TestAnInterruptStopsWhatThereIs(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	stop := func() sessions.Interruption {
		reply, err := a.Interrupt(t.Context(), a.caller, sessions.Idempotency{}, sid)
		require.NoError(t, err)
		return reply.Value
	}
	require.Equal(t, sessions.Interruption{SessionID: sid}, stop(), "nothing to stop")
	alone := a.send(sid, call("c1", "read_file", `{}`))
	require.Equal(t, sessions.Interruption{SessionID: sid, BatchID: &alone.ID}, stop())
	turn := a.prompt(sid)
	b := a.send(sid, call("c2", "read_file", `{}`))
	require.Equal(t, sessions.Interruption{SessionID: sid, TurnID: &turn.ID, BatchID: &b.ID}, stop())
	require.Equal(t, "aborted", a.read(b).Status)
	require.Equal(t, scheduler.TurnCancelled, *a.turn(turn).StopReason)
}

func TestAQuestionIsAnsweredByItsCall(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	respond := func(who *actor, key, callID, option string) (sessions.Reply[sessions.Approval], error) {
		idem := sessions.Idempotency{}
		if key != "" {
			idem = once(key, "POST /v1/rpc", callID+option)
		}
		return who.RespondToCall(t.Context(), who.caller, idem, sid, callID, sessions.Response{OptionID: option})
	}
	_, err := respond(a, "", "w1", "reject")
	refused(t, err, sessions.CodeNotFound)
	a.send(sid, call("w1", "write_file", `{"file_path": "a"}`), call("w2", "write_file", `{"file_path": "b"}`))
	_, err = respond(a, "", "nobody", "reject")
	refused(t, err, sessions.CodeNotFound)
	first, err := respond(a, "k", "w2", "reject")
	require.NoError(t, err)
	require.Equal(t, "rejected", first.Value.Status)
	require.Equal(t, "w2", first.Value.CallID)
	_, err = respond(a.as("bob", "frontend"), "", "w2", "allow_once")
	p := refused(t, err, sessions.CodeApprovalAlreadyResolved)
	require.Equal(t, "ann", *p.Extra["resolved_by"].(*string))
	_, err = respond(a, "", "w1", "reject")
	require.NoError(t, err)
	a.send(sid, call("w2", "write_file", `{"file_path": "c"}`))
	again, err := respond(a, "k", "w2", "reject")
	require.NoError(t, err)
	require.True(t, again.Replayed, "the session is at another call by now")
	require.Equal(t, first.Value.ID, again.Value.ID)
}
