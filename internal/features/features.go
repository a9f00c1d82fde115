package features

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"sigs.k8s.io/yaml"
)

// Feature is one row of the table.
type Feature struct {
	Name     string     `json:"name"`
	Says     string     `json:"says"` // what it does, in a sentence or two
	Evidence []Citation `json:"evidence"`
}

// Citation is one piece of evidence; exactly one of the kinds is set.
type Citation struct {
	Route   string `json:"route,omitempty"`   // "POST /v1/sessions": in openapi.yaml and routed
	Command string `json:"command,omitempty"` // "gateway serve" or "make run"
	Test    string `json:"test,omitempty"`    // "scheduler TestName": folder and function
	Tool    string `json:"tool,omitempty"`    // a tool that the gateway executes itself
	// Module is the switch of a Tool: with it on the tool is registered,
	// advertised and gated, with it off none of the three.
	Module string `json:"module,omitempty"`
}

// Problems of a list of features.
var (
	ErrNoEvidence = errors.New("a claim without evidence")
	ErrCitation   = errors.New("a citation is exactly one of route, command, test and tool with its module")
)

// Load reads and checks a list; unknown fields are refused.
func Load(r io.Reader) ([]Feature, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read features: %w", err)
	}
	var list []Feature
	if err := yaml.UnmarshalStrict(raw, &list); err != nil {
		return nil, fmt.Errorf("parse features: %w", err)
	}
	var problems []error
	for _, f := range list {
		problems = append(problems, f.check())
	}
	return list, errors.Join(problems...)
}

func (f Feature) check() error {
	if f.Name == "" || f.Says == "" || len(f.Evidence) == 0 {
		return fmt.Errorf("feature %q: %w", f.Name, ErrNoEvidence)
	}
	for _, c := range f.Evidence {
		if c.kinds() != 1 || (c.Tool == "") != (c.Module == "") {
			return fmt.Errorf("feature %q: %+v: %w", f.Name, c, ErrCitation)
		}
	}
	return nil
}

func (c Citation) kinds() int {
	n := 0
	for _, kind := range []string{c.Route, c.Command, c.Test, c.Tool} {
		if kind != "" {
			n++
		}
	}
	return n
}

// String is the citation as the README shows it.
func (c Citation) String() string {
	switch {
	case c.Route != "":
		return "`" + c.Route + "`"
	case c.Command != "":
		return "`" + c.Command + "`"
	case c.Tool != "":
		return "tool `" + c.Tool + "`"
	default:
		folder, name := c.TestIn()
		return fmt.Sprintf("[%s](%s)", name, folder)
	}
}

// TestIn is the folder and the function of a cited test.
func (c Citation) TestIn() (folder, name string) {
	folder, name, _ = strings.Cut(c.Test, " ")
	return folder, name
}
