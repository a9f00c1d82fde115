package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// explain is what would become of calls.
func (a *actor) explain(sid string, calls ...scheduler.Input) sessions.Explanation {
	a.t.Helper()
	reply, err := a.Explain(a.t.Context(), a.caller, sessions.Idempotency{}, sid, batch(calls...))
	require.NoError(a.t, err)
	return reply.Value
}

func TestExplainingSaysWhatSubmittingDoes(t *testing.T) {
	t.Parallel()
	calls := []scheduler.Input{
		call("r", "read_file", `{"file_path": "a"}`), call("s", "read_file", `{"file_path": "secret"}`),
		call("w", "WriteFile", `{"file_path": "a"}`), call("w", "write_file", `{"file_path": "b"}`),
		call("x", "run_shell_command", `{"command": "ls; cat secret > out"}`), call("u", "nobody_knows", `{}`),
		call("b", "read_file", `[1]`), call("e", "exit_plan_mode", `{}`),
	}
	for _, runtime := range []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeACP, scheduler.RuntimeHeadless} {
		t.Run(string(runtime), func(t *testing.T) {
			t.Parallel()
			a := embedded(t)
			s := a.create(func(s *sessions.Spec) {
				s.Runtime, s.Rules = &runtime, &permissions.Rules{Deny: []string{"read(secret)"}}
			})
			foretold := a.explain(s.ID, calls...)
			require.Equal(t, foretold, a.explain(s.ID, calls...), "it leaves nothing behind")
			b := a.send(s.ID, calls...)
			for i, c := range b.Calls {
				e := foretold.Calls[i]
				if c.Result != nil {
					require.Equal(t, scheduler.OutcomeEnds, e.Outcome, c.ID)
					require.Equal(t, c.Result.Reason, e.Reason, c.ID)
					require.Equal(t, c.Result.Output, *e.Message)
					require.Equal(t, c.Result.DuplicateOf, e.DuplicateOf)
				}
				if c.State == scheduler.StateAwaitingApproval {
					require.Equal(t, scheduler.OutcomeAsks, e.Outcome, c.ID)
				}
				if c.Decision != nil {
					require.Equal(t, c.Decision, e.Decision)
				}
				require.Equal(t, c.Tool, e.Tool)
			}
		})
	}
}

func TestExplainingNamesTheBoundary(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(nil)
	e := a.explain(s.ID, call("w", "write_file", `{"file_path": "a"}`), call("e", "enter_plan_mode", `{}`))
	require.Equal(t, scheduler.ReasonPlanBoundary, *e.Calls[0].Reason)
	require.Nil(t, e.Calls[0].Decision, "rules are not reached")
	require.NotEmpty(t, e.Calls[0].Subjects, "and shown all the same")
	require.Equal(t, scheduler.OutcomeRuns, e.Calls[1].Outcome)
	require.Equal(t, permissions.ModeDefault, a.session(s.ID).ApprovalMode)
}

func TestExplainingChangesNothing(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(nil)
	before := a.session(s.ID)
	told := a.since(s.ID, func() {
		for range 6 { // were they counted, they would be a loop
			e := a.explain(s.ID, call("w", "write_file", `{"file_path": "a"}`))
			require.Equal(t, scheduler.OutcomeAsks, e.Calls[0].Outcome)
		}
	})
	require.Empty(t, told)
	require.Equal(t, before, a.session(s.ID))
	inbox, err := a.Approvals(t.Context(), a.caller, sessions.ApprovalFilter{})
	require.NoError(t, err)
	require.Empty(t, inbox.Data)
}

func TestExplainingSeesDuplicatesGrantsAndTheOpenBatch(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(nil)
	write := call("toolu_w1", "write_file", `{"file_path": "a"}`)
	b := a.send(s.ID, write)
	require.Equal(t, scheduler.OutcomeAsks, a.explain(s.ID, write).Calls[0].Outcome, "an open batch is not in the way")
	a.choose(a.question(b, 0), "allow_session")
	a.succeed(b, 0, "done")
	e := a.explain(s.ID, write)
	require.Equal(t, scheduler.ReasonDuplicateCall, *e.Calls[0].Reason)
	require.Equal(t, b.ID, *e.Calls[0].DuplicateOfBatch)
	other := a.explain(s.ID, call("toolu_w2", "write_file", `{"file_path": "a"}`)).Calls[0]
	require.Equal(t, scheduler.OutcomeRuns, other.Outcome)
	require.Equal(t, permissions.SourceGrant, other.Decision.Source)
}

func TestExplainingRefusesWhatABatchRefuses(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(nil)
	_, err := a.Explain(t.Context(), a.caller, sessions.Idempotency{}, s.ID, batch())
	require.Equal(t, sessions.CodeNoToolCalls, problem(t, err).Code)
	_, err = a.Explain(t.Context(), caller(), sessions.Idempotency{}, s.ID, batch(call("a", "read_file", `{}`)))
	require.Equal(t, sessions.CodeNotFound, problem(t, err).Code)
	require.NoError(t, a.Close(t.Context(), a.caller, s.ID))
	_, err = a.Explain(t.Context(), a.caller, sessions.Idempotency{}, s.ID, batch(call("a", "read_file", `{}`)))
	require.Equal(t, sessions.CodeSessionClosed, problem(t, err).Code)
}
