package validate

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/session-gateway/gateway/client"
)

// sample is a call that is safe to run.
type sample struct {
	tool      string
	arguments json.RawMessage
}

// sample is a probe as a call, with a text for the mark of a canary.
func (p Probe) sample(canary string) sample {
	if len(p.Arguments) == 0 {
		return sample{p.Tool, json.RawMessage(`{}`)}
	}
	return sample{p.Tool, bytes.ReplaceAll(p.Arguments, []byte(canaryMark), []byte(canary))}
}

// maxSamples is how many different calls a batch needs: two show an order.
const maxSamples = 2

// harmless are the kinds of which calls are chosen, the cheapest first. Fetching
// is not among them: it leaves the machine.
var harmless = []client.Kind{client.Search, client.Read, client.Think}

// choose gives the calls that the host is let run: the one that was asked for,
// or some of read-only tools.
func (r *run) choose() ([]sample, error) {
	if r.Probe.Tool != "" {
		return []sample{r.Probe.sample("")}, nil
	}
	var found []sample
	for _, kind := range harmless {
		for _, t := range r.session.Tools {
			if t.Agent || kindOf(t) != kind {
				continue
			}
			args, err := argumentsFor(t.InputSchema)
			if err != nil {
				return nil, fmt.Errorf("make arguments for %s: %w", t.Name, err)
			}
			if args != nil {
				found = append(found, sample{t.Name, args})
			}
		}
	}
	return found[:min(len(found), maxSamples)], nil
}

// kindOf is what a tool counts as.
func kindOf(t client.ToolDeclaration) client.Kind {
	if t.ReadOnly && t.Kind == client.Other {
		return client.Read
	}
	return t.Kind
}

// argumentsFor makes the smallest arguments that a simple schema takes, or nil
// where that needs knowledge of the tool. A text is ".", which is a path, a
// pattern and a word.
func argumentsFor(schema map[string]any) (json.RawMessage, error) {
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	made := map[string]any{}
	for _, r := range required {
		name, _ := r.(string)
		property, _ := properties[name].(map[string]any)
		value, known := valueFor(property)
		if !known {
			return nil, nil
		}
		made[name] = value
	}
	return json.Marshal(made)
}

// valueFor is a value of a property's type. Whether it is a good one the
// gateway says, which knows the whole schema.
func valueFor(property map[string]any) (value any, known bool) {
	if list, ok := property["enum"].([]any); ok && len(list) > 0 {
		return list[0], true
	}
	kind := property["type"]
	if several, ok := kind.([]any); ok && len(several) > 0 {
		kind = several[0]
	}
	switch kind {
	case "string":
		return ".", true
	case "integer", "number":
		if least, ok := property["minimum"].(float64); ok {
			return least, true
		}
		return 1, true
	case "boolean":
		return false, true
	case "array":
		return []any{}, true
	default:
		return nil, false
	}
}
