package scheduler_test

import (
	"slices"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/session-gateway/gateway/scheduler"
)

// hooks: a call is put to hooks once, told in the commit that does it, and goes
// no further before all have answered; what each said is told once and stays.
func (d *diff) hooks() {
	d.Helper()
	var hooked []int
	heard := 0
	for i := range d.is.Calls {
		was, is := d.before[i], d.is.Calls[i]
		if is.State == scheduler.StateAwaitingHook && was.State != is.State {
			hooked = append(hooked, i)
			require.Nil(d, was.Hooks, "a call was put to hooks twice")
			require.Len(d, is.Hooks, len(d.env.Hooks))
		}
		heard += d.answers(was.Hooks, is.Hooks)
		d.heldByHooks(&is)
	}
	require.ElementsMatch(d, hooked, d.fx.Hooked)
	require.Len(d, d.fx.Heard, heard)
}

// answers counts those that are new.
func (d *diff) answers(was, is []scheduler.AskedHook) (fresh int) {
	d.Helper()
	for k, h := range is {
		switch {
		case k < len(was) && was[k].Verdict != "":
			require.Equal(d, was[k], h, "a verdict has changed")
		case h.Verdict != "":
			fresh++
		}
	}
	return fresh
}

// heldByHooks: a call under way was passed by every hook that it was put to,
// and approved by a person where one of them asked for that.
func (d *diff) heldByHooks(c *scheduler.Call) {
	d.Helper()
	said := func(v scheduler.HookVerdict) bool {
		return slices.ContainsFunc(c.Hooks, func(h scheduler.AskedHook) bool { return h.Verdict == v })
	}
	switch c.State {
	case scheduler.StateAwaitingHook:
		require.True(d, said(""))
		require.False(d, said(scheduler.HookDeny))
	case scheduler.StateAwaitingApproval, scheduler.StateQueued, scheduler.StateDispatched, scheduler.StateClaimed:
		require.False(d, said("") || said(scheduler.HookDeny))
	case scheduler.StateDone:
		require.Equal(d, said(scheduler.HookDeny), reason(c) == scheduler.ReasonHookDenied)
	}
	if underWay(c.State) {
		require.True(d, c.Approved || !said(scheduler.HookAsk), "a question of a hook was left out")
	}
	if c.Hooks != nil {
		require.False(d, slices.Contains(gatewayTools, c.Tool), "%s was put to a hook", c.Tool)
	}
}

var gatewayTools = []string{
	scheduler.ToolEnterPlanMode, scheduler.ToolExitPlanMode, scheduler.ToolReadOutput, scheduler.ToolStructuredOutput,
}

// randomHooks are those of the tenant, from now on.
func (w *world) randomHooks(rt *rapid.T) {
	w.env.Hooks = nil
	for _, id := range rapid.SampledFrom([][]string{nil, nil, {"a"}, {"a", "b"}}).Draw(rt, "hooks") {
		w.env.Hooks = append(w.env.Hooks, hook(id, rapid.SampledFrom(hookWords).Draw(rt, "on timeout")))
	}
}

// hookWords are what hooks may say; the last is no verdict.
var hookWords = []scheduler.HookVerdict{scheduler.HookPass, scheduler.HookPass, scheduler.HookAsk, scheduler.HookDeny, "perhaps"}

// randomWord lets a hook answer: mostly one that is waited for, in the end any.
func (w *world) randomWord(rt *rapid.T) {
	word := scheduler.HookWord{
		Position: rapid.IntRange(-1, len(w.state.Batch.Calls)).Draw(rt, "position"),
		Hook:     rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "hook"),
	}
	if open := w.unanswered(); len(open) > 0 && !rarely(rt, "anything") {
		word = rapid.SampledFrom(open).Draw(rt, "waited for")
	}
	word.Verdict = rapid.SampledFrom(hookWords).Draw(rt, "verdict")
	w.hear(word, word)
	require.LessOrEqual(rt, len(w.fx.Heard), 1, "a verdict counts once")
}

// unanswered are the words that calls wait for.
func (w *world) unanswered() (out []scheduler.HookWord) {
	for i := range w.state.Batch.Calls {
		if c := w.call(i); c.State == scheduler.StateAwaitingHook {
			for _, h := range c.Hooks {
				if h.Verdict == "" {
					out = append(out, scheduler.HookWord{Position: i, Hook: h.ID})
				}
			}
		}
	}
	return out
}

func (w *world) hear(words ...scheduler.HookWord) {
	w.Helper()
	w.do(func(env scheduler.Env, s scheduler.State) (scheduler.State, scheduler.Effects) {
		return scheduler.HearHooks(env, s, words)
	})
}

// says gives the verdict of a hook on a call.
func (w *world) says(hook string, position int, v scheduler.HookVerdict) {
	w.Helper()
	w.hear(scheduler.HookWord{Position: position, Hook: hook, Verdict: v, Reason: "because"})
}
