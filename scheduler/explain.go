package scheduler

import "github.com/session-gateway/gateway/permissions"

// Outcome is what would become of a call first.
type Outcome string

// The outcomes.
const (
	OutcomeRuns      Outcome = "runs"       // it may start
	OutcomeAsks      Outcome = "asks"       // a person is asked
	OutcomeAsksHooks Outcome = "asks_hooks" // hooks are asked, and a person if the decision or a hook says so
	OutcomeEnds      Outcome = "ends"       // it ends before anything of it starts
)

// Explained is what would happen to a call, and why.
type Explained struct {
	Call    Call // as it would stand; one that ends has its result
	Outcome Outcome
	Kind    permissions.Kind // of its tool; other for one that nobody registered
	Rules   permissions.Explanation
	Parts   []string // of a command
}

// Explain says what Submit would do with a batch if it were sent now and no
// other were open. It goes the way of Submit up to where calls would start;
// s is not changed. A headless budget, which is taken as calls start, and what
// calls of the batch do to those behind them are not foretold.
func Explain(env Env, s State, in Submission) []Explained {
	t, _ := judgeBatch(env, s, in)
	out := make([]Explained, len(t.b.Calls))
	for i := range t.b.Calls {
		t.decideEarly(i)
		out[i] = t.explained(i)
	}
	return out
}

// decideEarly decides a call that the runtime leaves undecided until its turn.
func (t *transition) decideEarly(i int) {
	c := &t.b.Calls[i]
	if c.State != StateQueued || c.Decision != nil {
		return
	}
	if t.decide(i); c.State == StateQueued {
		t.question(i)
	}
}

func (t *transition) explained(i int) Explained {
	c := t.b.Calls[i]
	a := t.analysis(i)
	e := Explained{Call: c, Kind: permissions.KindOther, Rules: t.rules().Explain(a, t.mode()), Parts: a.Parts()}
	if tool := t.env.Tools.Lookup(c.Tool); tool != nil {
		e.Kind = tool.Permission.Kind
	}
	switch c.State {
	case StateDone:
		e.Outcome = OutcomeEnds
	case StateAwaitingHook:
		e.Outcome = OutcomeAsksHooks
	case StateAwaitingApproval:
		e.Outcome = OutcomeAsks
	case StateQueued, StateDispatched, StateClaimed:
		e.Outcome = OutcomeRuns
	}
	return e
}
