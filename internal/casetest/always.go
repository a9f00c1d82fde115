package casetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/session-gateway/gateway/providers"
)

// checkEvents is what always holds of a batch's events.
func (p *play) checkEvents() []error {
	errs := []error{CheckResults(p.batch, p.events)}
	last := p.events[len(p.events)-1]
	if last.Type != "batch.completed" {
		errs = append(errs, fmt.Errorf("the batch's last event is %s", last.Type))
	}
	if p.events[0].Type != "batch.started" {
		errs = append(errs, fmt.Errorf("the batch's first event is %s", p.events[0].Type))
	}
	return errs
}

// CheckResults says whether a batch that has ended and its events tell the
// same: one call.result per position with the very result of the document, one
// batch.completed behind them all.
func CheckResults(b Batch, events []Event) error {
	var errs []error
	seen := make([]int, len(b.Calls))
	completed := 0
	for _, e := range events {
		switch {
		case e.BatchID != b.ID:
		case e.Type == "batch.completed":
			completed++
		case e.Type == "call.result":
			errs = append(errs, b.checkResult(e, seen))
			if completed > 0 {
				errs = append(errs, errors.New("a call.result follows batch.completed"))
			}
		}
	}
	for i, n := range seen {
		if n != 1 {
			errs = append(errs, fmt.Errorf("position %d has %d call.result events", i, n))
		}
	}
	if completed != 1 {
		errs = append(errs, fmt.Errorf("there are %d batch.completed events", completed))
	}
	return errors.Join(errs...)
}

func (b Batch) checkResult(e Event, seen []int) error {
	var r Result
	if err := json.Unmarshal(e.Data, &r); err != nil {
		return fmt.Errorf("decode call.result: %w", err)
	}
	if r.Position < 0 || r.Position >= len(b.Calls) {
		return fmt.Errorf("a call.result is for position %d of %d", r.Position, len(b.Calls))
	}
	seen[r.Position]++
	c := b.Calls[r.Position]
	switch {
	case c.State != StateDone || c.Result == nil:
		return fmt.Errorf("position %d has no result in the document", r.Position)
	case c.ID != r.CallID:
		return fmt.Errorf("the call.result of position %d is for %q, not %q", r.Position, r.CallID, c.ID)
	case !r.OutputPreview && !sameJSON(r.Raw, c.Result.Raw):
		return fmt.Errorf("position %d: the event says %s, the document %s", r.Position, r.Raw, c.Result.Raw)
	}
	return nil
}

// checkNextRequests renders the batch for every provider.
func (p *play) checkNextRequests(ctx context.Context) error {
	asked, from, err := askedBy(p.step.Batch)
	if err != nil {
		return err
	}
	for _, to := range providers.Formats {
		rendered, err := p.Host.NextRequest(ctx, p.session.ID, p.batch.ID, string(to))
		if err != nil {
			return err
		}
		p.find(CheckRendering(providers.Exchange{From: from, To: to, Calls: asked}, p.batch, rendered))
		if to == from {
			err = p.checkAgain(ctx, rendered)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkAgain renders the batch in its own format again: the same bytes.
func (p *play) checkAgain(ctx context.Context, rendered json.RawMessage) error {
	again, err := p.Host.NextRequest(ctx, p.session.ID, p.batch.ID, "")
	if err == nil && !bytes.Equal(rendered, again) {
		p.find([]error{fmt.Errorf("two renderings differ: %s and %s", rendered, again)})
	}
	return err
}

// askedBy is what the body of a batch asks, in which format.
func askedBy(body json.RawMessage) ([]providers.Asked, providers.Format, error) {
	from, message := providers.Native, body
	if format := member(body, "format"); string(format) != "null" {
		if err := json.Unmarshal(format, &from); err != nil {
			return nil, "", fmt.Errorf("read format: %w", err)
		}
		message = member(body, "message")
	}
	asked, err := providers.AskedIn(from, message)
	return asked, from, err
}

// CheckRendering holds a next request to the provider's rules, and to the
// batch: it says everything that the results say.
func CheckRendering(x providers.Exchange, b Batch, rendered []byte) []error {
	var errs []error
	for _, v := range x.Check(rendered) {
		errs = append(errs, fmt.Errorf("%s: %s of %q: %s in %s", x.To, v.Code, v.CallID, v.Detail, rendered))
	}
	texts := TextsIn(rendered)
	seen := map[string]bool{}
	for _, c := range b.Calls {
		if c.Result == nil || seen[c.ID] {
			continue
		}
		seen[c.ID] = true
		if !contains(texts, c.said()) {
			errs = append(errs, fmt.Errorf("%s: what %s answered is missing: %q", x.To, c.ID, c.said()))
		}
	}
	return errs
}

// said is what the model is told about a call.
func (c CallView) said() string {
	if c.Rendered != nil {
		return c.Rendered.Output
	}
	return c.Result.Output
}

func contains(texts []string, part string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, part) })
}

// TextsIn are all strings of a JSON document.
func TextsIn(raw []byte) []string {
	var doc any
	if json.Unmarshal(raw, &doc) != nil {
		return nil
	}
	var texts []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, v)
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	walk(doc)
	return texts
}
