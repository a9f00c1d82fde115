package providers

import "encoding/json"

// readResponses reads an output item. The key of a call is call_id; id only
// names the item. Calls of hosted tools were answered by the provider itself.
func readResponses(item node) (draft, bool, error) {
	m, err := item.fields("type", "call_id", "name", "arguments", "input", "status")
	if err != nil {
		return draft{}, false, err
	}
	d := draft{id: m["call_id"], name: m["name"], cut: m["status"].label() == "incomplete"}
	switch m["type"].label() {
	case "function_call":
		d.args = textArguments(m["arguments"])
	case "custom_tool_call":
		d.custom = true
		d.args, err = customArguments(m["input"])
	default:
		return draft{}, false, nil
	}
	return d, true, err
}

type responsesFollowUp struct {
	Format Format `json:"format"`
	Input  []any  `json:"input"`
	told
}

type responsesOutput struct {
	Type   string `json:"type"`
	CallID string `json:"call_id"`
	Output string `json:"output"`
}

type responsesMessage struct {
	Type    string      `json:"type"`
	Role    string      `json:"role"`
	Content []textBlock `json:"content"`
}

// renderResponses writes an output item for each call, of the call's own kind,
// and the notices as one input message.
func renderResponses(a answers) any {
	var input []any
	for _, c := range a.calls {
		input = append(input, responsesOutput{Type: c.outputType(), CallID: c.ID, Output: c.text()})
	}
	var notices []textBlock
	for _, notice := range a.spoken() {
		notices = append(notices, textBlock{Type: "input_text", Text: notice})
	}
	if len(notices) > 0 {
		input = append(input, responsesMessage{Type: "message", Role: "user", Content: notices})
	}
	return responsesFollowUp{Format: OpenAIResponses, Input: input, told: a.told}
}

func (c RenderCall) outputType() string {
	if c.Custom {
		return "custom_tool_call_output"
	}
	return "function_call_output"
}

type responsesTool struct {
	Type        string          `json:"type"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

func declareResponses(tools []declaration) any {
	declared := make([]responsesTool, 0, len(tools))
	for _, t := range tools {
		declared = append(declared, responsesTool{"function", t.name, t.description, t.schemaOrAny()})
	}
	return declared
}
