package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// failed reports an error for a position.
func failed(position int, message, output string) sessions.Report {
	return sessions.Report{Results: []sessions.HostResult{
		{Position: &position, Status: scheduler.StatusError, Error: &message, Output: output},
	}}
}

// reads is a batch of so many parallel reads.
func reads(a *actor, n int) sessions.Batch {
	var calls []scheduler.Input
	for i := range n {
		calls = append(calls, call(string(rune('a'+i)), "read_file", `{"file_path": "`+string(rune('a'+i))+`"}`))
	}
	return a.send(a.create(nil).ID, calls...)
}

func TestALateResultUnderTheKeyOfAnotherRequestIsNotNoted(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) }).ID
	b := a.send(sid, call("x", "write_file", `{"file_path": "x"}`), call("y", "write_file", `{"file_path": "y"}`))
	_, err := a.Report(t.Context(), a.caller, once("k", "results", "first"), sid, b.ID, succeed(0, "done"))
	require.NoError(t, err)
	_, err = a.Abort(t.Context(), a.caller, sessions.Idempotency{}, sid, b.ID)
	require.NoError(t, err)
	events := a.since(sid, func() {
		_, err := a.Report(t.Context(), a.caller, once("k", "results", "second"), sid, b.ID, succeed(1, "too late"))
		refused(t, err, sessions.CodeIdempotencyReused)
	})
	require.Empty(t, events)
}

func TestALateResultIsNotedAndChangesNothingElse(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	running := reads(a, 2)
	sid := running.SessionID
	a.rules(sid, permissions.Rules{Deny: []string{"read(a)"}}) // ends the first, dispatched call
	before := a.read(running)
	late := func() {
		_, err := a.tell(running, succeed(0, "too late"))
		p := refused(t, err, sessions.CodeCallLate)
		require.Equal(t, 0, p.Extra["position"])
		require.Equal(t, "a", p.Extra["call_id"])
	}
	events := a.since(sid, late)
	require.Equal(t, []string{"call.late"}, types(events))
	require.JSONEq(t, `{"position": 0, "call_id": "a"}`, string(events[0].Data))
	require.Equal(t, running.ID, events[0].BatchID)
	require.Equal(t, encoded(t, before), encoded(t, a.read(running)))

	ended := abort(a, running)
	a.send(sid, call("z", "read_file", `{"file_path": "z"}`)) // another is open
	open := encoded(t, a.session(sid).OpenBatchID)
	require.Equal(t, []string{"call.late"}, types(a.since(sid, late)), "the batch that has ended gets its note, though it is over")
	require.Equal(t, encoded(t, ended), encoded(t, a.read(running)))
	require.Equal(t, open, encoded(t, a.session(sid).OpenBatchID))
	_, err := a.Report(t.Context(), a.caller, once("k", "results", "b"), sid, running.ID, succeed(0, "too late"))
	refused(t, err, sessions.CodeCallLate)
	_, err = a.Report(t.Context(), a.caller, once("k", "results", "b"), sid, running.ID, succeed(0, "too late"))
	refused(t, err, sessions.CodeCallLate)

	require.NoError(t, a.Close(t.Context(), a.caller, sid))
	_, err = a.tell(running, succeed(0, "too late"))
	refused(t, err, sessions.CodeSessionClosed)
	all := a.events(sid)
	require.Equal(t, "session.closed", all[len(all)-1].Type, "nothing comes after the end")
}

func TestResultsAreTakenAllOrNone(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := reads(a, 3)
	result := func(position int, output string) sessions.HostResult { return succeed(position, output).Results[0] }
	for name, c := range map[string]struct {
		report sessions.Report
		faults []string
	}{
		"none":               {sessions.Report{}, []string{"/results"}},
		"one call twice":     {sessions.Report{Results: []sessions.HostResult{result(0, "x"), {CallID: new("a"), Status: "success"}}}, []string{"/results/1"}},
		"unknown position":   {sessions.Report{Results: []sessions.HostResult{result(0, "x"), result(3, "x")}}, []string{"/results/1"}},
		"negative position":  {sessions.Report{Results: []sessions.HostResult{result(-1, "x")}}, []string{"/results/0"}},
		"unknown id":         {sessions.Report{Results: []sessions.HostResult{{CallID: new("zz"), Status: "success"}}}, []string{"/results/0"}},
		"neither":            {sessions.Report{Results: []sessions.HostResult{{Status: "success"}}}, []string{"/results/0"}},
		"cancelled":          {sessions.Report{Results: []sessions.HostResult{{Position: new(0), Status: "cancelled"}}}, []string{"/results/0/status"}},
		"success with error": {sessions.Report{Results: []sessions.HostResult{{Position: new(0), Status: "success", Error: new("e")}}}, []string{"/results/0/error"}},
		"host with a tab":    {sessions.Report{HostID: new("\t"), Results: []sessions.HostResult{result(0, "x")}}, []string{"/host_id"}},
	} {
		_, err := a.tell(b, c.report)
		require.Equal(t, c.faults, faults(refused(t, err, sessions.CodeInvalid)), name)
	}
	a.claim(b, "h2", 2)
	events := a.since(b.SessionID, func() {
		_, err := a.tell(b, sessions.Report{Results: []sessions.HostResult{result(0, "x"), result(2, "x")}})
		p := refused(t, err, sessions.CodeCallHeld)
		require.Equal(t, "h2", p.Extra["held_by"])
	})
	require.Empty(t, events, "one of them is held, so none is taken")
	report := sessions.Report{HostID: new("h2"), Results: []sessions.HostResult{result(2, "x"), {CallID: new("a"), Status: "success", Output: "y"}}}
	events = a.since(b.SessionID, func() {
		_, err := a.tell(b, report)
		require.NoError(t, err)
	})
	require.Equal(t, []string{"call.result", "call.result"}, types(events), "no claim is told of a result that claims")
	require.Equal(t, "h2", *a.read(b).Calls[0].HostID)
	require.Empty(t, a.since(b.SessionID, func() {
		_, err := a.tell(b, report)
		require.NoError(t, err, "the same again is accepted")
		_, err = a.tell(b, succeed(0, "other"))
		refused(t, err, sessions.CodeResultConflict)
		_, err = a.tell(b, failed(0, "other", ""))
		refused(t, err, sessions.CodeResultConflict)
	}))
	done := a.succeed(b, 1, "z")
	require.Equal(t, "completed", done.Status)
	again, err := a.tell(b, succeed(1, "z"))
	require.NoError(t, err, "also once the batch is over")
	require.Equal(t, encoded(t, done), encoded(t, again.Value))
	_, err = a.tell(b, succeed(1, "other"))
	refused(t, err, sessions.CodeResultConflict)
}

