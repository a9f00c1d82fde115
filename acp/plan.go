package acp

import (
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/session-gateway/gateway/client"
)

// onPlan shows the plan's text. When plan mode has been left with the text taken
// out, it was approved: that plan stays in sight.
func (m *Mapping) onPlan(p client.PlanState) []Update {
	if !p.Active && p.Text == "" {
		return nil
	}
	return m.showPlan(p.Text)
}

// showPlan replaces the plan that a client sees.
func (m *Mapping) showPlan(text string) []Update {
	if text == m.plan {
		return nil
	}
	m.plan = text
	return notice(sdk.UpdatePlan(entries(text)...))
}

// entries are a plan's paragraphs. The gateway knows no steps, so all of them
// are pending and of medium priority.
func entries(text string) []sdk.PlanEntry {
	out := []sdk.PlanEntry{}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		if p := strings.TrimSpace(paragraph); p != "" {
			out = append(out, sdk.PlanEntry{
				Content: p, Priority: sdk.PlanEntryPriorityMedium, Status: sdk.PlanEntryStatusPending,
			})
		}
	}
	return out
}
