package validate

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/providers"
)

// formats are those that every batch is rendered in.
var formats = []client.Format{client.Native, client.Anthropic, client.OpenaiChat, client.OpenaiResponses, client.Gemini}

// renderings judges the next request to a batch in every format.
func (r *run) renderings(ctx context.Context, sid string, b client.Batch) (found []Violation, err error) {
	for _, f := range formats {
		next, err := r.key.NextRequest(ctx, sid, b.ID, f)
		if err != nil {
			return found, fmt.Errorf("read the next request in %s: %w", f, err)
		}
		text, err := json.Marshal(next)
		if err != nil {
			return found, fmt.Errorf("read the next request in %s: %w", f, err)
		}
		found = append(found, r.rendering(sid, b, f, text)...)
	}
	return found, nil
}

// rendering judges one: its shape by the provider's rules, its texts by the
// ledger.
func (r *run) rendering(sid string, b client.Batch, f client.Format, text []byte) (found []Violation) {
	note := func(code, callID, detail string) {
		found = append(found, Violation{
			Code: Code(RenderingPrefix + code), Party: Gateway, Session: sid, BatchID: b.ID, CallID: callID,
			Detail: fmt.Sprintf("%s: %s", f, detail),
		})
	}
	exchange := providers.Exchange{From: providers.Format(b.Format), To: providers.Format(f), Calls: asked(b)}
	for _, v := range exchange.Check(text) {
		if v.Code != providers.ViolationKind { // a batch doesn't say which calls were custom ones
			note(string(v.Code), v.CallID, v.Detail)
		}
	}
	told := textsIn(text)
	for _, c := range b.Calls {
		switch {
		case c.Result == nil:
		case gaveReminder(c.Result) && !strings.Contains(told, r.reminder):
			note("reminder_incomplete", c.ID, "the reminder is not there as a whole")
		case denied(c.Result) && !strings.Contains(told, c.Result.Output):
			note("denial_missing", c.ID, "the text of its result is not there as a whole")
		}
	}
	return found
}

// asked are the calls of a batch as its model made them.
func asked(b client.Batch) []providers.Asked {
	calls := make([]providers.Asked, len(b.Calls))
	for i, c := range b.Calls {
		calls[i] = providers.Asked{ID: c.ID, Name: c.Name}
		if c.IDAssigned {
			calls[i].ID = ""
		}
	}
	return calls
}

// gaveReminder says whether a result has to be the reminder.
func gaveReminder(r *client.Result) bool {
	return r.Tool == entryTool && r.Status == client.ResultStatusSuccess && r.Reason == nil
}

// denied says whether the model has to be told that a call was not run. A
// duplicate is told of by the call that it repeats.
func denied(r *client.Result) bool {
	duplicate := r.Reason != nil && *r.Reason == client.ReasonDuplicateCall
	return r.Status == client.ResultStatusError && r.ExecutionStatus == client.ResultExecutionStatusNotStarted && !duplicate
}

// textsIn is every text of a JSON document, one after the other.
func textsIn(doc []byte) string {
	var all strings.Builder
	tokens := json.NewDecoder(strings.NewReader(string(doc)))
	for {
		token, err := tokens.Token()
		if err != nil { // its end; that it is JSON was checked by who made it
			return all.String()
		}
		if text, ok := token.(string); ok {
			all.WriteString(text)
			all.WriteByte('\n')
		}
	}
}

// differing are results that the stream told otherwise than the batch has them.
func (h *history) differing(seen *batch, b client.Batch) (found []Violation) {
	for i, c := range b.Calls {
		if i >= len(seen.calls) || len(seen.calls[i].results) == 0 || c.Result == nil {
			continue
		}
		told := seen.calls[i].results[0]
		whole := told.OutputPreview == nil || !*told.OutputPreview
		if told.Status != c.Result.Status || told.ExecutionStatus != c.Result.ExecutionStatus || told.CallID != c.Result.CallID ||
			seen.calls[i].reason() != reasonOf(c.Result) || whole && told.Output != c.Result.Output {
			found = append(found, h.breach(CodeResultDiffers, seen, seen.calls[i], "the stream says %s, the batch %s", told.Status, c.Result.Status))
		}
	}
	return found
}

// reasonOf is why a call ended; empty for a plain success.
func reasonOf(r *client.Result) client.Reason {
	if r == nil || r.Reason == nil {
		return ""
	}
	return *r.Reason
}
