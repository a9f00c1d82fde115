package providers

import "strings"

// findings is what a rendering holds and what is wrong with where it stands.
type findings struct {
	answers    []answer
	violations []Violation
}

func (f *findings) note(code ViolationCode, id, detail string) {
	f.violations = append(f.violations, violation(code, id, detail))
}

// places reads the answers out of each format's rendering.
var places = map[Format]func(doc any) findings{
	Native:          answersInNative,
	Anthropic:       answersInAnthropic,
	OpenAIChat:      answersInChat,
	OpenAIResponses: answersInResponses,
	Gemini:          answersInGemini,
}

func answersInNative(doc any) findings {
	var f findings
	for _, r := range listOf(doc, "results") {
		asked := Asked{ID: stringOf(r, "call_id"), Name: stringOf(r, "name")}
		f.answers = append(f.answers, answer{
			Asked: asked, madeID: true, said: saidIn(member(r, "output")), failed: stringOf(r, "status") != "success",
		})
	}
	return f
}

// onlyUserTurn gives the parts of the one user turn that a follow-up must be.
func (f *findings) onlyUserTurn(turns []any, parts string) []any {
	if len(turns) != 1 || stringOf(turns[0], "role") != "user" {
		f.note(ViolationMisplaced, "", "the follow-up must be one turn of the user")
	}
	var all []any
	for _, turn := range turns {
		all = append(all, listOf(turn, parts)...)
	}
	return all
}

func answersInAnthropic(doc any) findings {
	var f findings
	others := 0
	for _, block := range f.onlyUserTurn(listOf(doc, "messages"), "content") {
		if stringOf(block, "type") != "tool_result" {
			others++
			f.wantText(block, "text")
			continue
		}
		id := stringOf(block, "tool_use_id")
		f.wantFirst(others, id)
		f.wantErrorText(block, id)
		f.answers = append(f.answers, answer{
			Asked: Asked{ID: id}, anyKind: true, said: saidIn(member(block, "content")), failed: member(block, "is_error") == true,
		})
	}
	return f
}

func answersInChat(doc any) findings {
	var f findings
	others := 0
	for _, message := range listOf(doc, "messages") {
		if stringOf(message, "role") != "tool" {
			others++
			f.wantText(message, "content")
			continue
		}
		id := stringOf(message, "tool_call_id")
		f.wantFirst(others, id)
		f.wantContent(message, "content", id)
		f.answers = append(f.answers, answer{Asked: Asked{ID: id}, anyKind: true, said: saidIn(member(message, "content"))})
	}
	return f
}

func answersInResponses(doc any) findings {
	var f findings
	for _, item := range listOf(doc, "input") {
		kind := stringOf(item, "type")
		if kind != "function_call_output" && kind != "custom_tool_call_output" {
			continue
		}
		id := stringOf(item, "call_id")
		f.wantContent(item, "output", id)
		f.answers = append(f.answers, answer{
			Asked: Asked{ID: id, Custom: kind == "custom_tool_call_output"}, said: saidIn(member(item, "output")),
		})
	}
	return f
}

func answersInGemini(doc any) findings {
	var f findings
	others := 0
	for _, part := range f.onlyUserTurn(listOf(doc, "contents"), "parts") {
		r := member(part, "functionResponse")
		if r == nil {
			others++
			f.wantText(part, "text")
			continue
		}
		id := stringOf(r, "id")
		f.wantFirst(others, id)
		if _, isObject := member(r, "response").(map[string]any); !isObject {
			f.note(ViolationMalformed, id, "a response must be an object")
		}
		f.answers = append(f.answers, answer{
			Asked: Asked{ID: id, Name: stringOf(r, "name")}, said: asJSON(member(r, "response")),
		})
	}
	return f
}

func (f *findings) wantFirst(others int, id string) {
	if others > 0 {
		f.note(ViolationMisplaced, id, "results come before anything else")
	}
}

// wantText refuses a text that is there and blank.
func (f *findings) wantText(v any, key string) {
	if text, isText := member(v, key).(string); isText && strings.TrimSpace(text) == "" {
		f.note(ViolationMalformed, "", "a text must not be blank")
	}
}

// wantContent refuses a result that is neither text nor a list of parts.
func (f *findings) wantContent(v any, key, id string) {
	switch member(v, key).(type) {
	case string, []any:
	default:
		f.note(ViolationMalformed, id, "a result must be text or a list of parts")
	}
}

// wantErrorText holds an error to saying something, as the provider does.
func (f *findings) wantErrorText(block any, id string) {
	failed, _ := member(block, "is_error").(bool)
	if content := member(block, "content"); failed && (content == nil || content == "") {
		f.note(ViolationMalformed, id, "an error must have content")
	}
}
