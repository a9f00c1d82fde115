package model

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/session-gateway/gateway/client"
)

// OpenAIBase is where OpenAI's own models are served.
const OpenAIBase = "https://api.openai.com/v1"

// errNoChoice says that a provider answered without an answer.
var errNoChoice = errors.New("the model's provider gave no answer")

// openai is a conversation by Chat Completions, with OpenAI or any server that
// is compatible.
type openai struct {
	history
	at Endpoint
}

// NewOpenAI begins a conversation.
func NewOpenAI(at Endpoint, system string) Chat {
	o := &openai{at: at}
	if system != "" {
		o.messages = append(o.messages, encode(map[string]any{"role": "system", "content": system}))
	}
	return o
}

// Format is openai_chat.
func (*openai) Format() client.Format { return "openai_chat" }

// Say adds a user message.
func (o *openai) Say(text string) error {
	return o.add(encode(map[string]any{"role": "user", "content": text}))
}

// Follow adds the results.
func (o *openai) Follow(next client.NextRequest) error {
	if err := o.assign(next, "tool_calls", func(part) bool { return true }); err != nil {
		return err
	}
	return o.addList(next.Messages)
}

// Ask asks for the next message.
func (o *openai) Ask(ctx context.Context) (Answer, error) {
	body := map[string]any{"model": o.at.Model, "messages": o.messages}
	if len(o.tools) > 0 {
		body["tools"] = o.tools
	}
	var raw struct {
		ID      string `json:"id"`
		Choices []struct {
			Message      json.RawMessage `json:"message"`
			FinishReason *string         `json:"finish_reason"`
		} `json:"choices"`
	}
	header := http.Header{"Authorization": {"Bearer " + o.at.Key}}
	if err := o.at.post(ctx, "/chat/completions", header, body, &raw); err != nil {
		return Answer{}, err
	}
	if len(raw.Choices) == 0 {
		return Answer{}, errNoChoice
	}
	var message struct {
		Content   *string           `json:"content"`
		ToolCalls []json.RawMessage `json:"tool_calls"`
	}
	first := raw.Choices[0]
	if err := json.Unmarshal(first.Message, &message); err != nil {
		return Answer{}, err
	}
	answer := Answer{
		Message: first.Message, FinishReason: first.FinishReason, ResponseID: raw.ID,
		Calls: len(message.ToolCalls) > 0, Cut: is(first.FinishReason, "length"),
	}
	if message.Content != nil {
		answer.Text = *message.Content
	}
	return answer, o.add(first.Message)
}

// is says whether a provider gave this reason.
func is(reason *string, what string) bool { return reason != nil && *reason == what }
