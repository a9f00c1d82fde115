package providers

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/session-gateway/gateway/scheduler"
)

// FollowUp is a finished batch as the model's next request must answer it.
type FollowUp struct {
	From    Format // the format in which the batch came in
	Calls   []RenderCall
	Notices []string // what the model is told once besides the results
}

// RenderCall is a call and its result.
type RenderCall struct {
	Position   int
	ID         string
	IDAssigned bool   // the gateway made the id
	Name       string // as the model wrote it
	Custom     bool   // it was a custom (free text) tool call
	Result     scheduler.Result
	Output     string // what the model reads: the result's output or what stands for it
	Success    bool
}

// Render writes the part of the next request that answers a batch, with the
// notices. It holds only what follows the assistant message. The same follow-up
// gives the same bytes. The error is ErrFormat, or that of a result that can't
// be encoded.
func Render(f Format, u FollowUp) ([]byte, error) {
	calls := slices.SortedStableFunc(slices.Values(u.Calls), byPosition)
	a := answers{calls: calls, told: told{Notices: append([]string{}, u.Notices...)}}
	if f == Native {
		return encode(renderNative(a))
	}
	w, ok := wires[f]
	if !ok {
		return nil, fmt.Errorf("render a batch in format %q: %w", f, ErrFormat)
	}
	if w.needsIDs {
		a.AssignedIDs = assignedIDs(calls)
	}
	a.calls = answeredCalls(f, u)
	return encode(w.followUp(a))
}

func byPosition(a, b RenderCall) int { return cmp.Compare(a.Position, b.Position) }

// answeredCalls are the calls that a format's follow-up answers, in order.
func answeredCalls(f Format, u FollowUp) []RenderCall {
	calls := slices.SortedStableFunc(slices.Values(u.Calls), byPosition)
	if f == Native || f == Gemini && u.From == Gemini {
		return calls
	}
	return firstOfEachID(calls)
}

// answers is what a provider's rendering is made from.
type answers struct {
	calls []RenderCall // in call order, those only that the provider wants answered
	told
}

// told is the part that all renderings share.
type told struct {
	Notices     []string     `json:"notices"`
	AssignedIDs []assignedID `json:"assigned_ids,omitempty"`
}

// assignedID tells the host which id to put into its copy of the message.
type assignedID struct {
	Position int    `json:"position"`
	ID       string `json:"id"`
}

// spoken gives the notices that can be put where the provider takes text; a
// blank text is refused.
func (t told) spoken() []string {
	var spoken []string
	for _, n := range t.Notices {
		if strings.TrimSpace(n) != "" {
			spoken = append(spoken, n)
		}
	}
	return spoken
}

func assignedIDs(calls []RenderCall) []assignedID {
	var ids []assignedID
	for _, c := range calls {
		if c.IDAssigned {
			ids = append(ids, assignedID{Position: c.Position, ID: c.ID})
		}
	}
	return ids
}

// firstOfEachID leaves out later calls with an id that came before: a provider
// refuses two answers to one id. The ledger still has them all.
func firstOfEachID(calls []RenderCall) []RenderCall {
	seen := make(map[string]bool, len(calls))
	return slices.DeleteFunc(slices.Clone(calls), func(c RenderCall) bool {
		again := seen[c.ID]
		seen[c.ID] = true
		return again
	})
}

// silentFailure stands for the output of a call that failed without a word: an
// error must say something, or the provider refuses it.
const silentFailure = "The call did not succeed and left no message."

// text is what the model reads as the call's result.
func (c RenderCall) text() string {
	if c.Success || strings.TrimSpace(c.Output) != "" {
		return c.Output
	}
	if e := c.Result.Error; e != nil && strings.TrimSpace(e.Message) != "" {
		return e.Message
	}
	return silentFailure
}
