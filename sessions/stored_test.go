package sessions_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// TestWhatAReplicaKeepsIsWhatIsStored runs random commands on one session and
// compares, after each, the document that the replica kept with the one that
// anybody else reads. A part that a stored form forgets, or that is only
// written sometimes, shows here.
func TestWhatAReplicaKeepsIsWhatIsStored(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	rapid.Check(t, func(rt *rapid.T) {
		sid := drawSession(rt, a)
		topic := a.topic(sid)
		for range rapid.IntRange(1, 25).Draw(rt, "commands") {
			name := rapid.SampledFrom(commandNames).Draw(rt, "command")
			var p *sessions.Problem
			if err := commands[name](rt, a, sid); err != nil && !errors.As(err, &p) {
				rt.Fatalf("%s: %v", name, err)
			}
			compare(rt, a, topic)
		}
	})
}

func compare(rt *rapid.T, a *actor, topic stream.Topic) {
	stored, err := sessions.Stored(a.Service, topic)
	require.NoError(rt, err)
	kept, ok := sessions.Kept(a.Service, topic)
	if !ok {
		require.Equal(rt, "closed", stored.Session.Status, "only a closed session is not kept")
		return
	}
	require.Equal(rt, stored.State, kept.State)
	require.Equal(rt, encoded(rt, stored), encoded(rt, kept))
	record, err := a.store.Load(context.Background(), store.Ref{Topic: topic})
	require.NoError(rt, err)
	require.LessOrEqual(rt, len(record.Doc["hot"]), maxHot)
	require.LessOrEqual(rt, len(record.Open["hot"]), maxHot)
}

// maxHot is how large the state may be that nearly every transition writes.
const maxHot = 2 << 10

func drawSession(rt *rapid.T, a *actor) string {
	return a.create(func(s *sessions.Spec) {
		s.Runtime = new(rapid.SampledFrom([]scheduler.Runtime{
			scheduler.RuntimeCore, scheduler.RuntimeACP, scheduler.RuntimeHeadless,
		}).Draw(rt, "runtime"))
		s.ApprovalMode = new(drawMode(rt))
		s.Approvals = new("frontend")
		s.MaxToolCalls = rapid.SampledFrom([]*int{nil, new(-1), new(3)}).Draw(rt, "budget")
		s.Labels = map[string]string{"a": "b"}
		s.StructuredOutput = &sessions.StructuredOutput{Schema: scheduler.RawJSON(`{"type": "object", "required": ["x"]}`)}
		require.NoError(rt, unmarshal(`{"limits": {"tool_output_chars": 30, "batch_output_chars": 40}}`, s))
	}).ID
}

func drawMode(rt *rapid.T) permissions.Mode {
	return rapid.SampledFrom([]permissions.Mode{
		permissions.ModePlan, permissions.ModeDefault, permissions.ModeAutoEdit, permissions.ModeYolo,
	}).Draw(rt, "mode")
}