func TestClaimsAreGivenToOneHost(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := a.send(a.create(nil).ID, call("a", "read_file", `{"file_path": "x"}`), call("b", "read_file", `{}`), call("w", "write_file", `{}`))
	b = abort(a, b) // the write asked; without it:
	b = a.send(b.SessionID, call("c", "read_file", `{"file_path": "x"}`), call("c", "read_file", `{}`), call("d", "read_file", `{}`))
	events := a.since(b.SessionID, func() {
		reply, err := a.Claim(t.Context(), a.caller, sessions.Idempotency{}, b.SessionID, b.ID, sessions.ClaimRequest{HostID: "h1", CallIDs: []string{"c", "d"}})
		require.NoError(t, err)
		require.Equal(t, []int{0, 2}, []int{reply.Value[0].Position, reply.Value[1].Position}, "an id is its first position")
		require.True(t, reply.Value[0].Granted)
		require.JSONEq(t, `{"file_path": "x"}`, string(reply.Value[0].Call.Arguments))
		require.Equal(t, 600, *reply.Value[0].Call.TimeoutS)
		require.Equal(t, scheduler.StateClaimed, reply.Value[0].Call.State)
	})
	require.Equal(t, []string{"call.claimed", "call.claimed"}, types(events))
	require.JSONEq(t, `{"position": 0, "call_id": "c", "host_id": "h1"}`, string(events[0].Data))
	require.Empty(t, a.since(b.SessionID, func() {
		require.True(t, a.claim(b, "h1", 0)[0].Granted, "the same host again: the same answer")
		other := a.claim(b, "h2", 0, 1)
		require.False(t, other[0].Granted)
		require.Equal(t, "h1", *other[0].HeldBy)
		require.False(t, other[1].Granted, "a duplicate has ended")
		require.Nil(t, other[1].HeldBy)
	}))
	for name, r := range map[string]sessions.ClaimRequest{
		"no host":          {Positions: []int{0}},
		"no calls":         {HostID: "h"},
		"both":             {HostID: "h", Positions: []int{0}, CallIDs: []string{"c"}},
		"unknown position": {HostID: "h", Positions: []int{9}},
		"unknown id":       {HostID: "h", CallIDs: []string{"zz"}},
		"too many":         {HostID: "h", Positions: make([]int, sessions.MaxCalls+1)},
	} {
		_, err := a.Claim(t.Context(), a.caller, sessions.Idempotency{}, b.SessionID, b.ID, r)
		require.Len(t, refused(t, err, sessions.CodeInvalid).Fields, 1, name)
	}
}

func TestABatchSentWithItsHostIsClaimedAlready(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	in := batch(call("a", "read_file", `{}`))
	in.HostID = new("h1")
	var b sessions.Batch
	events := a.since(sid, func() {
		reply, err := a.Submit(t.Context(), a.caller, sessions.Idempotency{}, sid, in)
		require.NoError(t, err)
		b = reply.Value
	})
	require.Equal(t, []string{"batch.started", "call.dispatched"}, types(events))
	require.Equal(t, scheduler.StateClaimed, b.Calls[0].State)
	require.JSONEq(t, `{"position": 0, "call_id": "a", "name": "read_file", "tool": "read_file", "arguments": {},
		"timeout_s": 600, "host_id": "h1"}`, string(events[1].Data))
	_, err := a.tell(b, succeed(0, "x"))
	refused(t, err, sessions.CodeCallHeld)
	report := succeed(0, "x")
	report.HostID = new("h1")
	reply, err := a.tell(b, report)
	require.NoError(t, err)
	require.Equal(t, "completed", reply.Value.Status)
}

func TestAHostsErrorIsWhatTheModelReads(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := reads(a, 1)
	reply, err := a.tell(b, failed(0, "it broke", "half of it"))
	require.NoError(t, err)
	r := reply.Value.Calls[0].Result
	require.Equal(t, scheduler.ErrorExecutionFailed, r.Error.Type)
	require.Equal(t, scheduler.ReasonHostError, *r.Reason)
	require.Contains(t, r.Output, "it broke")
	require.Contains(t, r.Output, "half of it")
	require.Equal(t, scheduler.ExecutionError, r.ExecutionStatus)
}
