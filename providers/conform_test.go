package providers

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// questionsAsked has, in each format, calls a, b and c; the third is a custom
// one where there are such.
var questionsAsked = map[Format]string{
	Native:          `{"calls":[{"id":"a","name":"t"},{"id":"b","name":"t"},{"name":"u"}]}`,
	Anthropic:       `{"content":[{"type":"tool_use","id":"a","name":"t"},{"type":"text","text":"x"},{"type":"tool_use","id":"b","name":"t"},{"type":"tool_use","name":"u"}]}`,
	OpenAIChat:      `{"tool_calls":[{"id":"a","type":"function","function":{"name":"t"}},{"id":"b","function":{"name":"t"}},{"id":"","type":"custom","custom":{"name":"u"}}]}`,
	OpenAIResponses: `{"output":[{"type":"reasoning"},{"type":"function_call","call_id":"a","name":"t"},{"type":"function_call","call_id":"b","name":"t"},{"type":"custom_tool_call","name":"u"}]}`,
	Gemini:          `{"parts":[{"functionCall":{"id":"a","name":"t"}},{"text":"x"},{"function_call":{"id":"b","name":"t"}},{"functionCall":{"name":"u"}}]}`,
}

const assigned = `,"assigned_ids":[{"position":2,"id":"made"}]`

func TestTheCheckerTellsWhatAProviderRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format   Format
		rendered string
		want     []ViolationCode
	}{
		"native good":              {Native, `{"results":[{"call_id":"a","name":"t"},{"call_id":"b","name":"t"},{"call_id":"made","name":"u"}]}`, nil},
		"native one less":          {Native, `{"results":[{"call_id":"a","name":"t"},{"call_id":"b","name":"t"}]}`, []ViolationCode{ViolationMissing}},
		"native another's name":    {Native, `{"results":[{"call_id":"a","name":"t"},{"call_id":"b","name":"u"},{"call_id":"made","name":"u"}]}`, []ViolationCode{ViolationOrder}},
		"anthropic good":           {Anthropic, anthropicTurn(`user`, tr("a"), tr("b"), tr("made"), `{"type":"text","text":"n"}`), nil},
		"anthropic swapped":        {Anthropic, anthropicTurn(`user`, tr("b"), tr("a"), tr("made")), []ViolationCode{ViolationOrder}},
		"anthropic missing":        {Anthropic, anthropicTurn(`user`, tr("a"), tr("made")), []ViolationCode{ViolationMissing}},
		"anthropic unknown":        {Anthropic, anthropicTurn(`user`, tr("a"), tr("b"), tr("z"), tr("made")), []ViolationCode{ViolationUnknown}},
		"anthropic twice":          {Anthropic, anthropicTurn(`user`, tr("a"), tr("b"), tr("b"), tr("made")), []ViolationCode{ViolationDuplicate}},
		"anthropic text before":    {Anthropic, anthropicTurn(`user`, `{"type":"text","text":"n"}`, tr("a"), tr("b"), tr("made")), []ViolationCode{ViolationMisplaced, ViolationMisplaced, ViolationMisplaced}},
		"anthropic other role":     {Anthropic, anthropicTurn(`assistant`, tr("a"), tr("b"), tr("made")), []ViolationCode{ViolationMisplaced}},
		"anthropic blank text":     {Anthropic, anthropicTurn(`user`, tr("a"), tr("b"), tr("made"), `{"type":"text","text":" "}`), []ViolationCode{ViolationMalformed}},
		"anthropic mute error":     {Anthropic, anthropicTurn(`user`, tr("a"), tr("b"), `{"type":"tool_result","tool_use_id":"made","content":"","is_error":true}`), []ViolationCode{ViolationMalformed}},
		"anthropic unassigned id":  {Anthropic, `{"messages":[{"role":"user","content":[` + tr("a") + `,` + tr("b") + `]}]}`, []ViolationCode{ViolationMissing}},
		"chat good":                {OpenAIChat, `{"messages":[` + tm("a") + `,` + tm("b") + `,` + tm("made") + `,{"role":"user","content":"n"}]` + assigned + `}`, nil},
		"chat role in between":     {OpenAIChat, `{"messages":[` + tm("a") + `,{"role":"user","content":"n"},` + tm("b") + `,` + tm("made") + `]` + assigned + `}`, []ViolationCode{ViolationMisplaced, ViolationMisplaced}},
		"chat content no text":     {OpenAIChat, `{"messages":[` + tm("a") + `,` + tm("b") + `,{"role":"tool","tool_call_id":"made"}]` + assigned + `}`, []ViolationCode{ViolationMalformed}},
		"responses good":           {OpenAIResponses, `{"input":[` + fo("a") + `,` + fo("b") + `,{"type":"custom_tool_call_output","call_id":"made","output":""}]` + assigned + `}`, nil},
		"responses of other kind":  {OpenAIResponses, `{"input":[` + fo("a") + `,` + fo("b") + `,` + fo("made") + `]` + assigned + `}`, []ViolationCode{ViolationKind}},
		"responses item id":        {OpenAIResponses, `{"input":[` + fo("fc_1") + `,` + fo("b") + `,{"type":"custom_tool_call_output","call_id":"made","output":""}]` + assigned + `}`, []ViolationCode{ViolationUnknown, ViolationMissing}},
		"gemini good":              {Gemini, geminiTurn(fr("a", "t"), fr("b", "t"), `{"functionResponse":{"name":"u","response":{}}}`, `{"text":"n"}`), nil},
		"gemini with our own id":   {Gemini, geminiTurn(fr("a", "t"), fr("b", "t"), fr("made", "u")), []ViolationCode{ViolationOrder}},
		"gemini one more":          {Gemini, geminiTurn(fr("a", "t"), fr("b", "t"), `{"functionResponse":{"name":"u","response":{}}}`, fr("d", "t")), []ViolationCode{ViolationUnknown}},
		"gemini text in between":   {Gemini, geminiTurn(fr("a", "t"), `{"text":"n"}`, fr("b", "t"), `{"functionResponse":{"name":"u","response":{}}}`), []ViolationCode{ViolationMisplaced, ViolationMisplaced}},
		"gemini response is text":  {Gemini, geminiTurn(fr("a", "t"), fr("b", "t"), `{"functionResponse":{"name":"u","response":"x"}}`), []ViolationCode{ViolationMalformed}},
		"not json":                 {Gemini, `{`, []ViolationCode{ViolationMalformed}},
		"nothing of what it wants": {OpenAIChat, `[]`, []ViolationCode{ViolationMissing, ViolationMissing, ViolationMissing}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []ViolationCode
			for _, v := range Conforms(c.format, json.RawMessage(questionsAsked[c.format]), []byte(c.rendered)) {
				require.NotEmpty(t, v.Detail)
				got = append(got, v.Code)
			}
			require.Equal(t, c.want, got)
		})
	}
}