// commands are what anybody may do with a session, at random. Refusals are fine.
var commands = map[string]func(*rapid.T, *actor, string) error{
	"submit": drawSubmission, "claim": drawClaim, "report": drawReport, "respond": drawAnswer,
	"abort": func(rt *rapid.T, a *actor, sid string) error {
		b := drawBatch(rt, a, sid)
		_, err := a.Abort(context.Background(), a.caller, sessions.Idempotency{}, sid, b.ID)
		return err
	},
	"mode": func(rt *rapid.T, a *actor, sid string) error {
		_, err := a.SetMode(context.Background(), a.caller, sid, drawMode(rt))
		return err
	},
	"rules": func(rt *rapid.T, a *actor, sid string) error {
		some := rapid.SliceOfN(rapid.SampledFrom([]string{"write", "read(b)", "execute(*)", "write_file(a)"}), 0, 2)
		_, err := a.SetRules(context.Background(), a.caller, sid, permissions.Rules{Ask: some.Draw(rt, "ask"), Allow: some.Draw(rt, "allow")})
		return err
	},
	"tools": func(rt *rapid.T, a *actor, sid string) error {
		tools := standardTools()
		tools[1].Description = rapid.SampledFrom([]string{"", "new"}).Draw(rt, "description")
		_, err := a.SetTools(context.Background(), a.caller, sid, tools)
		return err
	},
	"plan": func(rt *rapid.T, a *actor, sid string) error {
		text := rapid.SampledFrom([]string{"", "p", "q\r\n<&>"}).Draw(rt, "text")
		_, err := a.PatchPlan(context.Background(), a.caller, sid, sessions.PlanPatch{Text: &text})
		return err
	},
	"labels": func(rt *rapid.T, a *actor, sid string) error {
		labels := rapid.SampledFrom([]map[string]string{nil, {}, {"a": "b"}, {"c": ""}}).Draw(rt, "labels")
		_, err := a.SetLabels(context.Background(), a.caller, sid, labels)
		return err
	},
	"revoke": func(_ *rapid.T, a *actor, sid string) error {
		return a.RevokeGrants(context.Background(), a.caller, sid, "")
	},
	"close": func(rt *rapid.T, a *actor, sid string) error {
		if rapid.IntRange(0, 9).Draw(rt, "close") > 0 {
			return nil
		}
		return a.Close(context.Background(), a.caller, sid)
	},
}

var commandNames = []string{
	"submit", "submit", "submit", "claim", "claim", "report", "report", "report", "respond", "respond", "respond",
	"abort", "mode", "rules", "tools", "plan", "labels", "revoke", "close",
}

func drawSubmission(rt *rapid.T, a *actor, sid string) error {
	in := sessions.Submission{Format: "native"}
	if rapid.Bool().Draw(rt, "with its turn") {
		in.TurnID, in.ResponseID = new(rapid.StringMatching(`t[0-2]`).Draw(rt, "turn")), new("r")
	}
	if rapid.Bool().Draw(rt, "with its message") {
		in.Message = []byte(`{"m":  "<&>"}`)
	}
	if rapid.Bool().Draw(rt, "with its host") {
		in.HostID = new("h1")
	}
	calls := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) scheduler.Input {
		c := rapid.SampledFrom([]scheduler.Input{
			call("", "read_file", `{"file_path": "a"}`), call("", "read_file", `{"file_path": "b"}`),
			call("", "WriteFile", `{"file_path":"a" }`), call("", "write_file", `{"file_path": "b"}`),
			call("", "run_shell_command", `{"command": "ls > x"}`), call("", "agent", `{}`), call("", "nothing", `x`),
			call("", "enter_plan_mode", `{"note": "n"}`), call("", "exit_plan_mode", `{"plan": "p"}`), call("", "exit_plan_mode", `{}`),
			call("", "read_output", `{"ref": "out_1_0"}`), call("", "structured_output", `{"x": [1,  2]}`),
			call("", "structured_output", `{}`),
		}).Draw(rt, "call")
		c.ID = rapid.StringMatching(`[a-d]_x`).Draw(rt, "id")
		c.IDAssigned = rapid.Bool().Draw(rt, "id assigned")
		c.Custom = rapid.Bool().Draw(rt, "custom")
		c.Fault = rapid.SampledFrom([]scheduler.Fault{"", "", "", scheduler.FaultTruncated}).Draw(rt, "fault")
		return c
	}), 1, 5)
	in.Calls = calls.Draw(rt, "calls")
	_, err := a.Submit(context.Background(), a.caller, sessions.Idempotency{}, sid, in)
	return err
}

// drawBatch is the open batch or an earlier one; none answers an unknown id.
func drawBatch(rt *rapid.T, a *actor, sid string) sessions.Batch {
	page, err := a.Batches(context.Background(), a.caller, sid, 3, "")
	require.NoError(rt, err)
	if len(page.Data) == 0 {
		return sessions.Batch{SessionID: sid, ID: "bat_none"}
	}
	return page.Data[min(rapid.IntRange(0, 6).Draw(rt, "batch")/4, len(page.Data)-1)]
}

