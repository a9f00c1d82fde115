package providers

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

// countedIDs makes ids that a test can foresee.
func countedIDs() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("call_made%d", n)
	}
}

// parse reads a message that must be readable.
func parse(t *testing.T, f Format, message string, reason ...string) []scheduler.Input {
	t.Helper()
	e := Envelope{Message: json.RawMessage(message)}
	if len(reason) > 0 {
		e.FinishReason = &reason[0]
	}
	p, err := Parse(f, e, countedIDs())
	require.NoError(t, err)
	return p.Calls
}

// answered gives each call a result: every second one is denied.
func answered(from Format, calls []scheduler.Input) FollowUp {
	u := FollowUp{From: from}
	for i, c := range calls {
		u.Calls = append(u.Calls, renderCall(i, c))
	}
	return u
}

func renderCall(position int, in scheduler.Input) RenderCall {
	r := scheduler.Result{
		Position: position, CallID: in.ID, Name: in.Name, Tool: in.Name,
		Status: scheduler.StatusSuccess, ExecutionStatus: scheduler.ExecutionSuccess,
		Output:     fmt.Sprintf("result <%d> & \"more\"", position),
		FinishedAt: scheduler.Timestamp{Time: time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC)},
	}
	if position%2 == 1 {
		r.Status, r.ExecutionStatus = scheduler.StatusError, scheduler.ExecutionNotStarted
		r.Output = "not executed: denied"
		r.Error = &scheduler.CallError{Type: scheduler.ErrorExecutionDenied, Message: r.Output}
	}
	return RenderCall{
		Position: position, ID: in.ID, IDAssigned: in.IDAssigned, Name: in.Name, Custom: in.Custom,
		Result: r, Output: r.Output, Success: r.Status == scheduler.StatusSuccess,
	}
}

// exchange is what a rendering of these calls must answer.
func exchange(from, to Format, calls []scheduler.Input) Exchange {
	x := Exchange{From: from, To: to}
	for _, c := range calls {
		asked := Asked{ID: c.ID, Name: c.Name, Custom: c.Custom}
		if c.IDAssigned {
			asked.ID = ""
		}
		x.Calls = append(x.Calls, asked)
	}
	return x
}
