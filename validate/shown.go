package validate

import (
	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// shown is what a client of the Agent Client Protocol was told of a call.
type shown struct {
	calls int // so often it was introduced
	ends  int // terminal updates
	after int // updates behind the first of them
	as    sdk.ToolCallStatus
}

// show notes what such a client is told. Only calls are of interest here.
func (h *history) show(u acp.Update) {
	if _, ok := u.(acp.CaughtUp); ok {
		h.caughtUp = true
	}
	notice, ok := u.(acp.Notice)
	if !ok {
		return
	}
	if c := notice.ToolCall; c != nil {
		h.of(c.ToolCallId).calls++
	}
	c := notice.ToolCallUpdate
	if c == nil {
		return
	}
	s := h.of(c.ToolCallId)
	if s.ends > 0 {
		s.after++
	}
	if c.Status != nil && (*c.Status == sdk.ToolCallStatusCompleted || *c.Status == sdk.ToolCallStatusFailed) {
		s.ends++
		s.as = *c.Status
	}
}

func (h *history) of(id sdk.ToolCallId) *shown {
	if h.shown[id] == nil {
		h.shown[id] = &shown{}
	}
	return h.shown[id]
}

// toldAll says whether a client was told of the end of every call of a batch.
func (h *history) toldAll(b *batch) bool {
	for _, c := range b.calls {
		if h.of(acp.ToolCallID(b.id, c.position)).ends == 0 {
			return false
		}
	}
	return true
}

// shownOnce wants every call introduced once and ended once, as the ledger has it.
func shownOnce(h *history, b *batch, _ limits) (found []Violation) {
	for _, c := range b.calls {
		s := h.of(acp.ToolCallID(b.id, c.position))
		if s.calls != 1 {
			found = append(found, h.breach(CodeACPCallMissing, b, c, "introduced %d times", s.calls))
		}
		if len(c.results) == 0 {
			continue
		}
		success := c.results[0].Status == client.ResultStatusSuccess
		switch {
		case s.ends == 0:
			found = append(found, h.breach(CodeACPResultMissing, b, c, "no terminal update"))
		case s.after > 0:
			found = append(found, h.breach(CodeACPResultRepeated, b, c, "%d updates after the terminal one", s.after))
		case success != (s.as == sdk.ToolCallStatusCompleted):
			found = append(found, h.breach(CodeACPResultDiffers, b, c, "shown as %s, the result is %s", s.as, c.results[0].Status))
		}
	}
	return found
}