func drawClaim(rt *rapid.T, a *actor, sid string) error {
	b := drawBatch(rt, a, sid)
	_, err := a.Claim(context.Background(), a.caller, sessions.Idempotency{}, sid, b.ID, sessions.ClaimRequest{
		HostID: rapid.SampledFrom([]string{"h1", "h2"}).Draw(rt, "host"), Positions: drawPositions(rt, b),
	})
	return err
}

func drawReport(rt *rapid.T, a *actor, sid string) error {
	b := drawBatch(rt, a, sid)
	r := sessions.Report{HostID: new("h1")}
	for _, p := range drawPositions(rt, b) {
		output := rapid.SampledFrom([]string{"", "ok", "ä\nlong output that is over the limit of thirty"}).Draw(rt, "output")
		one := succeed(p, output).Results[0]
		if rapid.Bool().Draw(rt, "failed") {
			one.Status, one.Error = scheduler.StatusError, new(output)
		}
		r.Results = append(r.Results, one)
	}
	_, err := a.tell(b, r)
	return err
}

// drawPositions are one or two calls, those that a host has to do with first.
func drawPositions(rt *rapid.T, b sessions.Batch) []int {
	var open []int
	for i, c := range b.Calls {
		if c.State == scheduler.StateDispatched || c.State == scheduler.StateClaimed {
			open = append(open, i)
		}
	}
	if len(open) == 0 || rapid.IntRange(0, 9).Draw(rt, "wrongly") == 0 {
		return []int{rapid.IntRange(0, 5).Draw(rt, "position")}
	}
	return open[:rapid.IntRange(1, min(2, len(open))).Draw(rt, "positions")]
}

func drawAnswer(rt *rapid.T, a *actor, sid string) error {
	s, err := a.Get(context.Background(), a.caller, sid)
	if err != nil || len(s.OpenApprovals) == 0 {
		return err
	}
	option := rapid.SampledFrom([]string{
		"allow_once", "allow_session", "allow_session", "reject", "restore_previous", "auto_edit",
	}).Draw(rt, "option")
	aid := rapid.SampledFrom(s.OpenApprovals).Draw(rt, "approval")
	_, err = a.answer(aid, sessions.Response{OptionID: option, Feedback: new("f")})
	return err
}

// wide is a session with a batch of so many parallel reads, one in flight.
func wide(a *actor, n int) sessions.Batch {
	calls := make([]scheduler.Input, n)
	for i := range calls {
		calls[i] = call(fmt.Sprintf("call_number_%d_x", i), "read_file", fmt.Sprintf(`{"file_path": "f%d"}`, i))
	}
	return a.send(a.create(nil).ID, calls...)
}

func TestHotStateStaysSmallWithALargeBatch(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := wide(a, sessions.MaxCalls)
	a.claim(b, "h1", 0, 1, 2)
	record, err := a.store.Load(t.Context(), store.Ref{Topic: a.topic(b.SessionID)})
	require.NoError(t, err)
	require.LessOrEqual(t, len(record.Doc["hot"]), maxHot)
	require.LessOrEqual(t, len(record.Open["hot"]), maxHot)
}

// TestTheBytesOfAResultDontGrowWithItsBatch builds the commit of one result in
// a small and in a large batch.
func TestTheBytesOfAResultDontGrowWithItsBatch(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	bytes := func(calls int) int {
		b := wide(a, calls)
		commit, err := sessions.BuiltReport(a.Service, a.topic(b.SessionID), "h1",
			scheduler.HostResult{Position: 1, Success: true, Output: "done"})
		require.NoError(t, err)
		return sessions.Written(commit)
	}
	// With more than ten calls one more starts, because one has ended: that is
	// the constant part. Longer numbers are a few bytes.
	small, large := bytes(12), bytes(sessions.MaxCalls)
	require.InDelta(t, small, large, 64)
	require.LessOrEqual(t, bytes(4), small)
	require.Less(t, large, 4<<10)
}
