package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// verdict is what a change makes of a call.
type verdict struct {
	state  scheduler.CallState
	reason scheduler.Reason // of a call that ended
	told   []string         // what the log says of it, and of its approval
}

// changes give a new verdict for a call of write_file that a grant, a rule or
// nothing had allowed before, each through another door.
func changes(a *actor, sid string) map[string]map[string]func() {
	rules := func(r permissions.Rules) func() { return func() { a.rules(sid, r) } }
	tools := func(kind permissions.Kind) func() {
		return func() {
			tools := standardTools()
			tools[1].Kind = &kind
			_, err := a.SetTools(a.t.Context(), a.caller, sid, tools)
			require.NoError(a.t, err)
		}
	}
	return map[string]map[string]func(){
		"deny": {
			"rules": rules(permissions.Rules{Deny: []string{"write"}}),
			"mode":  func() { a.mode(sid, permissions.ModePlan) },
			"tools": func() {
				_, err := a.SetTools(a.t.Context(), a.caller, sid, standardTools()[:1])
				require.NoError(a.t, err)
			},
		},
		"ask": {
			"rules": rules(permissions.Rules{Ask: []string{"write"}}),
			"mode":  func() { a.mode(sid, permissions.ModeDefault) },
			"tools": tools(permissions.KindExecute),
		},
		"allow": {
			"rules": rules(permissions.Rules{Allow: []string{"write"}}),
			"mode":  func() { a.mode(sid, permissions.ModeYolo) },
			"tools": tools(permissions.KindMove),
		},
	}
}

// waiting brings a call of write_file into a state: position 1 of its batch.
func waiting(a *actor, state scheduler.CallState) sessions.Batch {
	first := call("r", "read_file", `{"file_path": "a"}`)
	if state == scheduler.StateAwaitingApproval {
		sid := a.create(nil).ID
		return a.send(sid, first, call("w", "write_file", `{"file_path": "a"}`))
	}
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeAutoEdit) }).ID
	b := a.send(sid, first, call("w", "write_file", `{"file_path": "a"}`))
	if state != scheduler.StateQueued {
		b = a.succeed(b, 0, "read")
	}
	if state == scheduler.StateClaimed {
		a.claim(b, "h1", 1)
	}
	require.Equal(a.t, state, a.read(b).Calls[1].State)
	return b
}

func TestAChangeDecidesOpenCallsAgain(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	denied := map[string]scheduler.Reason{
		"rules": scheduler.ReasonPermissionDenied, "mode": scheduler.ReasonPlanModeDenied, "tools": scheduler.ReasonToolNotRegistered,
	}
	stays := func(s scheduler.CallState) map[string]verdict {
		return map[string]verdict{"deny": {state: s}, "ask": {state: s}, "allow": {state: s}}
	}
	table := map[scheduler.CallState]map[string]verdict{
		scheduler.StateQueued: {
			"deny":  {scheduler.StateDone, "denied", []string{"call.result"}},
			"ask":   {scheduler.StateAwaitingApproval, "", []string{"approval.requested"}},
			"allow": {scheduler.StateQueued, "", nil},
		},
		scheduler.StateAwaitingApproval: {
			"deny":  {scheduler.StateDone, "denied", []string{"call.result", "approval.resolved"}},
			"ask":   {scheduler.StateAwaitingApproval, "", nil},
			"allow": {scheduler.StateAwaitingApproval, "", nil},
		},
		scheduler.StateDispatched: {
			"deny":  {scheduler.StateDone, "denied", []string{"call.cancelled", "call.result"}},
			"ask":   {scheduler.StateAwaitingApproval, "", []string{"call.cancelled", "approval.requested"}},
			"allow": {scheduler.StateDispatched, "", nil},
		},
		scheduler.StateClaimed: stays(scheduler.StateClaimed),
	}
	for state, row := range table {
		for effect, want := range row {
			for _, door := range []string{"rules", "mode", "tools"} {
				b := waiting(a, state)
				what := string(state) + " → " + effect + " by " + door
				events := a.since(b.SessionID, changes(a, b.SessionID)[effect][door])
				now := a.read(b)
				require.Equal(t, want.state, now.Calls[1].State, what)
				if want.state == scheduler.StateDone {
					require.Equal(t, denied[door], reason(t, now, 1), what)
				}
				require.Equal(t, want.told, toldOf(t, events, 1), what)
			}
		}
	}
}

// toldOf are the types of the events about a position. A re-decision that lets
// the other call of the batch start is not about it.
func toldOf(t *testing.T, events []event, position int) (told []string) {
	for _, e := range events {
		switch e.Type {
		case "call.result", "call.cancelled", "call.dispatched", "approval.requested", "approval.resolved":
			if at := data[struct{ Position int }](t, []event{e}, e.Type); at.Position == position {
				told = append(told, e.Type)
			}
		}
	}
	return told
}

func TestAWithdrawnCallIsDispatchedASecondTimeOnceAPersonAllowsIt(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	b := waiting(a, scheduler.StateDispatched)
	events := a.since(b.SessionID, func() { a.rules(b.SessionID, permissions.Rules{Ask: []string{"write"}}) })
	require.Equal(t, []string{"call.cancelled", "approval.requested", "session.updated"}, types(events))
	require.JSONEq(t, `{"position": 1, "call_id": "w", "reason": "approval_required"}`, string(events[0].Data))
	require.False(t, a.claim(b, "h1", 1)[0].Granted)
	_, err := a.tell(b, succeed(1, "too early"))
	refused(t, err, sessions.CodeCallNotDispatched)
	aid := a.question(b, 1)
	events = a.since(b.SessionID, func() { a.choose(aid, "allow_once") })
	require.Equal(t, []string{"approval.resolved", "call.dispatched"}, types(events))
	a.rules(b.SessionID, permissions.Rules{Ask: []string{"write_file"}})
	require.Equal(t, scheduler.StateDispatched, a.read(b).Calls[1].State, "the answer holds for a later ask of the same call")
	a.rules(b.SessionID, permissions.Rules{Deny: []string{"write_file"}})
	require.Equal(t, scheduler.ReasonPermissionDenied, reason(t, a.read(b), 1), "and not for a deny")
}

func TestARevokedGrantDecidesOpenCallsAgain(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(nil).ID
	write := call("1", "write_file", `{"file_path": "a"}`)
	b := a.send(sid, write)
	a.choose(a.question(b, 0), "allow_session")
	a.succeed(b, 0, "ok")
	b = a.send(sid, call("2", "read_file", `{}`), call("3", "write_file", `{"file_path": "./a"}`))
	require.Equal(t, permissions.SourceGrant, b.Calls[1].Decision.Source)
	b = a.succeed(b, 0, "read")
	require.Equal(t, scheduler.StateDispatched, b.Calls[1].State)
	grants, err := a.Grants(t.Context(), a.caller, sid)
	require.NoError(t, err)
	require.Len(t, grants, 1)
	refused(t, a.RevokeGrants(t.Context(), a.caller, sid, "grt_unknown"), sessions.CodeNotFound)
	events := a.since(sid, func() { require.NoError(t, a.RevokeGrants(t.Context(), a.caller, sid, grants[0].ID)) })
	require.Equal(t, []string{"call.cancelled", "approval.requested", "session.updated"}, types(events))
	require.Equal(t, scheduler.StateAwaitingApproval, a.read(b).Calls[1].State)
	require.NoError(t, a.RevokeGrants(t.Context(), a.caller, sid, ""), "revoking all of nothing is no fault")
}
