package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

// standings bring the call at position 1 into a state.
var standings = []struct {
	state scheduler.CallState
	bring func(*testing.T, scheduler.Runtime) *world
}{
	{scheduler.StateQueued, func(t *testing.T, r scheduler.Runtime) *world {
		w := newWorld(t, in(r), allowAll)
		w.submit(read("first"), write("w"))
		return w
	}},
	{scheduler.StateAwaitingHook, func(t *testing.T, r scheduler.Runtime) *world {
		w := newWorld(t, in(r), allowAll, hooked("h"))
		w.submit(call("first", "nope", "{}"), write("w"))
		return w
	}},
	{scheduler.StateAwaitingApproval, func(t *testing.T, r scheduler.Runtime) *world {
		w := newWorld(t, in(r), ruled(permissions.Rules{Ask: []string{"write_file"}}))
		w.submit(call("first", "nope", "{}"), write("w"))
		return w
	}},
	{scheduler.StateDispatched, func(t *testing.T, r scheduler.Runtime) *world {
		w := newWorld(t, in(r), allowAll)
		w.submit(call("first", "nope", "{}"), write("w"))
		return w
	}},
	{scheduler.StateClaimed, func(t *testing.T, r scheduler.Runtime) *world {
		w := newWorld(t, in(r), allowAll)
		w.submit(call("first", "nope", "{}"), write("w"))
		w.claim("h", 1)
		return w
	}},
}

// verdicts are what a call may come to under new rules.
var verdicts = map[string]permissions.Rules{
	"deny":  {Deny: []string{"write_file"}},
	"ask":   {Ask: []string{"write_file"}},
	"allow": {Allow: []string{"write_file"}},
}

// TestEveryStateUnderEveryNewVerdict is the table of what a change of rules
// does to calls that have not ended.
func TestEveryStateUnderEveryNewVerdict(t *testing.T) {
	t.Parallel()
	want := map[scheduler.CallState]map[string]string{
		scheduler.StateQueued:           {"deny": "permission_denied", "ask": "awaiting_approval", "allow": "queued"},
		scheduler.StateAwaitingHook:     {"deny": "permission_denied", "ask": "awaiting_hook", "allow": "awaiting_hook"},
		scheduler.StateAwaitingApproval: {"deny": "permission_denied", "ask": "awaiting_approval", "allow": "awaiting_approval"},
		scheduler.StateDispatched:       {"deny": "permission_denied", "ask": "awaiting_approval", "allow": "dispatched"},
		scheduler.StateClaimed:          {"deny": "claimed", "ask": "claimed", "allow": "claimed"},
	}
	cancelled := map[string]string{"deny": "permission_denied", "ask": "approval_required"}
	for _, r := range everyRuntime {
		for _, s := range standings {
			for verdict, rules := range verdicts {
				t.Run(string(r)+" "+string(s.state)+" "+verdict, func(t *testing.T) {
					t.Parallel()
					w := s.bring(t, r)
					require.Equal(t, s.state, w.call(1).State)
					asked := len(w.raised)
					w.setRules(rules)
					expected := want[s.state][verdict]
					if r == scheduler.RuntimeACP && s.state == scheduler.StateQueued && verdict == "ask" {
						expected = "queued" // it is asked about when its turn comes
					}
					require.Equal(t, expected, w.outcomes()[1])

					if s.state == scheduler.StateDispatched && verdict != "allow" {
						require.Equal(t, []scheduler.Cancellation{{Position: 1, Reason: cancelled[verdict]}}, w.fx.Cancelled)
					} else {
						require.Empty(t, w.fx.Cancelled)
					}
					if s.state == scheduler.StateAwaitingApproval && verdict == "deny" {
						require.Equal(t, scheduler.ApprovalCancelled, w.state.Batch.Approvals[0].Status)
					}
					if expected == "awaiting_approval" && s.state != scheduler.StateAwaitingApproval {
						asked++
					}
					require.Len(t, w.raised, asked)
				})
			}
		}
	}
}

func TestAnApprovalAnswersALaterAskButNotADeny(t *testing.T) {
	t.Parallel()
	for verdict, want := range map[string]string{"ask": "dispatched", "allow": "dispatched", "deny": "permission_denied"} {
		w := newWorld(t)
		w.submit(write("w"))
		w.answer(0, scheduler.OptionAllowOnce)
		w.setRules(verdicts[verdict])
		require.Equal(t, []string{want}, w.outcomes())

		w = newWorld(t)
		w.submit(write("v"), write("w"))
		w.answer(0, scheduler.OptionAllowOnce)
		w.setRules(verdicts[verdict])
		if verdict == "deny" {
			require.Equal(t, []string{"permission_denied", "permission_denied"}, w.outcomes())
		} else {
			require.Equal(t, []string{"queued", "awaiting_approval"}, w.outcomes())
		}
	}
}

func TestWhatElseDecidesOpenCallsAgain(t *testing.T) {
	t.Parallel()
	remove := func(w *world) {
		for i := range w.tools {
			if w.tools[i].Permission.Name == "write_file" {
				w.tools = append(w.tools[:i:i], w.tools[i+1:]...)
				break
			}
		}
		w.redecide()
	}
	refuseAll := func(w *world) {
		w.tool("write_file").Validate = func([]byte) error { return errSchema }
		w.redecide()
	}
	for _, s := range standings {
		for _, r := range everyRuntime {
			for name, change := range map[string]func(*world){
				"plan_mode_denied":    func(w *world) { w.setMode(permissions.ModePlan) },
				"tool_not_registered": remove,
				"invalid_tool_params": refuseAll,
			} {
				w := s.bring(t, r)
				w.state.Session.Approver = true
				change(w)
				if s.state == scheduler.StateClaimed {
					require.Equal(t, "claimed", w.outcomes()[1], "what runs runs on")
					require.NoError(t, w.tryReport("h", done(1, "")))
					continue
				}
				require.Equal(t, name, w.outcomes()[1], "%s in %s", s.state, r)
			}
		}
	}
}

func TestARevokedGrantIsAskedAbout(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.submit(write("w"))
	w.answer(0, scheduler.OptionAllowSession)
	w.finishAll()
	w.submit(call("x", "write_file", file("w")))
	require.Equal(t, []string{"dispatched"}, w.outcomes())
	clear(w.grants)
	w.redecide()
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
}

func TestWithNobodyToAskARuleThatAsksEndsTheCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nobodyToAsk, allowAll)
	w.submit(read("a"), write("w"))
	w.setRules(permissions.Rules{Ask: []string{"*"}})
	require.Equal(t, []string{"approval_unavailable", "approval_unavailable"}, w.outcomes())
	require.Equal(t, []scheduler.Cancellation{{Position: 0, Reason: "approval_unavailable"}}, w.fx.Cancelled)
}

func TestWithoutAnOpenBatchNothingIsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.redecide()
	require.False(t, w.fx.Changed())
	w.batch(read("a"))
	w.setRules(permissions.Rules{Deny: []string{"*"}})
	require.False(t, w.fx.Changed())
	require.Equal(t, []string{"ok"}, w.outcomes())
}
