package model

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/session-gateway/gateway/client"
)

// AnthropicBase is where Anthropic's own models are served.
const AnthropicBase = "https://api.anthropic.com"

const anthropicVersion = "2023-06-01"

// anthropic is a conversation by the Messages API.
type anthropic struct {
	history
	at     Endpoint
	system string
}

// NewAnthropic begins a conversation.
func NewAnthropic(at Endpoint, system string) Chat { return &anthropic{at: at, system: system} }

// Format is anthropic.
func (*anthropic) Format() client.Format { return "anthropic" }

// Say adds a user message.
func (a *anthropic) Say(text string) error {
	return a.add(encode(map[string]any{"role": "user", "content": text}))
}

// Follow adds the results.
func (a *anthropic) Follow(next client.NextRequest) error {
	if err := a.assign(next, "content", func(p part) bool { return string(p["type"]) == `"tool_use"` }); err != nil {
		return err
	}
	return a.addList(next.Messages)
}

// Ask asks for the next message.
func (a *anthropic) Ask(ctx context.Context) (Answer, error) {
	body := map[string]any{"model": a.at.Model, "max_tokens": maxAnswerTokens, "messages": a.messages}
	if a.system != "" {
		body["system"] = a.system
	}
	if len(a.tools) > 0 {
		body["tools"] = a.tools
	}
	var raw json.RawMessage
	header := http.Header{"X-Api-Key": {a.at.Key}, "Anthropic-Version": {anthropicVersion}}
	if err := a.at.post(ctx, "/v1/messages", header, body, &raw); err != nil {
		return Answer{}, err
	}
	return a.take(raw)
}

// take keeps a message: what is sent back is its role and content, unchanged.
func (a *anthropic) take(raw json.RawMessage) (Answer, error) {
	var message struct {
		ID         string            `json:"id"`
		Role       json.RawMessage   `json:"role"`
		Content    []json.RawMessage `json:"content"`
		StopReason string            `json:"stop_reason"`
	}
	if err := json.Unmarshal(raw, &message); err != nil {
		return Answer{}, err
	}
	answer := Answer{Message: raw, ResponseID: message.ID, Cut: message.StopReason == "max_tokens"}
	for _, part := range message.Content {
		var p struct{ Type, Text string }
		if err := json.Unmarshal(part, &p); err != nil {
			return Answer{}, err
		}
		answer.Calls = answer.Calls || p.Type == "tool_use"
		if p.Type == "text" {
			answer.Text += p.Text
		}
	}
	return answer, a.add(encode(map[string]any{"role": message.Role, "content": message.Content}))
}
