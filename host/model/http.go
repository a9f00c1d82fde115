package model

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Endpoint is where a model is served.
type Endpoint struct {
	Base  string // without the provider's own path
	Key   string
	Model string
	HTTP  *http.Client
}

// The bounds of a provider's answer.
const (
	maxAnswerBytes  = 64 << 20
	shownOfARefusal = 500 // characters: enough to see what is wrong
	maxAnswerTokens = 8192
)

// StatusError is an answer of a provider that is no success.
type StatusError struct {
	Status int
	Body   string // its beginning
}

// Error names the status and what the provider said.
func (e *StatusError) Error() string {
	return fmt.Sprintf("the model's provider answered %d: %s", e.Status, e.Body)
}

// post sends a request and decodes its answer.
func (e *Endpoint) post(ctx context.Context, path string, header http.Header, body, into any) error {
	u, err := url.Parse(strings.TrimSuffix(e.Base, "/") + path)
	if err != nil {
		return fmt.Errorf("make the model's address: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(encode(body)))
	if err != nil {
		return fmt.Errorf("make the request to the model: %w", err)
	}
	req.Header = header
	req.Header.Set("Content-Type", "application/json")
	resp, err := e.client().Do(req)
	if err != nil {
		return fmt.Errorf("ask the model: %w", err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswerBytes))
	if err != nil {
		return fmt.Errorf("read the model's answer: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return &StatusError{Status: resp.StatusCode, Body: string([]rune(string(text))[:min(shownOfARefusal, len([]rune(string(text))))])}
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("decode the model's answer: %w", err)
	}
	return nil
}

func (e *Endpoint) client() *http.Client {
	if e.HTTP == nil {
		return http.DefaultClient
	}
	return e.HTTP
}
