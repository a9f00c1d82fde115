package providers

import (
	"encoding/json"
	"fmt"

	"github.com/session-gateway/gateway/scheduler"
)

// readLimit bounds the calls read from one message. It is one more than a batch
// may hold: enough for the caller to see that there are too many.
const readLimit = 257

// Envelope is an assistant message and what the host put beside it.
type Envelope struct {
	Message json.RawMessage
	// FinishReason is finish_reason or finishReason beside the message; nil when
	// there was none. One inside the message (stop_reason, status) is read too.
	FinishReason *string
}

// Parsed is what a message asks.
type Parsed struct {
	// Calls are in the message's order: at least one, and no more than one over
	// what a batch may hold.
	Calls      []scheduler.Input
	ResponseID string // the message's own id; empty when it has none
}

// Parse reads the calls out of an assistant message. A call without an id gets
// one from newID, which is called in call order. The error is ErrNoToolCalls,
// ErrFormat or an *InvalidError.
func Parse(f Format, e Envelope, newID func() string) (Parsed, error) {
	w, ok := wires[f]
	if !ok {
		return Parsed{}, fmt.Errorf("parse a message in format %q: %w", f, ErrFormat)
	}
	message, err := newNode(e.Message)
	if err != nil {
		return Parsed{}, err
	}
	top, err := message.fields("id", w.list, w.finishKey)
	if err != nil {
		return Parsed{}, err
	}
	r := reader{newID: newID, finish: w.finishOf(top[w.finishKey], e.FinishReason)}
	if err := r.readAll(top[w.list], w.read); err != nil {
		return Parsed{}, err
	}
	if len(r.calls) == 0 {
		return Parsed{}, ErrNoToolCalls
	}
	return Parsed{Calls: r.calls, ResponseID: top["id"].label()}, nil
}

// finishOf takes the worst of the reasons inside and beside the message.
func (w wire) finishOf(inside node, beside *string) finish {
	reasons := []string{inside.label()}
	if beside != nil {
		reasons = append(reasons, *beside)
	}
	worst := finishNormal
	for _, reason := range reasons {
		worst = max(worst, w.finishes[reason])
	}
	return worst
}
