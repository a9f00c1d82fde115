package providers

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
)

// call writes a message with one call whose arguments are the given JSON value,
// or absent when it is empty.
var call = map[Format]func(arguments string) string{
	Anthropic: func(a string) string {
		return `{"content":[{"type":"tool_use","id":"x","name":"t"` + memberText("input", a) + `}]}`
	},
	OpenAIChat: func(a string) string {
		return `{"tool_calls":[{"id":"x","type":"function","function":{"name":"t"` + memberText("arguments", a) + `}}]}`
	},
	OpenAIResponses: func(a string) string {
		return `{"output":[{"type":"function_call","call_id":"x","name":"t"` + memberText("arguments", a) + `}]}`
	},
	Gemini: func(a string) string {
		return `{"parts":[{"functionCall":{"id":"x","name":"t"` + memberText("args", a) + `}}]}`
	},
}

func memberText(key, value string) string {
	if value == "" {
		return ""
	}
	return `,"` + key + `":` + value
}

// cut is each provider's word for output that its limit cut.
var cut = map[Format]string{
	Anthropic: "max_tokens", OpenAIChat: "length", OpenAIResponses: "incomplete", Gemini: "MAX_TOKENS",
}

func TestArgumentsOnANormalFinish(t *testing.T) {
	t.Parallel()
	texts, objects := []Format{OpenAIChat, OpenAIResponses}, []Format{Anthropic, Gemini}
	for name, c := range map[string]struct {
		formats []Format
		value   string
		want    string
	}{
		"absent":                         {append(texts, objects...), "", `{}`},
		"an empty string":                {append(texts, objects...), `""`, `{}`},
		"null where it may be left out":  {[]Format{OpenAIChat, OpenAIResponses, Gemini}, `null`, `{}`},
		"null where it may not":          {[]Format{Anthropic}, `null`, `null`},
		"an object keeps its bytes":      {objects, `{ "b":1.0,"a" : [ ],"é":"\u00e9\/" }`, `{ "b":1.0,"a" : [ ],"é":"\u00e9\/" }`},
		"doubled keys are not judged":    {objects, `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		"text keeps its bytes":           {texts, `"{ \"b\":1.0 ,\"n\":12345678901234567890}\n"`, "{ \"b\":1.0 ,\"n\":12345678901234567890}\n"},
		"escapes in text stay escapes":   {texts, `"{\"a\":\"\\u003c\\ud800\"}"`, `{"a":"\u003c\ud800"}`},
		"broken text is kept":            {texts, `"{\"a\":"`, `{"a":`},
		"blank text is kept":             {texts, `"  "`, `  `},
		"an array keeps its text":        {append(texts, objects...), `[1, 2]`, `[1, 2]`},
		"a number keeps its text":        {append(texts, objects...), `1e3`, `1e3`},
		"a string for an object is kept": {objects, `"{\"a\":1}"`, `"{\"a\":1}"`},
		"an object for text is kept":     {texts, `{"a": 1}`, `{"a": 1}`},
		"a lone surrogate isn't repaired": {
			texts, `"{\"a\":\"\ud83d\"}"`, `"{\"a\":\"\ud83d\"}"`,
		},
		"a surrogate pair is one character": {texts, `"{\"a\":\"\ud83d\ude00\"}"`, `{"a":"😀"}`},
		"invalid utf-8 isn't repaired":      {texts, "\"{\\\"a\\\":\\\"\xff\\\"}\"", "\"{\\\"a\\\":\\\"\xff\\\"}\""},
	} {
		for _, f := range c.formats {
			t.Run(name+" in "+string(f), func(t *testing.T) {
				t.Parallel()
				require.Equal(t, []scheduler.Input{{ID: "x", Name: "t", Arguments: c.want}}, parse(t, f, call[f](c.value)))
			})
		}
	}
}

func TestArgumentsOfACutMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		formats []Format
		value   string
		fault   scheduler.Fault
	}{
		"absent":                {[]Format{Anthropic, OpenAIChat, OpenAIResponses, Gemini}, "", scheduler.FaultTruncated},
		"an empty string":       {[]Format{Anthropic, OpenAIChat, OpenAIResponses, Gemini}, `""`, scheduler.FaultTruncated},
		"broken text":           {[]Format{Anthropic, OpenAIChat, OpenAIResponses, Gemini}, `"{\"a\":"`, scheduler.FaultTruncated},
		"cut inside a pair":     {[]Format{OpenAIChat, OpenAIResponses}, `"{\"a\":\"\ud83d"`, scheduler.FaultTruncated},
		"a whole object":        {[]Format{Anthropic, Gemini}, `{"a":1}`, scheduler.FaultNone},
		"whole text":            {[]Format{OpenAIChat, OpenAIResponses}, `"{\"a\":1}"`, scheduler.FaultNone},
		"whole of another type": {[]Format{Anthropic, OpenAIChat, OpenAIResponses, Gemini}, `[1]`, scheduler.FaultNone},
	} {
		for _, f := range c.formats {
			t.Run(name+" in "+string(f), func(t *testing.T) {
				t.Parallel()
				require.Equal(t, c.fault, parse(t, f, call[f](c.value), cut[f])[0].Fault)
			})
		}
	}
}
