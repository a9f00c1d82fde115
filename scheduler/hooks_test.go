package scheduler_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

const hookTimeout = 10 * time.Second

func hook(id string, onTimeout scheduler.HookVerdict) scheduler.Hook {
	return scheduler.Hook{ID: id, Timeout: hookTimeout, OnTimeout: onTimeout}
}

// hooked gives the tenant hooks that deny by their silence.
func hooked(ids ...string) option {
	return func(w *world) {
		for _, id := range ids {
			w.env.Hooks = append(w.env.Hooks, hook(id, ""))
		}
	}
}

// TestVerdictsOfRulesAndHooks is the table of what comes of a call by what the
// rules and two hooks say of it.
func TestVerdictsOfRulesAndHooks(t *testing.T) {
	t.Parallel()
	const pass, ask, deny, other = scheduler.HookPass, scheduler.HookAsk, scheduler.HookDeny, scheduler.HookVerdict("yes")
	for _, c := range []struct {
		name  string
		rules permissions.Rules
		words [2]scheduler.HookVerdict
		want  string
	}{
		{"allowed, passed", permissions.Rules{Allow: []string{"*"}}, [2]scheduler.HookVerdict{pass, pass}, "dispatched"},
		{"allowed, one asks", permissions.Rules{Allow: []string{"*"}}, [2]scheduler.HookVerdict{ask, pass}, "awaiting_approval"},
		{"allowed, the other asks", permissions.Rules{Allow: []string{"*"}}, [2]scheduler.HookVerdict{pass, ask}, "awaiting_approval"},
		{"allowed, one denies", permissions.Rules{Allow: []string{"*"}}, [2]scheduler.HookVerdict{deny, pass}, "hook_denied"},
		{"allowed, the stricter denies", permissions.Rules{Allow: []string{"*"}}, [2]scheduler.HookVerdict{ask, deny}, "hook_denied"},
		{"allowed, no verdict", permissions.Rules{Allow: []string{"*"}}, [2]scheduler.HookVerdict{other, pass}, "hook_denied"},
		{"asked, passed", permissions.Rules{Ask: []string{"*"}}, [2]scheduler.HookVerdict{pass, pass}, "awaiting_approval"},
		{"asked, denied", permissions.Rules{Ask: []string{"*"}}, [2]scheduler.HookVerdict{pass, deny}, "hook_denied"},
	} {
		for _, r := range everyRuntime {
			w := newWorld(t, in(r), ruled(c.rules), hooked("a", "b"))
			w.submit(write("w"))
			require.Equal(t, []string{"awaiting_hook"}, w.outcomes(), c.name)
			require.Empty(t, w.raised, "a person is asked after the hooks")
			w.says("a", 0, c.words[0])
			w.says("b", 0, c.words[1])
			require.Equal(t, []string{c.want}, w.outcomes(), c.name)
		}
	}
}

func TestARuleThatDeniesIsPutToNoHook(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hooked("a"), ruled(permissions.Rules{Deny: []string{"write_file"}}))
	w.submit(write("w"), call("x", "no_such_tool", "{}"), call("y", "read_file", "[]"))
	require.Equal(t, []string{"permission_denied", "tool_not_registered", "invalid_tool_params"}, w.outcomes())
	require.Empty(t, w.fx.Hooked)
}

func TestNobodyToAskIsSaidBeforeAnyHookIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nobodyToAsk, hooked("a"))
	w.submit(write("w"), read("r"))
	require.Equal(t, []string{"approval_unavailable", "awaiting_hook"}, w.outcomes())
	w.says("a", 1, scheduler.HookAsk)
	require.Equal(t, []string{"approval_unavailable", "approval_unavailable"}, w.outcomes())
}

func TestSkippedCallsAndTheGatewaysToolsArePutToNoHook(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), hooked("a"))
		w.submit(write("w"), enter("e"), read("r"))
		require.Equal(t, []string{"plan_boundary", "ok", "plan_boundary"}, w.outcomes())
		w.submit(leave("x", "the plan"))
		require.Equal(t, []string{"awaiting_approval"}, w.outcomes(), "leaving is a person's alone")
	}
}

