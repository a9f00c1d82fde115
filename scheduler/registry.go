package scheduler

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/session-gateway/gateway/permissions"
)

// The names of the tools that the gateway executes itself.
const (
	ToolEnterPlanMode    = "enter_plan_mode"
	ToolExitPlanMode     = "exit_plan_mode"
	ToolStructuredOutput = "structured_output"
	ToolReadOutput       = "read_output"
)

// GatewayTools are the reserved names.
var GatewayTools = []string{ToolEnterPlanMode, ToolExitPlanMode, ToolStructuredOutput, ToolReadOutput}

// BuiltinAliases are names that stand for a tool where that tool is registered
// and the name is not declared.
func BuiltinAliases() map[string]string { return maps.Clone(builtinAliases) }

// builtinAliases hold where their target is registered; declared names beat them.
var builtinAliases = map[string]string{
	"EnterPlanMode":       ToolEnterPlanMode,
	"ExitPlanMode":        ToolExitPlanMode,
	"search_file_content": "grep_search",
	"replace":             "edit",
	"task":                "agent",
}

// Tool is a registered tool.
type Tool struct {
	Permission  permissions.Tool
	Agent       bool // runs another agent
	Timeout     time.Duration
	OutputLimit int // characters; 0: the session's; Unlimited
	// Validate checks arguments that are known to be an object. nil: anything goes.
	Validate    func(arguments []byte) error
	Fingerprint string // changes with the declaration; grants hold for one
}

// safe calls run beside their neighbours in core and headless.
func (t *Tool) safe() bool {
	if t.Agent || t.Permission.ReadOnly {
		return true
	}
	switch t.Permission.Kind {
	case permissions.KindRead, permissions.KindSearch, permissions.KindFetch, permissions.KindThink:
		return true
	default:
		return false
	}
}

// Registry is a session's tools by every name that they answer to.
type Registry struct {
	tools   map[string]*Tool
	aliases map[string]string
}

// NameClashError says that two tools would answer to one name.
type NameClashError struct {
	Name string
	Tool string // the tool that has the name already
}

// Error names the clash.
func (e *NameClashError) Error() string {
	return fmt.Sprintf("name %q is already taken by tool %q", e.Name, e.Tool)
}

// NewRegistry takes over the tools, which get their built-in aliases.
// Canonical names plus aliases are unique; else it is a *NameClashError.
func NewRegistry(tools []Tool) (*Registry, error) {
	r := &Registry{tools: make(map[string]*Tool, len(tools)), aliases: map[string]string{}}
	taken := map[string]string{}
	for i := range tools {
		t := &tools[i]
		for _, name := range append([]string{t.Permission.Name}, t.Permission.Aliases...) {
			if owner, clash := taken[name]; clash {
				return nil, &NameClashError{Name: name, Tool: owner}
			}
			taken[name] = t.Permission.Name
			r.aliases[name] = t.Permission.Name
		}
		r.tools[t.Permission.Name] = t
	}
	for alias, target := range builtinAliases {
		_, taken := r.aliases[alias]
		if t, registered := r.tools[target]; registered && !taken {
			r.aliases[alias] = target
			t.Permission.Aliases = append(slices.Clone(t.Permission.Aliases), alias) // deny and ask rules know it by this, too
		}
	}
	return r, nil
}

// Canonical is the canonical name behind a name; an unknown name is its own.
func (r *Registry) Canonical(name string) string {
	if c, ok := r.aliases[name]; ok {
		return c
	}
	return name
}

// Lookup is the tool with a canonical name, or nil.
func (r *Registry) Lookup(canonical string) *Tool { return r.tools[canonical] }
