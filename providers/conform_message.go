package providers

import (
	"encoding/json"
	"fmt"
)

// AskedIn lists the calls that a message asks, for checking answers to it.
func AskedIn(f Format, message json.RawMessage) ([]Asked, error) {
	var doc any
	if err := json.Unmarshal(message, &doc); err != nil {
		return nil, fmt.Errorf("read the calls of a message: %w", err)
	}
	q, ok := questions[f]
	if !ok {
		return nil, fmt.Errorf("read the calls of a message in format %q: %w", f, ErrFormat)
	}
	var calls []Asked
	for _, element := range listOf(doc, q.list) {
		if call, ok := q.call(element); ok {
			calls = append(calls, call)
		}
	}
	return calls, nil
}

// question is where a format's calls stand and what one looks like.
type question struct {
	list string
	call func(any) (Asked, bool)
}

var questions = map[Format]question{
	Native:          {"calls", askedNative},
	Anthropic:       {"content", askedAnthropic},
	OpenAIChat:      {"tool_calls", askedChat},
	OpenAIResponses: {"output", askedResponses},
	Gemini:          {"parts", askedGemini},
}

func askedNative(call any) (Asked, bool) {
	return Asked{ID: stringOf(call, "id"), Name: stringOf(call, "name")}, true
}

func askedAnthropic(block any) (Asked, bool) {
	asked := Asked{ID: stringOf(block, "id"), Name: stringOf(block, "name")}
	return asked, stringOf(block, "type") == "tool_use"
}

func askedChat(entry any) (Asked, bool) {
	asked := Asked{ID: stringOf(entry, "id"), Custom: stringOf(entry, "type") == "custom"}
	body := member(entry, "function")
	if asked.Custom || body == nil {
		asked.Custom, body = true, member(entry, "custom")
	}
	asked.Name = stringOf(body, "name")
	return asked, true
}

func askedResponses(item any) (Asked, bool) {
	kind := stringOf(item, "type")
	asked := Asked{
		ID: stringOf(item, "call_id"), Name: stringOf(item, "name"), Custom: kind == "custom_tool_call",
	}
	return asked, asked.Custom || kind == "function_call"
}

func askedGemini(part any) (Asked, bool) {
	call := member(part, "functionCall")
	if call == nil {
		call = member(part, "function_call")
	}
	return Asked{ID: stringOf(call, "id"), Name: stringOf(call, "name")}, call != nil
}

// member, listOf and stringOf read decoded JSON; what isn't there, or is of
// another type, is empty.
func member(v any, key string) any {
	object, _ := v.(map[string]any)
	return object[key]
}

func listOf(v any, key string) []any {
	list, _ := member(v, key).([]any)
	return list
}

func stringOf(v any, key string) string {
	s, _ := member(v, key).(string)
	return s
}
