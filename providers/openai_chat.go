package providers

import (
	"encoding/json"
	"strings"
)

// readChat reads an entry of tool_calls. Some servers fill in both function and
// custom, the other one with empty strings, so the type decides; servers also
// leave the type out or invent one. Every entry must be answered or the next
// request is refused, so none is skipped.
func readChat(entry node) (draft, bool, error) {
	m, err := entry.fields("type", "id", "function", "custom")
	if err != nil {
		return draft{}, false, err
	}
	d := draft{id: m["id"]}
	if m["type"].label() == "custom" || !m["function"].given() && m["custom"].given() {
		return readChatCustom(d, m["custom"])
	}
	f, err := m["function"].fields("name", "arguments")
	if err != nil {
		return draft{}, false, err
	}
	d.name, d.args = f["name"], textArguments(f["arguments"])
	return d, true, nil
}

func readChatCustom(d draft, custom node) (draft, bool, error) {
	m, err := custom.fields("name", "input")
	if err != nil {
		return draft{}, false, err
	}
	d.name, d.custom = m["name"], true
	d.args, err = customArguments(m["input"])
	return d, true, err
}

type chatFollowUp struct {
	Format   Format        `json:"format"`
	Messages []chatMessage `json:"messages"`
	told
}

type chatMessage struct {
	Role       string `json:"role"`
	ToolCallID string `json:"tool_call_id,omitempty"`
	Content    string `json:"content"`
}

// renderChat writes a tool message for each call, custom ones too. Notices are
// one user message: servers with strict turns refuse two in a row.
func renderChat(a answers) any {
	var messages []chatMessage
	for _, c := range a.calls {
		messages = append(messages, chatMessage{Role: "tool", ToolCallID: c.ID, Content: c.text()})
	}
	if notices := a.spoken(); len(notices) > 0 {
		messages = append(messages, chatMessage{Role: "user", Content: strings.Join(notices, "\n\n")})
	}
	return chatFollowUp{Format: OpenAIChat, Messages: messages, told: a.told}
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

func declareChat(tools []declaration) any {
	declared := make([]chatTool, 0, len(tools))
	for _, t := range tools {
		declared = append(declared, chatTool{"function", chatFunction{t.name, t.description, t.schemaOrAny()}})
	}
	return declared
}