func TestTheCheckerRefusesWhatItCannotJudge(t *testing.T) {
	t.Parallel()
	require.Equal(t, ViolationMalformed, Conforms(Anthropic, json.RawMessage(`{`), []byte(`{}`))[0].Code)
	require.Equal(t, ViolationMalformed, Conforms("smoke_signals", json.RawMessage(`{}`), []byte(`{}`))[0].Code)
	require.Equal(t, ViolationMalformed, Exchange{To: "smoke_signals"}.Check([]byte(`{}`))[0].Code)
}

func anthropicTurn(role string, blocks ...string) string {
	return `{"messages":[{"role":"` + role + `","content":[` + joined(blocks) + `]}]` + assigned + `}`
}

func geminiTurn(parts ...string) string {
	return `{"contents":[{"role":"user","parts":[` + joined(parts) + `]}]}`
}

func tr(id string) string {
	return `{"type":"tool_result","tool_use_id":"` + id + `","content":"r"}`
}

func tm(id string) string { return `{"role":"tool","tool_call_id":"` + id + `","content":"r"}` }

func fo(id string) string {
	return `{"type":"function_call_output","call_id":"` + id + `","output":"r"}`
}

func fr(id, name string) string {
	return `{"functionResponse":{"id":"` + id + `","name":"` + name + `","response":{"output":"r"}}}`
}
