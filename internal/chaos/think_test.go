package chaos

import (
	"fmt"

	"github.com/session-gateway/gateway/internal/casetest"
)

// callInput is a call as it is sent.
type callInput struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// intent is what a batch does to the session's mode.
type intent interface {
	// outcome is what the answer to the batch says came of it.
	outcome(b casetest.Batch) any
}

// think makes up the next batch.
func (m *model) think() ([]callInput, intent) {
	switch m.chance.IntN(10) {
	case 0:
		return m.enter()
	case 1, 2:
		return []callInput{m.call("exit_plan_mode", 0, map[string]any{"plan": fmt.Sprintf("Plan %d", m.batch)})}, exitPlan{}
	case 3:
		return m.duplicates(), nil
	default:
		return m.work(1 + m.chance.IntN(maxCalls)), nil
	}
}

// enter asks for plan mode, alone or with siblings, which it must hold back.
func (m *model) enter() ([]callInput, intent) {
	at := m.chance.IntN(3)
	calls := append(m.work(at), m.call("enter_plan_mode", at, map[string]any{}))
	return calls, enterPlan{at}
}

// duplicates has one call twice, and one that an earlier batch had.
func (m *model) duplicates() []callInput {
	calls := m.work(2)
	calls = append(calls, calls[0])
	if m.again.ID != "" {
		calls = append(calls, m.again)
	}
	m.again = calls[1]
	return calls
}

// work is calls that are allowed, and calls that a person is asked about.
func (m *model) work(n int) []callInput {
	calls := make([]callInput, 0, n)
	for i := range n {
		subject := fmt.Sprintf("b%d-c%d", m.batch, i)
		kinds := []struct {
			tool      string
			arguments map[string]any
		}{
			{"read_file", map[string]any{"file_path": "/src/" + subject}},
			{"read_file", map[string]any{"file_path": "/docs/" + subject}},
			{"grep_search", map[string]any{"pattern": subject}},
			{"write_file", map[string]any{"file_path": "/src/" + subject, "content": "x"}},
			{"run_shell_command", map[string]any{"command": "make " + subject}},
		}
		k := kinds[m.chance.IntN(len(kinds))]
		calls = append(calls, m.call(k.tool, i, k.arguments))
	}
	return calls
}

// call has an id that no other call has and that is no mere counter.
func (m *model) call(tool string, at int, arguments map[string]any) callInput {
	return callInput{ID: fmt.Sprintf("call-%d-%d-%d", m.index, m.batch, at), Name: tool, Arguments: arguments}
}
