package sessions

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/scheduler"
)

// The bounds of a session's tools.
const (
	MaxTools           = 512     // every model request carries them all
	MaxToolsBytes      = 2 << 20 // of all schemas together
	MaxDescription     = 16 << 10
	MaxAliases         = 16
	MaxSubjectPointers = 32
	MaxToolTimeoutS    = 24 * 60 * 60
	defaultTimeoutS    = 600
)

var (
	toolName       = regexp.MustCompile(`^[^\s\x00-\x1f\x7f()]{1,128}$`)
	subjectPointer = regexp.MustCompile(`^(/[^/]*)+$`)
)

// UnmarshalJSON reads a number of characters or "unlimited".
func (l *OutputLimit) UnmarshalJSON(b []byte) error {
	if string(b) == `"unlimited"` {
		*l = scheduler.Unlimited
		return nil
	}
	var n int
	if err := json.Unmarshal(b, &n); err != nil || n < 1 {
		return errors.New(`max_output_chars is a number of characters or "unlimited"`)
	}
	*l = OutputLimit(n)
	return nil
}

// MarshalJSON writes a number of characters or "unlimited".
func (l OutputLimit) MarshalJSON() ([]byte, error) {
	if l == scheduler.Unlimited {
		return []byte(`"unlimited"`), nil
	}
	return json.Marshal(int(l))
}

// declare checks declarations and fills in what they leave out.
func declare(specs []ToolSpec) (ToolSet, fields) {
	var wrong fields
	out := make(ToolSet, 0, len(specs))
	if len(specs) > MaxTools {
		wrong.add("/tools", "more than %d tools", MaxTools)
		return nil, wrong
	}
	size := 0
	for i, spec := range specs {
		out = append(out, declaration(spec))
		size += len(spec.InputSchema)
		checkDeclaration(&wrong, fmt.Sprintf("/tools/%d", i), out[i])
	}
	if size > MaxToolsBytes {
		wrong.add("/tools", "the schemas are over %d bytes together", MaxToolsBytes)
	}
	checkNames(&wrong, out)
	return out, wrong
}

func declaration(s ToolSpec) ToolDeclaration {
	d := ToolDeclaration{
		Name: s.Name, Description: s.Description, Aliases: s.Aliases, Kind: permissions.KindOther, ReadOnly: s.ReadOnly,
		InputSchema: scheduler.RawJSON(s.InputSchema), Agent: s.Agent, TimeoutS: defaultTimeoutS,
		MaxOutputChars: s.MaxOutputChars, Subjects: s.Subjects,
	}
	if s.Kind != nil {
		d.Kind = *s.Kind
	}
	if s.TimeoutS != nil {
		d.TimeoutS = *s.TimeoutS
	}
	if len(d.InputSchema) == 0 {
		d.InputSchema = scheduler.RawJSON(`{}`)
	}
	if d.Aliases == nil {
		d.Aliases = []string{}
	}
	return d
}

func checkDeclaration(wrong *fields, at string, d ToolDeclaration) {
	if !toolName.MatchString(d.Name) {
		wrong.add(at+"/name", "is not a name of 1 to 128 characters without spaces, parentheses or control characters")
	}
	if !d.Kind.Valid() {
		wrong.add(at+"/kind", "is not a tool kind")
	}
	if d.ReadOnly && slices.Contains(writingKinds, d.Kind) {
		wrong.add(at+"/read_only", "a tool of kind %s can't be read-only", d.Kind)
	}
	if len(d.Description) > MaxDescription {
		wrong.add(at+"/description", "is over %d bytes", MaxDescription)
	}
	if d.TimeoutS < 1 || d.TimeoutS > MaxToolTimeoutS {
		wrong.add(at+"/timeout_s", "is not between 1 and %d", MaxToolTimeoutS)
	}
	if want, pseudo := pseudoKinds[d.Name]; pseudo && !slices.Contains(want, effectiveKind(d)) {
		wrong.add(at+"/kind", "a tool named %s must have its kind", d.Name)
	}
	checkAliases(wrong, at, d)
	checkSubjects(wrong, at+"/subjects", d.Subjects)
	if _, err := compileSchema(d.InputSchema); err != nil {
		wrong.add(at+"/input_schema", "%s", err)
	}
}

// writingKinds can't be declared read-only.
var writingKinds = []permissions.Kind{
	permissions.KindEdit, permissions.KindDelete, permissions.KindMove, permissions.KindExecute,
}

// pseudoKinds are the kinds that a tool named like a pseudo-tool may have, so
// that a rule never speaks of two things by one name.
var pseudoKinds = map[string][]permissions.Kind{
	"read":    {permissions.KindRead, permissions.KindSearch},
	"write":   {permissions.KindEdit, permissions.KindDelete, permissions.KindMove},
	"execute": {permissions.KindExecute},
	"fetch":   {permissions.KindFetch},
	"other":   {permissions.KindOther, permissions.KindSwitchMode},
}

func effectiveKind(d ToolDeclaration) permissions.Kind {
	if d.ReadOnly {
		return permissions.KindRead
	}
	return d.Kind
}

func checkAliases(wrong *fields, at string, d ToolDeclaration) {
	if len(d.Aliases) > MaxAliases {
		wrong.add(at+"/aliases", "more than %d", MaxAliases)
	}
	for i, alias := range d.Aliases {
		if !toolName.MatchString(alias) {
			wrong.add(fmt.Sprintf("%s/aliases/%d", at, i), "is not a tool name")
		}
	}
}

func checkSubjects(wrong *fields, at string, s *permissions.Subjects) {
	if s == nil {
		return
	}
	for _, list := range []struct {
		name     string
		pointers []string
	}{{"path", s.Path}, {"command", s.Command}, {"url", s.URL}} {
		if len(list.pointers) > MaxSubjectPointers {
			wrong.add(at+"/"+list.name, "more than %d pointers", MaxSubjectPointers)
		}
		for i, p := range list.pointers {
			if !subjectPointer.MatchString(p) || len(p) > 256 {
				wrong.add(fmt.Sprintf("%s/%s/%d", at, list.name, i), "is not a JSON pointer")
			}
		}
	}
}

// checkNames refuses names that two tools would answer to, reserved ones, and
// those that a provider could not tell apart.
func checkNames(wrong *fields, tools ToolSet) {
	taken := map[string]string{}
	for i, d := range tools {
		for _, name := range append([]string{d.Name}, d.Aliases...) {
			at := fmt.Sprintf("/tools/%d", i)
			if slices.Contains(scheduler.GatewayTools, name) {
				wrong.add(at, "the name %q belongs to the gateway", name)
			} else if owner, clash := taken[name]; clash {
				wrong.add(at, "the name %q is already taken by tool %q", name, owner)
			}
			taken[name] = d.Name
		}
	}
	if !wrong.any() {
		checkSpellings(wrong, tools)
	}
}

// checkSpellings refuses names that differ and are one on a provider's wire: its
// model could not tell the tools apart.
func checkSpellings(wrong *fields, tools ToolSet) {
	names := slices.Clone(scheduler.GatewayTools) // advertised beside the declared ones
	for _, d := range tools {
		names = append(names, d.Name)
	}
	for _, f := range providers.Formats {
		_, err := providers.NewNames(f, names)
		if clash, ok := errors.AsType[*providers.NameClashError](err); ok {
			at := slices.Index(names, clash.Second) - len(scheduler.GatewayTools)
			wrong.add(fmt.Sprintf("/tools/%d/name", at), "is spelled like another tool's name in format %s", f)
			return
		}
	}
}
