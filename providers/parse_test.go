package providers

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

func TestAFinishReasonCountsInsideAndBesideTheMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format  Format
		message string
		beside  []string
		fault   scheduler.Fault
	}{
		"anthropic inside":             {Anthropic, `{"stop_reason":"max_tokens","content":[{"type":"tool_use"}]}`, nil, scheduler.FaultTruncated},
		"anthropic context window":     {Anthropic, `{"stop_reason":"model_context_window_exceeded","content":[{"type":"tool_use"}]}`, nil, scheduler.FaultTruncated},
		"the worse one counts":         {Anthropic, `{"stop_reason":"tool_use","content":[{"type":"tool_use"}]}`, []string{"max_tokens"}, scheduler.FaultTruncated},
		"another provider's word":      {Anthropic, `{"content":[{"type":"tool_use"}]}`, []string{"length"}, scheduler.FaultNone},
		"a reason that isn't text":     {Anthropic, `{"stop_reason":7,"content":[{"type":"tool_use"}]}`, nil, scheduler.FaultNone},
		"an empty reason":              {OpenAIChat, call[OpenAIChat](""), []string{""}, scheduler.FaultNone},
		"an unknown reason":            {OpenAIChat, call[OpenAIChat](""), []string{"eos"}, scheduler.FaultNone},
		"responses inside":             {OpenAIResponses, `{"status":"incomplete","output":[{"type":"function_call"}]}`, nil, scheduler.FaultTruncated},
		"the item itself says so":      {OpenAIResponses, `{"output":[{"type":"function_call","status":"incomplete"}]}`, nil, scheduler.FaultTruncated},
		"gemini malformed":             {Gemini, call[Gemini](`{"a":1}`), []string{"MALFORMED_FUNCTION_CALL"}, scheduler.FaultTruncated},
		"gemini unexpected tool call":  {Gemini, call[Gemini](`{"a":1}`), []string{"UNEXPECTED_TOOL_CALL"}, scheduler.FaultNone},
		"gemini too many tool calls":   {Gemini, call[Gemini](``), []string{"TOO_MANY_TOOL_CALLS"}, scheduler.FaultNone},
		"gemini in an anthropic shape": {Gemini, call[Gemini](``), []string{"max_tokens"}, scheduler.FaultNone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.fault, parse(t, c.format, c.message, c.beside...)[0].Fault)
		})
	}
}

func TestChatEntriesGoByTheirType(t *testing.T) {
	t.Parallel()
	const both = `"function":{"name":"f","arguments":"{}"},"custom":{"name":"c","input":"hi"}`
	for name, c := range map[string]struct {
		entry string
		want  scheduler.Input
	}{
		"function":                      {`{"id":"x","type":"function",` + both + `}`, scheduler.Input{ID: "x", Name: "f", Arguments: "{}"}},
		"custom":                        {`{"id":"x","type":"custom",` + both + `}`, scheduler.Input{ID: "x", Name: "c", Arguments: `{"input":"hi"}`, Custom: true}},
		"no type":                       {`{"id":"x",` + both + `}`, scheduler.Input{ID: "x", Name: "f", Arguments: "{}"}},
		"a type of the server's own":    {`{"id":"x","type":"builtin_function",` + both + `}`, scheduler.Input{ID: "x", Name: "f", Arguments: "{}"}},
		"no type and only custom":       {`{"id":"x","function":null,"custom":{"name":"c","input":"hi"}}`, scheduler.Input{ID: "x", Name: "c", Arguments: `{"input":"hi"}`, Custom: true}},
		"custom without input":          {`{"id":"x","type":"custom","custom":{"name":"c"}}`, scheduler.Input{ID: "x", Name: "c", Arguments: `{"input":""}`, Custom: true}},
		"custom input isn't html":       {`{"id":"x","type":"custom","custom":{"name":"c","input":"<&>"}}`, scheduler.Input{ID: "x", Name: "c", Arguments: `{"input":"<&>"}`, Custom: true}},
		"custom input of another type":  {`{"id":"x","type":"custom","custom":{"name":"c","input":[1]}}`, scheduler.Input{ID: "x", Name: "c", Arguments: `[1]`, Custom: true}},
		"custom input that can't be":    {`{"id":"x","type":"custom","custom":{"name":"c","input":"\udc00"}}`, scheduler.Input{ID: "x", Name: "c", Arguments: `"\udc00"`, Custom: true}},
		"no name":                       {`{"id":"x","function":{}}`, scheduler.Input{ID: "x", Arguments: "{}"}},
		"an odd name":                   {`{"id":"x","function":{"name":"a b\n"}}`, scheduler.Input{ID: "x", Name: "a b\n", Arguments: "{}"}},
		"keys differ by case":           {`{"id":"x","ID":"y","function":{"name":"f","Name":"g"}}`, scheduler.Input{ID: "x", Name: "f", Arguments: "{}"}},
		"the last of two equal keys is": {`{"id":"x","id":"y","function":{"name":"f"}}`, scheduler.Input{ID: "y", Name: "f", Arguments: "{}"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []scheduler.Input{c.want}, parse(t, OpenAIChat, `{"tool_calls":[`+c.entry+`]}`))
		})
	}
}

