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
	if p.style == ByStream {
		err = p.byStream(ctx)
	} else {
		err = p.byDocument(ctx)
	}
	if err != nil {
		return err
	}
	p.batch, err = p.Host.Batch(ctx, p.session.ID, p.batch.ID, "")
	return err
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

// byStream does what events ask for, as they come.
func (p *play) byStream(ctx context.Context) error {
	questions := 0 // that are open from the start, and answered once all were seen
	if p.session.Runtime != "acp" {
		questions = p.count(StateAwaitingApproval)
	}
	var asked []Approval
	for {
		e, err := p.nextEvent(ctx)
		if err != nil {
			return err
		}
		switch e.Type {
		case "call.dispatched":
			err = p.execute(ctx, e)
		case "approval.requested":
			var a Approval
			err = json.Unmarshal(e.Data, &a)
			if asked = append(asked, a); err == nil && len(asked) >= questions {
				err = p.answer(ctx, asked)
				asked, questions = nil, 0
			}
		case "batch.completed":
			return nil
		}
		if err != nil {
			return fmt.Errorf("on %s: %w", e.Type, err)
		}
	}
}

// nextEvent is the next event of this batch.
func (p *play) nextEvent(ctx context.Context) (Event, error) {
	for {
		e, err := p.feed.Next(ctx)
		if err != nil {
			return Event{}, err
		}
		p.log = append(p.log, e)
		if e.BatchID == p.batch.ID {
			p.events = append(p.events, e)
			return e, nil
		}
	}
}

// execute claims a dispatched call and reports its result. The claim may be
// answered with the call's end: then there is nothing to report.
func (p *play) execute(ctx context.Context, e Event) error {
	var offered struct {
		Position int    `json:"position"`
		CallID   string `json:"call_id"`
	}
	if err := json.Unmarshal(e.Data, &offered); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	claims, err := p.Host.Claim(ctx, p.session.ID, p.batch.ID, hostID, offered.Position)
	if err != nil || !claims[0].Granted {
		return err
	}
	_, err = p.Host.Report(ctx, p.session.ID, p.batch.ID, hostID, p.outcome(offered.Position, offered.CallID))
	return err
}

// outcome is what the host answers to a call.
func (p *play) outcome(position int, id string) object {
	answer := object{"status": "success", "output": "done:" + id}
	if raw, ok := p.step.Host[id]; ok {
		answer = object{}
		if err := json.Unmarshal(raw, &answer); err != nil { // Load has decoded it
			panic(err)
		}
	}
	answer["position"] = position
	return answer
}

// answer gives the case's answers. A question without one stays open.
func (p *play) answer(ctx context.Context, asked []Approval) error {
	for _, a := range asked {
		raw, ok := p.step.Answers[a.CallID]
		if !ok {
			continue
		}
		var option string
		body := raw
		if json.Unmarshal(raw, &option) == nil {
			body, _ = json.Marshal(object{"option_id": option}) // a string always marshals
		}
		if _, err := p.Person.Respond(ctx, a.ID, body); err != nil {
			return err
		}
	}
	return nil
}

// byDocument looks at the batch and does what can be done, until it has ended.
// Everything that changes it is our own doing, so there is nothing to wait for.
func (p *play) byDocument(ctx context.Context) error {
	for p.batch.Status == StatusRunning {
		acted, err := p.serve(ctx)
		if err != nil {
			return err
		}
		if !acted {
			return ErrStuck
		}
		if p.batch, err = p.Host.Batch(ctx, p.session.ID, p.batch.ID, ""); err != nil {
			return err
		}
	}
	for {
		if e, err := p.nextEvent(ctx); err != nil || e.Type == "batch.completed" {
			return err
		}
	}
}

// serve answers the open questions, else reports what is dispatched.
func (p *play) serve(ctx context.Context) (bool, error) {
	asked, err := p.Person.Approvals(ctx, p.session.ID, "pending")
	if err != nil {
		return false, err
	}
	slices.Reverse(asked)
	if err := p.answer(ctx, asked); err != nil || len(asked) > 0 {
		return true, err
	}
	var results []any
	for _, c := range slices.Backward(p.batch.Calls) {
		if c.State == StateDispatched || c.State == StateClaimed {
			results = append(results, p.outcome(c.Position, c.ID))
		}
	}
	if len(results) == 0 {
		return false, nil
	}
	host := ""
	if p.style == AsSender {
		host = hostID
	}
	_, err = p.Host.Report(ctx, p.session.ID, p.batch.ID, host, results...)
	return true, err
}

func (p *play) count(state string) int {
	n := 0
	for _, c := range p.batch.Calls {
		if c.State == state {
			n++
		}
	}
	return n
}
