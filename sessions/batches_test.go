package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

func TestOneBatchIsOpenAtATime(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	first := a.send(sid, call("1", "read_file", `{"file_path": "a"}`), call("2", "write_file", `{}`))
	require.Equal(t, first.ID, *a.session(sid).OpenBatchID)
	events := a.since(sid, func() {
		_, err := a.Submit(t.Context(), a.caller, sessions.Idempotency{}, sid, batch(call("3", "read_file", `{}`)))
		p := refused(t, err, sessions.CodeBatchInProgress)
		require.Equal(t, map[string]any{"batch_id": first.ID, "calls_sha256": first.CallsSHA256}, p.Extra)
	})
	require.Empty(t, events)
	abort(a, first)
	same := a.send(sid, call("1", "read_file", `{"file_path": "a"}`), call("2", "write_file", `{}`))
	require.Equal(t, first.CallsSHA256, same.CallsSHA256, "a host finds its own calls again")
	require.NotEqual(t, first.ID, same.ID)
	abort(a, same)
	other := a.send(sid, call("1", "read_file", `{"file_path": "b"}`), call("2", "write_file", `{}`))
	require.NotEqual(t, first.CallsSHA256, other.CallsSHA256)
}

func TestABadSubmissionIsRefusedWhole(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	many := make([]scheduler.Input, sessions.MaxCalls+1)
	for i := range many {
		many[i] = call(fmt.Sprint(i), "read_file", `{}`)
	}
	long := strings.Repeat("x", 600)
	for name, c := range map[string]struct {
		in    sessions.Submission
		code  sessions.Code
		fault string
	}{
		"no calls":             {batch(), sessions.CodeNoToolCalls, ""},
		"257 calls":            {batch(many...), sessions.CodeTooManyCalls, ""},
		"no name":              {batch(call("1", "", `{}`)), sessions.CodeInvalid, "/calls/0/name"},
		"name with a tab":      {batch(call("1", "x", `{}`), call("2", "a\tb", `{}`)), sessions.CodeInvalid, "/calls/1/name"},
		"name that is no text": {batch(call("1", "a\xff", `{}`)), sessions.CodeInvalid, "/calls/0/name"},
		"long name":            {batch(call("1", long, `{}`)), sessions.CodeInvalid, "/calls/0/name"},
		"id with a NUL":        {batch(call("a\x00", "x", `{}`)), sessions.CodeInvalid, "/calls/0/id"},
		"id that is no text":   {batch(call("\xff", "x", `{}`)), sessions.CodeInvalid, "/calls/0/id"},
		"long id":              {batch(call(long, "x", `{}`)), sessions.CodeInvalid, "/calls/0/id"},
		"large arguments": {
			batch(call("1", "x", `{"a":"`+strings.Repeat("x", sessions.MaxArgumentBytes)+`"}`)),
			sessions.CodeInvalid, "/calls/0/arguments",
		},
		"turn with a line break": {
			sessions.Submission{Calls: []scheduler.Input{call("1", "x", `{}`)}, TurnID: new("a\n")}, sessions.CodeInvalid, "/turn_id",
		},
		"long host": {
			sessions.Submission{Calls: []scheduler.Input{call("1", "x", `{}`)}, HostID: &long}, sessions.CodeInvalid, "/host_id",
		},
	} {
		_, err := a.Submit(t.Context(), a.caller, sessions.Idempotency{}, sid, c.in)
		p := refused(t, err, c.code)
		if c.fault != "" {
			require.Equal(t, []string{c.fault}, faults(p), name)
		}
	}
	require.Len(t, a.events(sid), 1, "a refused request changes nothing")
	full := a.send(sid, many[:sessions.MaxCalls]...)
	require.Len(t, full.Calls, sessions.MaxCalls)
}

func TestBatchesAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	var want []string
	for i := range 5 {
		want = append([]string{a.send(sid, call(fmt.Sprint(i), "nothing", `{}`)).ID}, want...)
	}
	want = append([]string{a.send(sid, call("open", "read_file", `{}`)).ID}, want...)
	var got []string
	cursor := ""
	for {
		page, err := a.Batches(t.Context(), a.caller, sid, 4, cursor)
		require.NoError(t, err)
		for _, b := range page.Data {
			got = append(got, b.ID)
			require.Equal(t, encoded(t, a.read(b)), encoded(t, b), "a list shows the whole batch")
		}
		if page.NextCursor == nil {
			break
		}
		require.Len(t, page.Data, 4)
		cursor = *page.NextCursor
		if len(got) == 4 {
			abort(a, a.read(sessions.Batch{SessionID: sid, ID: want[0]}))
			a.send(sid, call("newer", "nothing", `{}`)) // does not move the next page
		}
	}
	require.Equal(t, want, got)
	for _, bad := range []string{"x", "0", "-1", "1.5"} {
		_, err := a.Batches(t.Context(), a.caller, sid, 4, bad)
		refused(t, err, sessions.CodeBadCursor)
	}
	for _, bid := range []string{"bat_x", "", want[0] + "0", "bat_" + sid[4:] + "_99", strings.Replace(want[0], sid[8:12], "0000", 1)} {
		_, err := a.Batch(t.Context(), a.caller, sid, bid, 0)
		refused(t, err, sessions.CodeNotFound)
	}
}