func TestAFreeTextThatEndsACutMessageIsDistrusted(t *testing.T) {
	t.Parallel()
	const custom = `{"type":"custom_tool_call","call_id":"c","name":"patch","input":"+line"}`
	calls := parse(t, OpenAIResponses, `{"status":"incomplete","output":[`+custom+`,`+custom+`]}`)
	require.Equal(t, scheduler.FaultNone, calls[0].Fault)
	require.Equal(t, scheduler.FaultTruncated, calls[1].Fault)
}

func TestMissingIDsAreMadeInCallOrder(t *testing.T) {
	t.Parallel()
	require.Equal(t, []scheduler.Input{
		{ID: "call_made1", IDAssigned: true, Arguments: "{}"},
		{ID: "own", Arguments: "{}"},
		{ID: "call_made2", IDAssigned: true, Arguments: "{}"},
		{ID: "call_made3", IDAssigned: true, Arguments: "{}"},
	}, parse(t, Anthropic, `{"content":[
		{"type":"tool_use","id":""}, {"type":"tool_use","id":"own"}, {"type":"tool_use","id":null}, {"type":"tool_use"}
	]}`))
}

func TestMessagesWithoutCalls(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format  Format
		message string
	}{
		"anthropic text":          {Anthropic, `{"content":[{"type":"text","text":"hi"}]}`},
		"anthropic no content":    {Anthropic, `{"role":"assistant"}`},
		"anthropic server tools":  {Anthropic, `{"content":[{"type":"server_tool_use","id":"s","name":"n","input":{}}]}`},
		"chat no tool_calls":      {OpenAIChat, `{"role":"assistant","content":"hi"}`},
		"chat null tool_calls":    {OpenAIChat, `{"tool_calls":null,"function_call":{"name":"","arguments":""}}`},
		"chat empty tool_calls":   {OpenAIChat, `{"tool_calls":[]}`},
		"responses hosted tools":  {OpenAIResponses, `{"output":[{"type":"web_search_call","id":"w"}]}`},
		"gemini text":             {Gemini, `{"parts":[{"text":"hi"}]}`},
		"gemini no parts at all":  {Gemini, `{"role":"model"}`},
		"keys of the wrong case":  {OpenAIChat, `{"Tool_Calls":[{"function":{"name":"f"}}]}`},
		"gemini null call member": {Gemini, `{"parts":[{"functionCall":null}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(c.format, Envelope{Message: json.RawMessage(c.message)}, countedIDs())
			require.ErrorIs(t, err, ErrNoToolCalls)
		})
	}
}

func TestUnreadableMessagesNameTheField(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format         Format
		message, field string
	}{
		"nothing":                     {Anthropic, ``, ""},
		"not json":                    {Anthropic, `{"content":[`, ""},
		"two documents":               {Anthropic, `{} {}`, ""},
		"too deep":                    {Anthropic, `{"content":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + `}`, ""},
		"not an object":               {OpenAIChat, `[1]`, ""},
		"null":                        {OpenAIChat, `null`, ""},
		"content is no list":          {Anthropic, `{"content":{}}`, "/content"},
		"content is text":             {Anthropic, `{"content":"hi"}`, "/content"},
		"a block is no object":        {Anthropic, `{"content":[{"type":"text"},3]}`, "/content/1"},
		"an id is a number":           {Anthropic, `{"content":[{"type":"tool_use","id":5}]}`, "/content/0/id"},
		"a name is an object":         {Anthropic, `{"content":[{"type":"tool_use","name":{}}]}`, "/content/0/name"},
		"tool_calls is an object":     {OpenAIChat, `{"tool_calls":{}}`, "/tool_calls"},
		"an entry is null":            {OpenAIChat, `{"tool_calls":[null]}`, "/tool_calls/0"},
		"an entry is no call":         {OpenAIChat, `{"tool_calls":[{"id":"x","type":"odd"}]}`, "/tool_calls/0/function"},
		"a function is a string":      {OpenAIChat, `{"tool_calls":[{"function":"f"}]}`, "/tool_calls/0/function"},
		"a custom call without body":  {OpenAIChat, `{"tool_calls":[{"type":"custom"}]}`, "/tool_calls/0/custom"},
		"a name inside the function":  {OpenAIChat, `{"tool_calls":[{"function":{"name":[]}}]}`, "/tool_calls/0/function/name"},
		"output is text":              {OpenAIResponses, `{"output":"hi"}`, "/output"},
		"a call_id is a list":         {OpenAIResponses, `{"output":[{"type":"function_call","call_id":[]}]}`, "/output/0/call_id"},
		"parts is an object":          {Gemini, `{"parts":{}}`, "/parts"},
		"a functionCall is a string":  {Gemini, `{"parts":[{"functionCall":"f"}]}`, "/parts/0/functionCall"},
		"a functionCall's name is it": {Gemini, `{"parts":[{"functionCall":{"name":1}}]}`, "/parts/0/functionCall/name"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse(c.format, Envelope{Message: json.RawMessage(c.message)}, countedIDs())
			var invalid *InvalidError
			require.ErrorAs(t, err, &invalid)
			require.Equal(t, c.field, invalid.Field)
			require.Equal(t, strings.TrimSpace(cmp.Or(c.field, "the message")+" "+invalid.Detail), err.Error())
		})
	}
}

func TestReadingStopsBeyondWhatABatchMayHold(t *testing.T) {
	t.Parallel()
	message := `{"parts":[` + strings.Repeat(`{"functionCall":{"name":"t"}},`, 5000) + `{"text":"end"}]}`
	require.Len(t, parse(t, Gemini, message), 257)
	require.Len(t, ParseNative(make([]NativeCall, 5000), countedIDs()), 257)
}

func TestNativeCallsKeepWhatIsThere(t *testing.T) {
	t.Parallel()
	var calls []NativeCall
	require.NoError(t, json.Unmarshal([]byte(`[
		{"id":"a","name":"t","arguments":{"x" : 1}},
		{"name":"t"},
		{"id":"","name":"t","arguments":null},
		{"id":"d","name":"t","arguments":""}
	]`), &calls))
	require.Equal(t, []scheduler.Input{
		{ID: "a", Name: "t", Arguments: `{"x" : 1}`},
		{ID: "call_made1", IDAssigned: true, Name: "t", Arguments: `{}`},
		{ID: "call_made2", IDAssigned: true, Name: "t", Arguments: `null`},
		{ID: "d", Name: "t", Arguments: `""`},
	}, ParseNative(calls, countedIDs()))
}

func TestMessagesOfUnknownFormatsAreRefused(t *testing.T) {
	t.Parallel()
	for _, f := range []Format{Native, "smoke_signals"} {
		_, err := Parse(f, Envelope{Message: json.RawMessage(`{}`)}, countedIDs())
		require.ErrorIs(t, err, ErrFormat)
	}
}

func TestAResponseIDIsTheMessagesOwn(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"id":"resp_1","output":[{"type":"function_call"}]}`: "resp_1",
		`{"id":7,"output":[{"type":"function_call"}]}`:        "",
		`{"output":[{"type":"function_call"}]}`:               "",
	} {
		p, err := Parse(OpenAIResponses, Envelope{Message: json.RawMessage(message)}, countedIDs())
		require.NoError(t, err)
		require.Equal(t, want, p.ResponseID)
	}
}
