package providers

import "encoding/json"

// readAnthropic reads a content block. A server_tool_use was answered by the
// provider itself. The input is required there, so a null one is a value like
// any other and not an absent one.
func readAnthropic(block node) (draft, bool, error) {
	m, err := block.fields("type", "id", "name", "input")
	if err != nil || m["type"].label() != "tool_use" {
		return draft{}, false, err
	}
	return draft{id: m["id"], name: m["name"], args: objectArguments(m["input"])}, true, nil
}

type anthropicFollowUp struct {
	Format   Format             `json:"format"`
	Messages []anthropicMessage `json:"messages"`
	told
}

type anthropicMessage struct {
	Role    string `json:"role"`
	Content []any  `json:"content"`
}

type anthropicResult struct {
	Type      string `json:"type"`
	ToolUseID string `json:"tool_use_id"`
	Content   string `json:"content"`
	IsError   bool   `json:"is_error,omitempty"`
}

type textBlock struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// renderAnthropic writes one user message that starts with all results.
func renderAnthropic(a answers) any {
	var content []any
	for _, c := range a.calls {
		content = append(content, anthropicResult{
			Type: "tool_result", ToolUseID: c.ID, Content: c.text(), IsError: !c.Success,
		})
	}
	for _, notice := range a.spoken() {
		content = append(content, textBlock{Type: "text", Text: notice})
	}
	return anthropicFollowUp{
		Format: Anthropic, Messages: []anthropicMessage{{Role: "user", Content: content}}, told: a.told,
	}
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"input_schema"`
}

func declareAnthropic(tools []declaration) any {
	declared := make([]anthropicTool, 0, len(tools))
	for _, t := range tools {
		declared = append(declared, anthropicTool{t.name, t.description, t.schemaOrAny()})
	}
	return declared
}
