package sessions

import (
	"context"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// Explanation says what would become of calls, and why.
type Explanation struct {
	Mode         permissions.Mode `json:"mode"` // in effect: the strictest of the session's and its ancestors'
	ModeRevision int64            `json:"mode_revision"`
	Calls        []ExplainedCall  `json:"calls"`
}

// ExplainedCall is what would become of one call.
type ExplainedCall struct {
	Position         int                 `json:"position"`
	ID               string              `json:"id"`
	Name             string              `json:"name"`
	Tool             string              `json:"tool"`
	Kind             permissions.Kind    `json:"kind"`
	Outcome          scheduler.Outcome   `json:"outcome"`
	Reason           *scheduler.Reason   `json:"reason"`  // of a call that ends
	Message          *string             `json:"message"` // what the model would be told of it
	DuplicateOf      *int                `json:"duplicate_of"`
	DuplicateOfBatch *string             `json:"duplicate_of_batch"`
	Decision         *scheduler.Decision `json:"decision"` // null where the call ends before rules
	Parts            []string            `json:"parts"`
	Subjects         []ExplainedSubject  `json:"subjects"`
	SubjectsOmitted  int                 `json:"subjects_omitted"`
}

// ExplainedSubject is one thing that rules look at, and what they say of it.
type ExplainedSubject struct {
	Type     permissions.FindingType `json:"type"`
	Text     string                  `json:"text"`
	As       string                  `json:"as"`
	Views    []string                `json:"views"`
	Clarity  permissions.Clarity     `json:"clarity"`
	Guards   bool                    `json:"guards"`
	Decision *scheduler.Decision     `json:"decision"`
}

// Explain says what Submit would do with the calls if no batch were open. It
// changes nothing and asks nobody.
func (s *Service) Explain(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, in Submission) (Reply[Explanation], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Explanation]{}, err
	}
	if p := in.check(); p != nil {
		return Reply[Explanation]{}, p
	}
	return run(ctx, s, command[Explanation]{
		caller: c, topic: t, idem: idem, status: httpOK, recall: in.ids(),
		decide: func(*change) error { return nil },
		answer: func(ch *change) Explanation { return ch.explain(in) },
	})
}

func (c *change) explain(in Submission) Explanation {
	d := c.doc
	revision := d.state.Session.ModeRevision
	out := Explanation{Mode: d.effectiveMode(), ModeRevision: revision, Calls: make([]ExplainedCall, len(in.Calls))}
	explained := scheduler.Explain(d.env(c), d.state, scheduler.Submission{
		TurnID: or(in.TurnID, ""), HostID: or(in.HostID, ""), ResponseID: or(in.ResponseID, ""), Format: in.Format, Calls: in.Calls,
	})
	for i, e := range explained {
		out.Calls[i] = explainedCall(i, e, revision)
	}
	return out
}

func explainedCall(position int, e scheduler.Explained, revision int64) ExplainedCall {
	out := ExplainedCall{
		Position: position, ID: e.Call.ID, Name: e.Call.Name, Tool: e.Call.Tool, Kind: e.Kind, Outcome: e.Outcome,
		Decision: e.Call.Decision, Parts: listOrEmpty(e.Parts), SubjectsOmitted: e.Rules.Omitted,
		Subjects: make([]ExplainedSubject, len(e.Rules.Findings)),
	}
	if r := e.Call.Result; r != nil {
		out.Reason, out.Message = r.Reason, &r.Output
		out.DuplicateOf, out.DuplicateOfBatch = r.DuplicateOf, r.DuplicateOfBatch
	}
	for i, f := range e.Rules.Findings {
		out.Subjects[i] = ExplainedSubject{
			Type: f.Type, Text: f.Text, As: f.As, Views: listOrEmpty(f.Views), Clarity: f.Clarity, Guards: f.Guards,
			Decision: explainedDecision(f.Decision, revision),
		}
	}
	return out
}

func explainedDecision(d *permissions.Decision, revision int64) *scheduler.Decision {
	if d == nil {
		return nil
	}
	out := &scheduler.Decision{Effect: d.Effect, Tier: d.Tier, Source: d.Source, ModeRevision: revision}
	if d.Pattern != "" {
		out.Pattern = &d.Pattern
	}
	return out
}
