package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

func TestAStructuredAnswerTakesPrecedence(t *testing.T) {
	t.Parallel()
	const other = "structured_output_precedence"
	for _, c := range []struct {
		name  string
		calls []scheduler.Input
		want  []string
		value string // of the batch's stop; empty: none
	}{
		{"alone", []scheduler.Input{answer("s", `{"n":1}`)}, []string{"ok"}, `{"n":1}`},
		{"among others", []scheduler.Input{write("w"), answer("s", `{"n":1}`), read("r")}, []string{other, "ok", other}, `{"n":1}`},
		{"an entry", []scheduler.Input{enter("e"), answer("s", `{"n":1}`)}, []string{other, "ok"}, `{"n":1}`},
		{"two", []scheduler.Input{answer("s", `{"n":1}`), answer("t", `{"n":2}`)}, []string{"ok", other}, `{"n":1}`},
		{
			"the first fails",
			[]scheduler.Input{answer("s", `{"bad":1}`), write("w"), answer("t", `{"n":2}`), answer("u", `{"n":3}`)},
			[]string{"invalid_tool_params", other, "ok", other},
			`{"n":2}`,
		},
		{
			"all fail",
			[]scheduler.Input{enter("e"), answer("s", `{"bad":1}`), answer("t", `[]`)},
			[]string{other, "invalid_tool_params", "invalid_tool_params"},
			"",
		},
		{"a duplicate", []scheduler.Input{answer("s", `{"n":1}`), answer("s", `{"n":1}`)}, []string{"ok", "duplicate_call"}, `{"n":1}`},
		{"kept as it came", []scheduler.Input{answer("s", ` {"b":1.50, "a":[]} `)}, []string{"ok"}, ` {"b":1.50, "a":[]} `},
		{
			"cut off",
			[]scheduler.Input{{ID: "s", Name: "structured_output", Arguments: `{"n"`, Fault: scheduler.FaultTruncated}, read("r")},
			[]string{"output_truncated", other},
			"",
		},
	} {
		for _, r := range everyRuntime {
			t.Run(c.name+" in "+string(r), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, in(r), structured, allowAll)
				require.Equal(t, c.want, w.batch(c.calls...))
				require.Empty(t, w.dispatched)
				require.Zero(t, w.state.Session.Used, "an answer costs no budget")
				require.False(t, w.planOn())
				if c.value == "" {
					require.Nil(t, w.state.Batch.Stop)
					return
				}
				require.Equal(t, scheduler.StopStructuredOutput, w.stop())
				require.Equal(t, c.value, string(w.state.Batch.Stop.Value))
			})
		}
	}
}

func TestAFailedAnswerNamesTheViolations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, structured)
	w.batch(answer("s", `{"bad":1}`))
	require.Contains(t, w.result(0).Output, errSchema.Error())
}

func TestAnAnswerEndsAHeadlessRunWithZero(t *testing.T) {
	t.Parallel()
	w := newWorld(t, budget(0), structured)
	w.batch(answer("s", `{}`))
	require.Equal(t, 0, *w.state.Batch.Stop.ExitCode)
}

func TestWithoutASchemaThereIsNoStructuredOutput(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	require.Equal(t, []string{"tool_not_registered", "ok"}, w.batch(answer("s", `{}`), read("r")))
}
