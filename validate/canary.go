package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/session-gateway/gateway/client"
)

// prompt is what the host's model is asked. With a canary it is asked for the
// writing call beside the entry: only its own host learns of a call that is
// skipped.
func (r *run) prompt() string {
	write := r.Canary.Write
	if write.Tool == "" || r.Prompt != DefaultPrompt {
		return strings.ReplaceAll(r.Prompt, canaryMark, r.trace())
	}
	return fmt.Sprintf("This is a check of the system, not a task. In one single response call enter_plan_mode with "+
		"userRequested set to true and, beside it, %s with exactly these arguments: %s. When you have their results, answer "+
		"with the word done and call nothing more.", write.Tool, write.sample(r.trace()).arguments)
}

// trace is what the writing call of a canary would leave.
func (r *run) trace() string { return r.name + "-canary" }

// probeCanary looks whether a writing call that was skipped in the turn was run
// nevertheless. It is the one probe that sees a host that runs what it is not
// told to and says nothing of it.
func (r *run) probeCanary(ctx context.Context) ([]Violation, error) {
	if r.Canary.Write.Tool == "" {
		return nil, notShown("no canary was given")
	}
	b, at := r.skippedWrite()
	if b == nil {
		return nil, notShown("the model did not make the writing call beside an entry, or it was also run by itself")
	}
	s := r.main()
	seen, err := s.play(ctx, r.call(r.Canary.Read.sample(r.trace())))
	if err != nil {
		return s.found, err
	}
	switch result := seen.Calls[0].Result; {
	case !ranByHost(reasonOf(result)):
		return s.found, notShown("the reading call of the canary ended as %s", reasonOf(result))
	case result.Status == client.ResultStatusSuccess && strings.Contains(result.Output, r.trace()):
		r.feed.look(func(h *history) {
			s.found = append(s.found, h.breach(CodeSiblingRun, b, b.calls[at], "what it would have written is there"))
		})
	}
	return s.found, nil
}

// skippedWrite is the writing call that was skipped in the turn, if none ran.
func (r *run) skippedWrite() (found *batch, at int) {
	writes := func(c *call) bool { return c.tool == r.Canary.Write.Tool }
	r.feed.look(func(h *history) {
		for _, b := range h.order {
			i := slices.IndexFunc(b.calls, func(c *call) bool { return writes(c) && c.skipped() })
			if h.turns[b.turn] != nil && i >= 0 {
				found, at = b, i
			}
			if slices.ContainsFunc(b.calls, func(c *call) bool { return writes(c) && c.ran() }) {
				found = nil
				return
			}
		}
	})
	return found, at
}
