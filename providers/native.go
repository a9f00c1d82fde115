package providers

import (
	"encoding/json"

	"github.com/session-gateway/gateway/scheduler"
)

// NativeCall is a call in the gateway's own shape.
type NativeCall struct {
	ID        *string         `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	// RuntimeView is a document for whoever runs the call.
	RuntimeView json.RawMessage `json:"runtime_view"`
}

// ParseNative takes calls in the gateway's own shape. Absent arguments are {};
// whatever else is there is kept as its raw text, so null and strings are no
// objects and the pipeline will say so.
func ParseNative(calls []NativeCall, newID func() string) []scheduler.Input {
	inputs := make([]scheduler.Input, 0, min(len(calls), readLimit))
	for _, c := range calls[:min(len(calls), readLimit)] {
		in := scheduler.Input{Name: c.Name, Arguments: noArguments, RuntimeView: string(c.RuntimeView)}
		if c.ID != nil {
			in.ID = *c.ID
		}
		if len(c.Arguments) > 0 {
			in.Arguments = string(c.Arguments)
		}
		inputs = append(inputs, withID(in, newID))
	}
	return inputs
}

type nativeFollowUp struct {
	Format  Format             `json:"format"`
	Results []scheduler.Result `json:"results"`
	told
}

// renderNative writes the whole results, with the outputs that fit the batch.
func renderNative(a answers) any {
	results := make([]scheduler.Result, 0, len(a.calls))
	for _, c := range a.calls {
		r := c.Result
		r.Output = c.Output
		results = append(results, r)
	}
	return nativeFollowUp{Format: Native, Results: results, told: a.told}
}
