package casetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// caseTimeout ends a case in which something that is awaited never comes.
const caseTimeout = time.Minute

// Style is how the host works.
type Style int

// The styles of hosts. What a case expects is the same for all.
const (
	ByStream   Style = iota // claims what the stream dispatches, reports one by one
	ByDocument              // reports what the batch document shows, last first, without claims
	AsSender                // names itself with the batch, so holds all that is dispatched
)

// String names the style.
func (s Style) String() string {
	return [...]string{"by stream", "by document", "as sender"}[s]
}

// Players are who takes part.
type Players struct {
	Host   *Client // submits, claims and reports
	Person *Client // answers and changes modes, rules and plans
}

// run is one case being played.
type run struct {
	Players
	style     Style
	ancestors []Session
	session   Session
	reminder  string
	feed      *Feed
	findings  []error
}

// Run plays a case and gives everything that was not as it must be.
func Run(ctx context.Context, p Players, c Case, style Style) error {
	ctx, cancel := context.WithTimeout(ctx, caseTimeout)
	defer cancel()
	r := &run{Players: p, style: style}
	if err := r.begin(ctx, c); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	defer r.feed.Close()
	for i, step := range c.Steps {
		if err := r.step(ctx, step); err != nil {
			return errors.Join(append(r.findings, fmt.Errorf("step %d: %w", i, err))...)
		}
	}
	if err := r.checkLog(ctx); err != nil {
		r.findings = append(r.findings, err)
	}
	return errors.Join(r.findings...)
}

// begin makes the sessions and opens the stream.
func (r *run) begin(ctx context.Context, c Case) error {
	parent := ""
	for _, spec := range c.Ancestors {
		s, err := r.create(ctx, spec, parent)
		if err != nil {
			return err
		}
		parent = s.ID
		r.ancestors = append(r.ancestors, s)
	}
	var err error
	if r.session, err = r.create(ctx, c.Session, parent); err != nil {
		return err
	}
	plan, err := r.Host.Plan(ctx, r.session.ID)
	if err != nil {
		return err
	}
	r.reminder = plan.Reminder
	r.feed, err = r.Host.Follow(ctx, r.session.ID, Chain{})
	return err
}

func (r *run) create(ctx context.Context, spec json.RawMessage, parent string) (Session, error) {
	body := map[string]json.RawMessage{}
	if err := json.Unmarshal(spec, &body); err != nil {
		return Session{}, fmt.Errorf("read session of the case: %w", err)
	}
	if parent != "" {
		body["parent_session_id"], _ = json.Marshal(parent) // a string always marshals
	}
	return r.Person.CreateSession(ctx, body)
}

// step plays one batch and compares.
func (r *run) step(ctx context.Context, s Step) error {
	for _, act := range s.First {
		if err := r.act(ctx, act); err != nil {
			return err
		}
	}
	p := &play{run: r, step: s}
	if err := p.play(ctx); err != nil {
		return err
	}
	r.find(p.compare())
	r.find(p.checkEvents())
	if err := p.checkNextRequests(ctx); err != nil {
		return err
	}
	return p.compareSession(ctx)
}

func (r *run) act(ctx context.Context, a Act) error {
	sid := r.session.ID
	if a.Ancestor != nil {
		sid = r.ancestors[*a.Ancestor].ID
	}
	call := Call{Method: a.Method, Path: sessionPath(sid)}
	if a.Path != "" {
		call.Path += "/" + a.Path
	}
	if a.Body != nil {
		call.Body = a.Body
	}
	return r.Person.Send(ctx, call, nil)
}

// find keeps what is wrong.
func (r *run) find(errs []error) { r.findings = append(r.findings, errs...) }

// checkLog holds the live stream against the log: a second reader from the
// beginning gets the same events, and the session names the last of them.
func (r *run) checkLog(ctx context.Context) error {
	s, err := r.Host.Session(ctx, r.session.ID)
	if err != nil {
		return err
	}
	for r.feed.Place().ID() != s.LastEventID {
		if _, err := r.feed.Next(ctx); err != nil {
			return err
		}
	}
	again, err := r.Host.Follow(ctx, r.session.ID, Chain{})
	if err != nil {
		return err
	}
	defer again.Close()
	log, err := again.Until(ctx, func(e Event) bool { return e.ID == s.LastEventID })
	if err != nil {
		return err
	}
	return SameEvents(log, r.feed.Events())
}

// SameEvents tells where two readers' lists of events part.
func SameEvents(want, got []Event) error {
	if len(want) != len(got) {
		return fmt.Errorf("one reader had %d events, the other %d", len(want), len(got))
	}
	for i := range want {
		if want[i].ID != got[i].ID || string(want[i].JSON) != string(got[i].JSON) {
			return fmt.Errorf("event %d: one reader had %s %s, the other %s %s", i, want[i].ID, want[i].JSON, got[i].ID, got[i].JSON)
		}
	}
	return nil
}
