package casetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// hostID is the host's name in every case.
const hostID = "case-host"

// ErrStuck says that a batch is open and nothing in it can go on.
var ErrStuck = errors.New("the batch is open and nobody has anything to do")

// play is one batch being played.
type play struct {
	*run
	step   Step
	batch  Batch
	events []Event // of this batch
}

// play submits the batch and serves it until it has ended.
func (p *play) play(ctx context.Context) error {
	body, err := p.body()
	if err != nil {
		return err
	}
	if p.batch, err = p.Host.Submit(ctx, p.session.ID, body); err != nil {
		return err
	}
	if p.style != ByStream {
		if err := p.byDocument(ctx); err != nil {
			return err
		}
	}
	p.batch, p.events, err = p.crew().Finish(ctx, p.batch)
	return err
}

// crew does what the stream asks; when all is done already it only listens.
func (p *play) crew() *Crew {
	c := &Crew{Players: p.Players, Feed: p.feed, listens: true}
	if p.style == ByStream {
		c.listens, c.Answer = false, p.answerTo
		c.Execute = func(d Dispatched) map[string]any { return p.outcome(d.CallID) }
	}
	return c
}

// body is the batch as it is sent in this style.
func (p *play) body() (map[string]json.RawMessage, error) {
	body := map[string]json.RawMessage{}
	if err := json.Unmarshal(p.step.Batch, &body); err != nil {
		return nil, fmt.Errorf("read batch of the case: %w", err)
	}
	if p.style == AsSender {
		body["host_id"] = json.RawMessage(`"` + hostID + `"`)
	}
	return body, nil
}

// outcome is what the host answers to a call.
func (p *play) outcome(id string) object {
	raw, ok := p.step.Host[id]
	if !ok {
		return done(id)
	}
	answer := object{}
	if err := json.Unmarshal(raw, &answer); err != nil { // Load has decoded it
		panic(err)
	}
	return answer
}

// answerTo is the case's answer to a question; one without stays open.
func (p *play) answerTo(a Approval) any {
	raw, ok := p.step.Answers[a.CallID]
	if !ok {
		return nil
	}
	var option string
	if json.Unmarshal(raw, &option) == nil {
		return object{"option_id": option}
	}
	return raw
}

// byDocument looks at the batch and does what can be done, until it has ended.
// Everything that changes it is our own doing, so there is nothing to wait for.
func (p *play) byDocument(ctx context.Context) error {
	for b := p.batch; b.Status == StatusRunning; {
		acted, err := p.serve(ctx, b)
		if err != nil {
			return err
		}
		if !acted {
			return ErrStuck
		}
		if b, err = p.Host.Batch(ctx, p.session.ID, b.ID, ""); err != nil {
			return err
		}
	}
	return nil
}

// serve answers the open questions, the latest first, else reports what is
// dispatched.
func (p *play) serve(ctx context.Context, b Batch) (bool, error) {
	asked, err := p.Person.Approvals(ctx, p.session.ID, "pending")
	if err != nil {
		return false, err
	}
	slices.Reverse(asked)
	c := &Crew{Players: p.Players, Answer: p.answerTo}
	if err := c.answer(ctx, asked); err != nil || len(asked) > 0 {
		return true, err
	}
	results := p.outcomes(b)
	if len(results) == 0 {
		return false, nil
	}
	host := ""
	if p.style == AsSender {
		host = hostID
	}
	_, err = p.Host.Report(ctx, p.session.ID, b.ID, host, results...)
	return true, err
}

// outcomes are the results of everything dispatched, the last first.
func (p *play) outcomes(b Batch) []any {
	var results []any
	for _, c := range slices.Backward(b.Calls) {
		if c.State == StateDispatched || c.State == StateClaimed {
			result := p.outcome(c.ID)
			result["position"] = c.Position
			results = append(results, result)
		}
	}
	return results
}
