package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"sigs.k8s.io/yaml"
)

// Script is a model that says what stands in a file.
type Script struct {
	Steps []Step `json:"steps"`
}

// Step is one response.
type Step struct {
	Text  string     `json:"text"`
	Calls []StepCall `json:"calls"`
	// Expect are texts that the request before this response must contain, so
	// that a script fails when its story goes another way.
	Expect []string `json:"expect"`
}

// StepCall is one tool call of a response.
type StepCall struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// Errors of scripts.
var (
	errScriptOver = errors.New("the script has no further step")
	errUnexpected = errors.New("the request is not what the script expects")
)

// ReadScript reads a script from a YAML or JSON file.
func ReadScript(path string) (*Script, error) {
	text, err := os.ReadFile(path) //nolint:gosec // the file that the user names
	if err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	var s Script
	if err := yaml.UnmarshalStrict(text, &s); err != nil {
		return nil, fmt.Errorf("read script: %w", err)
	}
	return &s, nil
}

// scripted is a conversation with a script, in Anthropic's format.
type scripted struct {
	anthropic
	script *Script
	step   int
}

// NewScripted begins a conversation with a script.
func NewScripted(s *Script) Chat { return &scripted{script: s} }

// Ask gives the next step.
func (s *scripted) Ask(context.Context) (Answer, error) {
	if s.step >= len(s.script.Steps) {
		return Answer{}, errScriptOver
	}
	step := s.script.Steps[s.step]
	if err := s.expected(step); err != nil {
		return Answer{}, fmt.Errorf("step %d: %w", s.step+1, err)
	}
	s.step++
	var content []any
	if step.Text != "" {
		content = append(content, map[string]any{"type": "text", "text": step.Text})
	}
	for i, c := range step.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("toolu_%d_%d", s.step, i)
		}
		if c.Arguments == nil {
			c.Arguments = map[string]any{}
		}
		content = append(content, map[string]any{"type": "tool_use", "id": c.ID, "name": c.Name, "input": c.Arguments})
	}
	stop := "end_turn"
	if len(step.Calls) > 0 {
		stop = "tool_use"
	}
	return s.take(encode(map[string]any{
		"id": fmt.Sprintf("msg_script_%d", s.step), "role": "assistant", "content": content, "stop_reason": stop,
	}))
}

// expected looks for the step's texts in the newest message.
func (s *scripted) expected(step Step) error {
	if len(step.Expect) == 0 {
		return nil
	}
	var v any
	if err := json.Unmarshal(*s.last(), &v); err != nil {
		return err
	}
	said := texts(v)
	for _, want := range step.Expect {
		if !strings.Contains(said, want) {
			return fmt.Errorf("%w: %q is not in it", errUnexpected, want)
		}
	}
	return nil
}

// texts is every string of a JSON value.
func texts(v any) string {
	switch v := v.(type) {
	case string:
		return v + "\n"
	case []any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(texts(e))
		}
		return b.String()
	case map[string]any:
		var b strings.Builder
		for _, e := range v {
			b.WriteString(texts(e))
		}
		return b.String()
	default:
		return ""
	}
}
