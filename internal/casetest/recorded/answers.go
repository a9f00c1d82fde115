package recorded

import (
	"encoding/json"
	"strings"

	"github.com/session-gateway/gateway/providers"
)

// answer is a result as it stands in a request.
type answer struct {
	id     string
	kind   string // the item's type or role
	text   string
	failed bool
	turn   int // the message, content or item that it stands in
}

// answersIn reads the answers out of a request's messages, input or contents.
func answersIn(f providers.Format, items []any) []answer {
	var all []answer
	for turn, item := range items {
		for _, a := range readers[f](item) {
			a.turn = turn
			all = append(all, a)
		}
	}
	return all
}

// renderedItems are the same of a next request.
func renderedItems(raw json.RawMessage) ([]any, error) {
	var doc struct {
		Messages, Input, Contents []any
	}
	err := json.Unmarshal(raw, &doc)
	return append(append(doc.Messages, doc.Input...), doc.Contents...), err
}

var readers = map[providers.Format]func(item any) []answer{
	providers.Anthropic:       inAnthropic,
	providers.OpenAIChat:      inChat,
	providers.OpenAIResponses: inResponses,
	providers.Gemini:          inGemini,
}

func inAnthropic(message any) []answer {
	var all []answer
	for _, block := range list(message, "content") {
		if text(block, "type") != "tool_result" {
			continue
		}
		failed, _ := member(block, "is_error").(bool)
		all = append(all, answer{
			id: text(block, "tool_use_id"), kind: "tool_result", text: content(member(block, "content")), failed: failed,
		})
	}
	return all
}

func inChat(message any) []answer {
	if text(message, "role") != "tool" {
		return nil
	}
	return []answer{{id: text(message, "tool_call_id"), kind: "tool", text: content(member(message, "content"))}}
}

func inResponses(item any) []answer {
	kind := text(item, "type")
	if kind != "function_call_output" && kind != "custom_tool_call_output" {
		return nil
	}
	return []answer{{id: text(item, "call_id"), kind: kind, text: content(member(item, "output"))}}
}

func inGemini(turn any) []answer {
	var all []answer
	for _, part := range list(turn, "parts") {
		response := member(part, "functionResponse")
		if response == nil {
			response = member(part, "function_response")
		}
		if response == nil {
			continue
		}
		body, _ := member(response, "response").(map[string]any)
		_, failed := body["error"]
		all = append(all, answer{
			id: text(response, "id"), kind: "functionResponse " + text(response, "name"), text: said(body), failed: failed,
		})
	}
	return all
}

// said is the text in a response object: its only member's value, whatever
// the client called it, else the whole.
func said(body map[string]any) string {
	if len(body) == 1 {
		for _, v := range body {
			return content(v)
		}
	}
	return content(body)
}

// content is the text of a result: itself, or that of its text parts, or its
// JSON where it has none.
func content(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		if joined, ok := textParts(v); ok {
			return joined
		}
	}
	raw, _ := json.Marshal(v) // it came from JSON
	return string(raw)
}

func textParts(parts []any) (string, bool) {
	var b strings.Builder
	for _, part := range parts {
		t, ok := member(part, "text").(string)
		if !ok {
			return "", false
		}
		b.WriteString(t)
	}
	return b.String(), true
}

func member(v any, key string) any {
	object, _ := v.(map[string]any)
	return object[key]
}

func list(v any, key string) []any {
	l, _ := member(v, key).([]any)
	return l
}

func text(v any, key string) string {
	s, _ := member(v, key).(string)
	return s
}
