package casetest

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"path"
)

//go:embed testdata/*.json
var files embed.FS

// The files of cases that come with the package.
const (
	Conformance = "cases.json"      // the cases that the design is measured by
	Further     = "more-cases.json" // more of the same kinds
)

// standardTools is what `"tools": "@standard"` stands for.
const standardTools = "standard-tools.json"

// Case is a fresh session and the batches that are sent to it.
type Case struct {
	Name string `json:"name"`
	Why  string `json:"why"`
	// Ancestors are created before the session, each the child of the one
	// before it; the session is the child of the last.
	Ancestors []json.RawMessage `json:"ancestors"`
	Session   json.RawMessage   `json:"session"` // body of POST /v1/sessions
	Steps     []Step            `json:"steps"`
}

// Step is one batch and what becomes of it.
type Step struct {
	First   []Act                      `json:"first"` // what a person does before
	Batch   json.RawMessage            `json:"batch"` // body of POST …/batches
	Host    map[string]json.RawMessage `json:"host"`  // by call id; without one a call succeeds
	Answers map[string]json.RawMessage `json:"answers"`
	Expect  Expect                     `json:"expect"`
}

// Act is a person's request about the session, or about one of its ancestors.
type Act struct {
	Method   string          `json:"method"`
	Path     string          `json:"path"` // below the session, such as approval-mode
	Body     json.RawMessage `json:"body"`
	Ancestor *int            `json:"ancestor"`
}

// Expect is what must be seen; what is not given is not compared.
type Expect struct {
	Results        []map[string]json.RawMessage `json:"results"` // one per position; only the keys given
	Dispatched     *[]string                    `json:"dispatched"`
	Approvals      *[]string                    `json:"approvals"`
	Stop           json.RawMessage              `json:"stop"` // batch.stop.reason, or null
	ExitCode       *int                         `json:"exit_code"`
	OutputContains map[string]string            `json:"output_contains"`
	Session        struct {
		ApprovalMode *string `json:"approval_mode"`
		PlanActive   *bool   `json:"plan_active"`
	} `json:"session"`
}

// Load reads a file of cases.
func Load(name string) ([]Case, error) {
	raw, err := files.ReadFile(path.Join("testdata", name))
	if err != nil {
		return nil, fmt.Errorf("load cases: %w", err)
	}
	tools, err := files.ReadFile(path.Join("testdata", standardTools))
	if err != nil {
		return nil, fmt.Errorf("load cases: %w", err)
	}
	raw = bytes.ReplaceAll(raw, []byte(`"@standard"`), tools)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields() // a mistyped expectation would expect nothing
	var cases []Case
	if err := decoder.Decode(&cases); err != nil {
		return nil, fmt.Errorf("load cases of %s: %w", name, err)
	}
	return cases, nil
}

// StandardTools are the tools that most cases declare.
func StandardTools() json.RawMessage {
	tools, err := files.ReadFile(path.Join("testdata", standardTools))
	if err != nil { // it is embedded
		panic(err)
	}
	return tools
}