func TestSilenceMeansWhatTheHookSays(t *testing.T) {
	t.Parallel()
	for onTimeout, want := range map[scheduler.HookVerdict]string{
		"": "hook_denied", scheduler.HookDeny: "hook_denied",
		scheduler.HookAsk: "awaiting_approval", scheduler.HookPass: "dispatched",
	} {
		w := newWorld(t, allowAll, func(w *world) { w.env.Hooks = []scheduler.Hook{hook("a", onTimeout)} })
		w.submit(read("r"))
		require.Equal(t, start.Add(hookTimeout), w.state.Batch.Deadline())
		w.pass(hookTimeout - time.Millisecond)
		require.Equal(t, []string{"awaiting_hook"}, w.outcomes())
		w.pass(time.Millisecond)
		require.Equal(t, []string{want}, w.outcomes())
		require.True(t, w.fx.Heard[0].TimedOut)
	}
}

func TestTheFirstVerdictOfAHookStands(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, hooked("a", "b"))
	w.submit(read("r"))
	w.says("a", 0, scheduler.HookPass)
	w.says("a", 0, scheduler.HookDeny)
	require.False(t, w.fx.Changed())
	w.says("nobody", 0, scheduler.HookDeny)
	require.False(t, w.fx.Changed())
	w.says("b", 0, scheduler.HookPass)
	require.Equal(t, []string{"dispatched"}, w.outcomes())
	w.says("b", 0, scheduler.HookDeny)
	require.False(t, w.fx.Changed(), "too late")
}

func TestAVerdictAfterItsTimeIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, hooked("a"))
	w.submit(read("r"))
	w.env.Now = w.env.Now.Add(hookTimeout)
	w.says("a", 0, scheduler.HookPass)
	require.False(t, w.fx.Changed(), "swept or not")
}

func TestNothingIsDispatchedBeforeEveryHookHasAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, hooked("a"))
	w.submit(read("1"), read("2"))
	w.says("a", 0, scheduler.HookPass)
	require.Equal(t, []string{"queued", "awaiting_hook"}, w.outcomes())
	w.says("a", 1, scheduler.HookDeny)
	require.Equal(t, []string{"dispatched", "hook_denied"}, w.outcomes())
	require.Contains(t, w.result(1).Output, "because")
}

func TestInACPHooksAreAskedWhenItsTheCallsTurn(t *testing.T) {
	t.Parallel()
	w := newWorld(t, inACP, allowAll, hooked("a"))
	w.submit(read("1"), read("2"))
	require.Equal(t, []string{"awaiting_hook", "queued"}, w.outcomes())
	w.says("a", 0, scheduler.HookDeny)
	require.Equal(t, []string{"hook_denied", "awaiting_hook"}, w.outcomes(), "a hook's no is no person's: the turn goes on")
	w.says("a", 1, scheduler.HookPass)
	require.Equal(t, []string{"hook_denied", "dispatched"}, w.outcomes())
}

func TestWhatAHookSaidIsKeptWhenTheCallIsDecidedAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, hooked("a"))
	w.submit(read("r"))
	w.says("a", 0, scheduler.HookPass)
	w.setRules(permissions.Rules{Ask: []string{"read_file"}})
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
	w.answer(0, scheduler.OptionAllowOnce)
	require.Equal(t, []string{"dispatched"}, w.outcomes(), "the hook is not asked again")
}

func TestRulesThatChangedWhileAHookWasAskedHoldOnceItAnswers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, hooked("a"))
	w.submit(write("w"))
	w.setRules(permissions.Rules{Ask: []string{"write_file"}})
	require.Equal(t, []string{"awaiting_hook"}, w.outcomes())
	w.says("a", 0, scheduler.HookPass)
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
}

func TestAHooksQuestionIsNotAnsweredByAGrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t, hooked("a"))
	w.submit(write("w"))
	w.says("a", 0, scheduler.HookPass)
	w.answer(0, scheduler.OptionAllowSession)
	w.report(0, "done")
	w.submit(call("again", "write_file", file("w")))
	w.says("a", 0, scheduler.HookAsk)
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())
}

func TestACallThatWaitsForAHookIsAborted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll, hooked("a"))
	w.submit(read("r"))
	w.abort()
	require.Equal(t, []string{"aborted"}, w.outcomes())
	w.says("a", 0, scheduler.HookPass)
	require.False(t, w.fx.Changed())
}
