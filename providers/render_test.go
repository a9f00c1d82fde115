package providers

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

func render(t *testing.T, f Format, u FollowUp) string {
	t.Helper()
	b, err := Render(f, u)
	require.NoError(t, err)
	return string(b)
}

func TestNoticesStandWhereTheProviderTakesText(t *testing.T) {
	t.Parallel()
	u := FollowUp{
		From:    Anthropic,
		Calls:   []RenderCall{{ID: "a", Name: "t", Output: "ok", Success: true}},
		Notices: []string{"One <b>.", " ", "Two."},
	}
	for f, want := range map[Format]string{
		Anthropic:       `{"format":"anthropic","messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"},{"type":"text","text":"One <b>."},{"type":"text","text":"Two."}]}],"notices":["One <b>."," ","Two."]}`,
		OpenAIChat:      `{"format":"openai_chat","messages":[{"role":"tool","tool_call_id":"a","content":"ok"},{"role":"user","content":"One <b>.\n\nTwo."}],"notices":["One <b>."," ","Two."]}`,
		OpenAIResponses: `{"format":"openai_responses","input":[{"type":"function_call_output","call_id":"a","output":"ok"},{"type":"message","role":"user","content":[{"type":"input_text","text":"One <b>."},{"type":"input_text","text":"Two."}]}],"notices":["One <b>."," ","Two."]}`,
		Gemini:          `{"format":"gemini","contents":[{"role":"user","parts":[{"functionResponse":{"id":"a","name":"t","response":{"output":"ok"}}},{"text":"One <b>."},{"text":"Two."}]}],"notices":["One <b>."," ","Two."]}`,
	} {
		require.Equal(t, want, render(t, f, u), "in %s", f)
	}
}

func TestNativeRendersWholeResultsWithTheOutputThatFits(t *testing.T) {
	t.Parallel()
	u := answered(Native, []scheduler.Input{{ID: "a", Name: "t"}, {ID: "a", Name: "t"}})
	u.Calls[0].Output = "shortened"
	var doc struct {
		Format  Format
		Results []map[string]any
		Notices []string
	}
	require.NoError(t, json.Unmarshal([]byte(render(t, Native, u)), &doc))
	require.Equal(t, Native, doc.Format)
	require.Len(t, doc.Results, 2, "both positions of one id")
	require.Equal(t, "shortened", doc.Results[0]["output"])
	require.Equal(t, "not executed: denied", doc.Results[1]["output"])
	require.NotNil(t, doc.Notices)
	require.NotEqual(t, "shortened", u.Calls[0].Result.Output, "the ledger's result stays")
}

func TestAFailureAlwaysSaysSomething(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		call RenderCall
		want string
	}{
		"an output of its own": {RenderCall{Output: "denied"}, "denied"},
		"an error's message":   {RenderCall{Result: scheduler.Result{Error: &scheduler.CallError{Message: "boom"}}}, "boom"},
		"nothing at all":       {RenderCall{Result: scheduler.Result{Error: &scheduler.CallError{}}}, silentFailure},
		"success may be empty": {RenderCall{Success: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, c.call.text())
		})
	}
}

func TestOneAnswerPerIDUnlessGeminiAnswersItself(t *testing.T) {
	t.Parallel()
	twice := []scheduler.Input{{ID: "a", Name: "t"}, {ID: "a", Name: "t"}, {ID: "b", Name: "t"}}
	for _, from := range Formats {
		for _, to := range Formats {
			rendered := []byte(render(t, to, answered(from, twice)))
			require.Empty(t, exchange(from, to, twice).Check(rendered), "%s to %s", from, to)
		}
	}
	var own, foreign struct{ Contents []struct{ Parts []any } }
	require.NoError(t, json.Unmarshal([]byte(render(t, Gemini, answered(Gemini, twice))), &own))
	require.NoError(t, json.Unmarshal([]byte(render(t, Gemini, answered(Anthropic, twice))), &foreign))
	require.Len(t, own.Contents[0].Parts, 3)
	require.Len(t, foreign.Contents[0].Parts, 2)
}

func TestCompletionOrderNeverShows(t *testing.T) {
	t.Parallel()
	u := answered(Gemini, []scheduler.Input{{ID: "a"}, {ID: "b"}, {ID: "c"}})
	reversed := u
	reversed.Calls = slices.Clone(u.Calls)
	slices.Reverse(reversed.Calls)
	for _, f := range Formats {
		require.Equal(t, render(t, f, u), render(t, f, reversed), "in %s", f)
	}
}

func TestAnUnknownFormatIsRefused(t *testing.T) {
	t.Parallel()
	_, err := Render("smoke_signals", FollowUp{})
	require.ErrorIs(t, err, ErrFormat)
	_, err = Advertise("smoke_signals", nil)
	require.ErrorIs(t, err, ErrFormat)
}
