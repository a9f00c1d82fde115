package casetest

import (
	"context"
	"encoding/json"
	"fmt"
)

// Dispatched is a call that is offered to hosts.
type Dispatched struct {
	Position  int             `json:"position"`
	CallID    string          `json:"call_id"`
	Name      string          `json:"name"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	HostID    string          `json:"host_id"`
}

// Crew is a host and a person who do what a session's stream asks of them.
type Crew struct {
	Players
	Feed    *Feed
	Execute func(Dispatched) map[string]any // the result; nil means that every call succeeds
	Answer  func(Approval) any              // the answer's body; none leaves the question open

	listens bool // others execute
}

// Finish serves a batch that was just submitted until it has ended, and gives
// it with its events. Questions that were open from the start are answered
// when all of them were seen, later ones as they come.
func (c *Crew) Finish(ctx context.Context, b Batch) (Batch, []Event, error) {
	questions := b.count(StateAwaitingApproval)
	var asked []Approval
	var events []Event
	for {
		e, err := c.Feed.Next(ctx)
		if err != nil {
			return b, events, err
		}
		if e.BatchID != b.ID {
			continue
		}
		events = append(events, e)
		switch {
		case e.Type == "batch.completed":
			b, err = c.Host.Batch(ctx, b.SessionID, b.ID, "")
			return b, events, err
		case e.Type == "call.dispatched" && !c.listens:
			err = c.execute(ctx, b, e)
		case e.Type == "approval.requested":
			var a Approval
			err = json.Unmarshal(e.Data, &a)
			if asked = append(asked, a); err == nil && len(asked) >= questions {
				err = c.answer(ctx, asked)
				asked, questions = nil, 0
			}
		}
		if err != nil {
			return b, events, fmt.Errorf("on %s: %w", e.Type, err)
		}
	}
}

// execute claims a dispatched call and reports its result. A claim may be
// answered with the call's end: then there is nothing to report.
func (c *Crew) execute(ctx context.Context, b Batch, e Event) error {
	var offered Dispatched
	if err := json.Unmarshal(e.Data, &offered); err != nil {
		return fmt.Errorf("decode: %w", err)
	}
	claims, err := c.Host.Claim(ctx, b.SessionID, b.ID, hostID, offered.Position)
	if err != nil || !claims[0].Granted {
		return err
	}
	result := done(offered.CallID)
	if c.Execute != nil {
		result = c.Execute(offered)
	}
	result["position"] = offered.Position
	_, err = c.Host.Report(ctx, b.SessionID, b.ID, hostID, result)
	return err
}

// done is what a host without other orders answers.
func done(id string) object { return object{"status": "success", "output": "done:" + id} }

func (c *Crew) answer(ctx context.Context, asked []Approval) error {
	if c.Answer == nil {
		return nil
	}
	for _, a := range asked {
		body := c.Answer(a)
		if body == nil {
			continue
		}
		if _, err := c.Person.Respond(ctx, a.ID, body); err != nil {
			return err
		}
	}
	return nil
}

func (b Batch) count(state string) int {
	n := 0
	for _, c := range b.Calls {
		if c.State == state {
			n++
		}
	}
	return n
}
