package scheduler

import (
	"slices"
	"time"

	"github.com/session-gateway/gateway/permissions"
)

// HookVerdict is what a hook says of a call before it may start.
type HookVerdict string

// The verdicts. Whatever else a hook says denies.
const (
	HookPass HookVerdict = "pass" // the rules' own verdict stands
	HookAsk  HookVerdict = "ask"  // a person has to approve
	HookDeny HookVerdict = "deny"
)

// Hook is somebody outside who has a say before calls of the host's tools may
// start.
type Hook struct {
	ID        string
	Timeout   time.Duration
	OnTimeout HookVerdict // what no answer in time means; empty: deny
}

// AskedHook is a hook that a call was put to. Which they are is settled when
// the call is first decided, and so is what becomes of it without an answer.
type AskedHook struct {
	ID        string
	OnTimeout HookVerdict
	Deadline  time.Time
	Verdict   HookVerdict // empty: it has not answered
}

// HookWord is a hook's verdict on a call.
type HookWord struct {
	Position int
	Hook     string
	Verdict  HookVerdict
	Reason   string // for the model where it denies
	TimedOut bool   // the verdict is what its silence means
}

// HearHooks takes the verdicts of hooks. The first of a hook on a call stands;
// one that comes twice, too late, or of a hook that was not asked is dropped.
func HearHooks(env Env, s State, words []HookWord) (State, Effects) {
	t, out := begin(env, s)
	if t.b == nil || t.b.Status != BatchRunning {
		return *out, t.fx
	}
	for _, w := range words {
		if k := t.waitsFor(w); k >= 0 {
			t.hear(w, k)
		}
	}
	if t.fx.Changed() {
		t.advance()
	}
	return *out, t.fx
}

// waitsFor is the place of a word's hook among those that its call waits for;
// -1: it waits for none such.
func (t *transition) waitsFor(w HookWord) int {
	if w.Position < 0 || w.Position >= len(t.b.Calls) || t.b.Calls[w.Position].State != StateAwaitingHook {
		return -1
	}
	return slices.IndexFunc(t.b.Calls[w.Position].Hooks, func(h AskedHook) bool {
		return h.ID == w.Hook && h.Verdict == "" && h.Deadline.After(t.env.Now)
	})
}

// awaitHooks puts a call to the hooks, all at once.
func (t *transition) awaitHooks(i int) {
	c := t.touch(i)
	c.State, c.HooksAsked = StateAwaitingHook, t.env.Now
	c.Hooks = make([]AskedHook, 0, len(t.env.Hooks))
	for _, h := range t.env.Hooks {
		c.Hooks = append(c.Hooks, AskedHook{ID: h.ID, OnTimeout: h.OnTimeout, Deadline: t.env.Now.Add(h.Timeout)})
	}
	c.Deadline = c.hookDeadline()
	t.fx.Hooked = append(t.fx.Hooked, i)
}

// hookDeadline is when the first of the hooks that have not answered is given up.
func (c *Call) hookDeadline() time.Time {
	var earliest time.Time
	for _, h := range c.Hooks {
		if h.Verdict == "" && (earliest.IsZero() || h.Deadline.Before(earliest)) {
			earliest = h.Deadline
		}
	}
	return earliest
}

// hear notes the word of a call's k-th hook. A deny ends the call at once: no
// other verdict could be stricter. Else the last word decides.
func (t *transition) hear(w HookWord, k int) {
	if w.Verdict != HookPass && w.Verdict != HookAsk {
		w.Verdict = HookDeny
	}
	c := t.touch(w.Position)
	c.Hooks = slices.Clone(c.Hooks) // the state before keeps its own
	c.Hooks[k].Verdict = w.Verdict
	t.fx.Heard = append(t.fx.Heard, w)
	switch c.Deadline = c.hookDeadline(); {
	case w.Verdict == HookDeny:
		t.finish(w.Position, ReasonHookDenied, textHookDenied(w))
	case c.Deadline.IsZero():
		t.heardAll(w.Position)
	}
}

// expireHooks takes the silence of hooks for what it means.
func (t *transition) expireHooks(i int) {
	for k, h := range t.b.Calls[i].Hooks {
		if t.b.Calls[i].State == StateAwaitingHook && h.Verdict == "" && !h.Deadline.After(t.env.Now) {
			t.hear(HookWord{Position: i, Hook: h.ID, Verdict: h.OnTimeout, TimedOut: true}, k)
		}
	}
}

// heardAll takes a call that no hook denied on to what the rules say of it by
// now. A hook may add a question, never take one away.
func (t *transition) heardAll(i int) {
	c := t.touch(i)
	c.State = StateQueued
	if t.denyAgain(i); c.State == StateDone {
		return
	}
	t.judge(i, t.verdict(i))
	asked := slices.ContainsFunc(c.Hooks, func(h AskedHook) bool { return h.Verdict == HookAsk })
	switch {
	case c.State == StateDone:
	case asked && !t.s.Approver:
		t.finish(i, ReasonApprovalUnavailable, textApprovalUnavailable)
	case asked || c.Decision.Effect == permissions.Ask:
		t.askAbout(i)
	}
}
