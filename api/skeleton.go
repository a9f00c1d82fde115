package api

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

const (
	// maxBodyDepth bounds nesting. Everything that reads a body walks it by
	// recursion; this keeps stacks small whatever is sent.
	maxBodyDepth = 256
	// maxBodyValues bounds the values outside of opaque parts: each costs some
	// hundred bytes when it is validated, and more when it is refused.
	maxBodyValues = 50_000
)

// opaquePart is a part of a body of which the contract says only the type. It
// is judged by the use case and reaches it byte for byte.
type opaquePart struct {
	path []string // `*` stands for every element of an array
	// free parts may even hold duplicate keys: they are a model's words, and
	// what is wrong with them is told to the model.
	free bool
}

// opaqueCalls are those of a model response.
var opaqueCalls = []opaquePart{
	{path: []string{"message"}, free: true},
	{path: []string{"calls", "*", "arguments"}, free: true},
	{path: []string{"runtime_view"}},
	{path: []string{"calls", "*", "runtime_view"}},
}

// opaque lists the opaque parts by operation.
var opaque = map[string][]opaquePart{
	"createSession":     {{path: []string{"tools", "*", "input_schema"}}, {path: []string{"structured_output", "schema"}}},
	"putTools":          {{path: []string{"tools", "*", "input_schema"}}},
	"attachHost":        {{path: []string{"capabilities"}}},
	"submitBatch":       opaqueCalls,
	"explainCalls":      opaqueCalls,
	"startTurn":         {{path: []string{"input", "*"}}},
	"checkModelRequest": {{path: []string{"messages"}, free: true}},
	"reportResults":     {{path: []string{"results", "*", "output"}}},
}

// skeleton checks the form of a JSON body and returns it with an empty value of
// the same type in place of each opaque part: this is what is validated against
// the contract, so that a model's megabytes cost the validator nothing.
func skeleton(body []byte, parts []opaquePart) ([]byte, error) {
	if !utf8.Valid(body) {
		return nil, refusal(codeMalformedBody, "The body is not valid UTF-8.")
	}
	if tooDeep(body) {
		return nil, refusal(codeMalformedBody, "The body is nested deeper than "+strconv.Itoa(maxBodyDepth)+" levels.")
	}
	if !json.Valid(body) {
		return nil, refusal(codeMalformedBody, "The body is not valid JSON.")
	}
	s := scanner{in: body, out: make([]byte, 0, min(len(body), 64<<10)), emit: true, unique: true}
	s.space()
	if err := s.value(parts); err != nil {
		return nil, err
	}
	return s.out, nil
}

// tooDeep counts brackets outside of strings; it doesn't recurse and doesn't
// need valid JSON.
func tooDeep(body []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > maxBodyDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
