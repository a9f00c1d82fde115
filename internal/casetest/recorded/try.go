package recorded

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/providers"
)

// tryTimeout is for one record; a gateway that needs longer is stuck.
const tryTimeout = time.Minute

// wholeOutput is more than any recorded output, so that none is cut.
const wholeOutput = 4 << 20

// Outcome is what became of a record.
type Outcome struct {
	Name     string
	Format   providers.Format
	Calls    int
	Executed int   // calls that reached the host
	Compared int   // answers that were held against accepted ones
	Err      error // everything that is wrong; nil is good
}

// Try sends a record as a batch in a session of its own, and judges what comes
// out.
func Try(ctx context.Context, p casetest.Players, r Record) Outcome {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	format, asked, err := r.Asked()
	t := &attempt{Players: p, record: r, asked: asked, format: format}
	t.then = match(asked, answersIn(format, r.ThenAccepted))
	if err == nil {
		err = t.run(ctx)
	}
	return Outcome{
		Name: r.Name, Format: format, Calls: len(asked), Executed: t.executed, Compared: t.compared, Err: err,
	}
}

// attempt is one record on its way.
type attempt struct {
	casetest.Players
	record   Record
	format   providers.Format
	asked    []providers.Asked
	then     map[int]answer
	executed int
	compared int
}

func (t *attempt) run(ctx context.Context) error {
	session, err := t.Host.CreateSession(ctx, map[string]any{
		"approval_mode": "yolo", // nobody is asked
		"loop":          map[string]any{"identical_calls": 0, "calls_per_turn": 0},
		"limits":        map[string]any{"tool_output_chars": wholeOutput, "batch_output_chars": wholeOutput},
		"tools":         Tools(t.asked),
	})
	if err != nil {
		return err
	}
	feed, err := t.Host.Follow(ctx, session.ID, casetest.Chain{})
	if err != nil {
		return err
	}
	defer feed.Close()
	batch, err := t.Host.Submit(ctx, session.ID, t.record.Batch)
	if err != nil {
		return err
	}
	crew := &casetest.Crew{Players: t.Players, Feed: feed, Execute: t.execute}
	batch, events, err := crew.Finish(ctx, batch)
	if err != nil {
		return err
	}
	return errors.Join(casetest.CheckResults(batch, events), t.checkNext(ctx, batch))
}

// execute answers a call as it was answered then.
func (t *attempt) execute(d casetest.Dispatched) map[string]any {
	t.executed++
	then, ok := t.then[d.Position]
	switch {
	case !ok:
		return map[string]any{"status": "success", "output": "done"}
	case then.failed:
		return map[string]any{"status": "error", "output": "", "error": map[string]any{"message": then.text}}
	}
	return map[string]any{"status": "success", "output": then.text}
}

// checkNext judges the next request: every format's by its provider's rules,
// the message's own also by what was accepted then.
func (t *attempt) checkNext(ctx context.Context, b casetest.Batch) error {
	var errs []error
	for _, to := range providers.Formats {
		raw, err := t.Host.NextRequest(ctx, b.SessionID, b.ID, string(to))
		if err != nil {
			return err
		}
		errs = append(errs, casetest.CheckRendering(providers.Exchange{From: t.format, To: to, Calls: t.asked}, b, raw)...)
		if to != t.format {
			continue
		}
		items, err := renderedItems(raw)
		if err != nil {
			return fmt.Errorf("read next request: %w", err)
		}
		errs = append(errs, t.compareWith(b, answersIn(to, items)))
	}
	return errors.Join(errs...)
}

// compareWith holds our answers against the accepted ones. Where an id is
// there twice only its first position is answered.
func (t *attempt) compareWith(b casetest.Batch, ours []answer) error {
	if len(ours) != len(b.Calls) {
		return nil // the provider's rules have said what there is to say
	}
	ran := map[int]answer{}
	for i, a := range t.then {
		if b.Calls[i].Result.ExecutionStatus != "not_started" {
			ran[i] = a
		}
	}
	t.compared = len(ran)
	return compare(ours, ran)
}
