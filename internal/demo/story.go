package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/session-gateway/gateway/client"
)

// prompt is what the person wants.
const prompt = "The test of this module fails. Fix it, but show me a plan first."

// told are the events that the story is made of, by prefix.
var told = []string{"message.", "batch.", "approval.requested", "mode.", "model_request.", "turn.completed"}

// story tells what a person sees of a session, and answers for them.
type story struct {
	person  *client.Client
	sid     string
	work    string
	out     io.Writer
	answers answers
	asked   int
	turn    string
	over    bool
	err     error // of the first line that could not be written
}

// blank is a line of spaces only.
var blank = regexp.MustCompile(`(?m)^ +$`)

// line writes a line of the story; more lines of the text are indented below it.
func (s *story) line(who, text string) {
	if s.err == nil {
		text = strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n"+strings.Repeat(" ", 11))
		text = blank.ReplaceAllString(text, "")
		_, s.err = fmt.Fprintf(s.out, "%-9s| %s\n", who, text)
	}
}

// tell plays one turn.
func (s *story) tell(ctx context.Context) error {
	s.line("person", prompt)
	t, err := s.person.StartTurn(ctx, s.sid, client.Text(prompt))
	if err != nil {
		return fmt.Errorf("prompt: %w", err)
	}
	s.turn = t.ID
	for e, err := range s.person.Events(ctx, s.sid, client.StreamOptions{Types: told}) {
		if err != nil {
			return fmt.Errorf("follow the session: %w", err)
		}
		if err := s.hear(ctx, e); err != nil {
			return err
		}
		if s.over {
			break
		}
	}
	return errors.Join(s.err, s.show(ctx))
}

// hear tells one event.
func (s *story) hear(ctx context.Context, e client.StreamEvent) error {
	event, err := e.Event()
	if err != nil {
		return err
	}
	var d struct {
		ID      string
		Text    string
		From    string
		To      string
		By      string
		Verdict string
	}
	if err := json.Unmarshal(event.Data, &d); err != nil {
		return fmt.Errorf("read %s: %w", event.Type, err)
	}
	switch event.Type {
	case client.EventTypeMessageDelta:
		s.line("agent", d.Text)
	case client.EventTypeModeChanged:
		s.line("gateway", fmt.Sprintf("mode %s → %s", d.From, d.To))
	case client.EventTypeModelRequestChecked:
		s.line("gateway", "next model request: "+d.Verdict)
	case client.EventTypeApprovalRequested:
		return s.answer(ctx, d.ID)
	case client.EventTypeBatchCompleted:
		return s.batch(ctx, d.ID)
	case client.EventTypeTurnCompleted:
		s.over = true
	default: // of no interest to the story
	}
	return nil
}

// answer shows a question and answers it.
func (s *story) answer(ctx context.Context, id string) error {
	a, err := s.person.Approval(ctx, id)
	if err != nil {
		return fmt.Errorf("read the question: %w", err)
	}
	text := fmt.Sprintf("asks: %s %s", a.Tool, a.Arguments)
	if a.Plan != nil {
		text = "asks to approve this plan:\n" + a.Plan.Text
	}
	s.line("gateway", text)
	var options []string
	for _, o := range a.Options {
		options = append(options, string(o.ID))
	}
	said, err := s.answers(s.asked, options)
	if err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	s.asked++
	s.line("person", strings.TrimSuffix(said.option+": "+said.feedback, ": "))
	response := client.ApprovalResponse{OptionID: client.ApprovalResponseOptionID(said.option)}
	if said.feedback != "" {
		response.Feedback = &said.feedback
	}
	if _, err := s.person.Respond(ctx, id, response); err != nil {
		return fmt.Errorf("answer: %w", err)
	}
	return nil
}

// shown is how much of an output the story has.
const shown = 240

// volatile is what differs from run to run.
var volatile = regexp.MustCompile(`\d+\.\d+s`)

// batch tells what became of a batch's calls.
func (s *story) batch(ctx context.Context, id string) error {
	b, err := s.person.Batch(ctx, s.sid, id)
	if err != nil {
		return fmt.Errorf("read the batch: %w", err)
	}
	for _, c := range b.Calls {
		why := string(c.Result.Status)
		if c.Result.Reason != nil {
			why += ", " + string(*c.Result.Reason)
		}
		output := volatile.ReplaceAllString(strings.ReplaceAll(c.Result.Output, s.work, "…"), "0.00s")
		if r := []rune(output); len(r) > shown {
			output = string(r[:shown]) + "…"
		}
		s.line("gateway", fmt.Sprintf("%s %s: %s\n%s", c.ID, c.Tool, why, output))
	}
	return nil
}

// show ends the story with what came of it.
func (s *story) show(ctx context.Context) error {
	t, err := s.person.Turn(ctx, s.sid, s.turn)
	if err != nil {
		return fmt.Errorf("read the turn: %w", err)
	}
	s.line("gateway", "the turn ended: "+string(*t.StopReason))
	if *t.StopReason != client.TurnStopReasonEndTurn {
		return fmt.Errorf("the story went another way: %s", *t.StopReason)
	}
	text, err := os.ReadFile(filepath.Join(s.work, "greet.go"))
	if err != nil {
		return fmt.Errorf("read what was edited: %w", err)
	}
	s.line("greet.go", string(text))
	return s.err
}