func TestALongPollEndsWhenTheBatchEndsOnTheOtherReplica(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	here := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	there := here.at(start(t, server.URL(), nil))
	b := here.send(here.create(nil).ID, call("1", "read_file", `{}`))
	done := make(chan sessions.Batch, 1)
	began := time.Now()
	go func() {
		now, err := here.Batch(context.Background(), here.caller, b.SessionID, b.ID, time.Minute)
		if err != nil {
			t.Error(err)
		}
		done <- now
	}()
	there.succeed(b, 0, "over there")
	now := <-done
	require.Equal(t, "completed", now.Status)
	require.Equal(t, "over there", now.Calls[0].Result.Output)
	require.Less(t, time.Since(began), patience)
}

func TestALongPollEndsAtItsTimeLimitWithTheRunningBatch(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := a.send(a.create(nil).ID, call("1", "read_file", `{}`))
	now, err := a.Batch(t.Context(), a.caller, b.SessionID, b.ID, 30*time.Millisecond)
	require.NoError(t, err)
	require.Equal(t, encoded(t, b), encoded(t, now))
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan struct{})
	go func() {
		defer close(left)
		_, _ = a.Batch(ctx, a.caller, b.SessionID, b.ID, time.Minute) // nobody is there to read the answer
	}()
	leave()
	<-left // a client that leaves ends its wait and nothing else
	require.Equal(t, "running", a.read(b).Status)
	_, err = a.Batch(t.Context(), a.caller, b.SessionID, "bat_x", time.Minute)
	refused(t, err, sessions.CodeNotFound)
}

func TestTheTranscriptHoldsWhatEndedAsItWasSent(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	message := `{"role": "assistant",  "content": [{"type":"tool_use","x":1.0}]}`
	_, err := a.Submit(t.Context(), a.caller, sessions.Idempotency{}, sid, sessions.Submission{
		Format: "anthropic", Message: json.RawMessage(message), TurnID: new("t1"),
		Calls: []scheduler.Input{call("1", "nothing", `{ "n": 12345678901234567890 }`)},
	})
	require.NoError(t, err)
	a.send(sid, call("2", "nothing", `{ "n": 12345678901234567890 }`), call("3", "nothing", `not JSON`))
	a.send(sid, call("4", "read_file", `{}`)) // open
	var lines []sessions.TranscriptLine
	require.NoError(t, a.Transcript(t.Context(), a.caller, sid, func(l sessions.TranscriptLine) error {
		lines = append(lines, l)
		return nil
	}))
	require.Len(t, lines, 2, "an open batch is no transcript")
	require.Equal(t, message, string(lines[0].Message), "byte for byte")
	require.Equal(t, "t1", *lines[0].TurnID)
	require.Equal(t, "native", lines[1].Format)
	require.JSONEq(t, `{"calls": [{"id": "2", "name": "nothing", "arguments": {"n": 12345678901234567890}},
		{"id": "3", "name": "nothing", "arguments": "not JSON"}]}`, string(lines[1].Message))
	require.Contains(t, string(lines[1].Message), "12345678901234567890")
	require.Len(t, lines[1].Results, 2)
	told, err := a.FollowUp(t.Context(), a.caller, sid, lines[0].BatchID)
	require.NoError(t, err)
	require.Equal(t, message, string(told.Message))
	require.Equal(t, []bool{false}, told.Custom)
}

func TestAbortingCancelsWhatIsOpenAndChangesNothingAfterwards(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	b := a.send(sid, call("1", "read_file", `{}`), call("2", "write_file", `{"file_path": "a"}`))
	aid := a.question(b, 1)
	var ended sessions.Batch
	events := a.since(sid, func() { ended = abort(a, b) })
	require.Equal(t, []string{"call.result", "call.result", "approval.resolved", "batch.completed"}, types(events),
		"nothing was dispatched while a question was open, so nothing is cancelled")
	require.Equal(t, "aborted", ended.Status)
	require.Equal(t, "aborted", ended.Stop.Reason)
	require.Nil(t, ended.Stop.ExitCode, "exit codes are for headless")
	require.Empty(t, a.since(sid, func() { require.Equal(t, encoded(t, ended), encoded(t, abort(a, b))) }))
	p := refusedAnswer(a, aid)
	require.Equal(t, "cancelled", p.Extra["approval_status"])
	require.Empty(t, a.session(sid).OpenApprovals)
}

// refusedAnswer is the refusal of a late answer.
func refusedAnswer(a *actor, aid string) sessions.Problem {
	_, err := a.answer(aid, sessions.Response{OptionID: "allow_once"})
	return refused(a.t, err, sessions.CodeApprovalAlreadyResolved)
}

func TestASessionKeepsItsNewestBatches(t *testing.T) {
	t.Parallel()
	for batches, want := range map[uint64][2]uint64{0: {1, 0}, 9_999: {1, 0}, 10_000: {1, 1}, 10_005: {6, 6}} {
		oldest, goes := sessions.KeptBatches(batches)
		require.Equal(t, want, [2]uint64{oldest, goes}, "of %d", batches)
	}
}
