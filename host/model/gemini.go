package model

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/session-gateway/gateway/client"
)

// GeminiBase is where Google's own models are served.
const GeminiBase = "https://generativelanguage.googleapis.com"

// gemini is a conversation by generateContent.
type gemini struct {
	history
	at     Endpoint
	system string
}

// NewGemini begins a conversation.
func NewGemini(at Endpoint, system string) Chat { return &gemini{at: at, system: system} }

// Format is gemini.
func (*gemini) Format() client.Format { return "gemini" }

// Say adds a user content.
func (g *gemini) Say(text string) error { return g.add(encode(content("user", text))) }

func content(role, text string) map[string]any {
	return map[string]any{"role": role, "parts": []any{map[string]any{"text": text}}}
}

// Follow adds the responses.
func (g *gemini) Follow(next client.NextRequest) error { return g.addList(next.Contents) }

// Ask asks for the next content.
func (g *gemini) Ask(ctx context.Context) (Answer, error) {
	body := map[string]any{"contents": g.messages}
	if g.system != "" {
		body["systemInstruction"] = content("user", g.system)
	}
	if len(g.tools) > 0 {
		body["tools"] = g.tools
	}
	var raw struct {
		ResponseID string `json:"responseId"`
		Candidates []struct {
			Content      json.RawMessage `json:"content"`
			FinishReason *string         `json:"finishReason"`
		} `json:"candidates"`
	}
	path := "/v1beta/models/" + url.PathEscape(g.at.Model) + ":generateContent"
	if err := g.at.post(ctx, path, http.Header{"X-Goog-Api-Key": {g.at.Key}}, body, &raw); err != nil {
		return Answer{}, err
	}
	if len(raw.Candidates) == 0 {
		return Answer{}, errNoChoice
	}
	first := raw.Candidates[0]
	answer := Answer{
		Message: first.Content, FinishReason: first.FinishReason, ResponseID: raw.ResponseID,
		Cut: is(first.FinishReason, "MAX_TOKENS"),
	}
	var c struct {
		Parts []struct {
			Text         string          `json:"text"`
			Thought      bool            `json:"thought"`
			FunctionCall json.RawMessage `json:"functionCall"`
		} `json:"parts"`
	}
	if err := json.Unmarshal(first.Content, &c); err != nil {
		return Answer{}, err
	}
	for _, p := range c.Parts {
		answer.Calls = answer.Calls || len(p.FunctionCall) > 0
		if !p.Thought {
			answer.Text += p.Text
		}
	}
	return answer, g.add(first.Content)
}
