package main

import (
	"fmt"
	"strings"
)

// schema is a kind's definition and those that it refers to.
type schema struct {
	Ref         string         `json:"$ref"`
	Definitions map[string]any `json:"definitions"`

	kind groupVersionKind
}

// groupVersionKind is what a manifest calls a kind.
type groupVersionKind struct{ group, version, kind string }

// refPrefix stands before a definition's name in a reference to it.
const refPrefix = "#/definitions/"

// looser are the definitions that say less than the API takes: numbers may
// stand where they say string.
var looser = map[string]any{
	"io.k8s.apimachinery.pkg.api.resource.Quantity":   map[string]any{"type": []string{"string", "number"}},
	"io.k8s.apimachinery.pkg.util.intstr.IntOrString": map[string]any{"type": []string{"string", "integer"}},
}

// selfContained collects all that a definition refers to, however far away.
func selfContained(name string, published map[string]any) (schema, error) {
	s := schema{Ref: refPrefix + name, Definitions: map[string]any{}}
	for todo := []string{name}; len(todo) > 0; {
		next := todo[0]
		todo = todo[1:]
		if s.Definitions[next] != nil {
			continue
		}
		definition, ok := published[next].(map[string]any)
		if !ok {
			return schema{}, fmt.Errorf("there is no definition of %s", next)
		}
		strict, refs := strictly(definition)
		s.Definitions[next], todo = strict, append(todo, refs...)
		if better := looser[next]; better != nil {
			s.Definitions[next] = better
		}
	}
	var err error
	s.kind, err = named(published[name])
	return s, err
}

// strictly is a definition that takes no field but its own, without what only
// people read, and the names that it refers to.
func strictly(definition map[string]any) (strict map[string]any, refs []string) {
	strict = map[string]any{}
	for key, value := range definition {
		switch key {
		case "type", "format", "required", "enum", "default":
			strict[key] = value
		case "$ref":
			strict[key], refs = value, append(refs, strings.TrimPrefix(value.(string), refPrefix))
		case "items", "additionalProperties":
			inner, more := strictly(value.(map[string]any))
			strict[key], refs = inner, append(refs, more...)
		case "properties":
			fields := map[string]any{}
			for name, field := range value.(map[string]any) {
				inner, more := strictly(field.(map[string]any))
				fields[name], refs = inner, append(refs, more...)
			}
			strict[key], strict["additionalProperties"] = fields, false
		}
	}
	return strict, refs
}

// named reads what manifests call a definition.
func named(definition any) (groupVersionKind, error) {
	list, _ := definition.(map[string]any)["x-kubernetes-group-version-kind"].([]any)
	if len(list) != 1 {
		return groupVersionKind{}, fmt.Errorf("it is %d kinds", len(list))
	}
	entry := list[0].(map[string]any)
	return groupVersionKind{entry["group"].(string), entry["version"].(string), entry["kind"].(string)}, nil
}

// fileName is what kubeconform looks for: the group up to its first dot.
func (s schema) fileName() string {
	parts := []string{s.kind.kind, s.kind.version}
	if group, _, _ := strings.Cut(s.kind.group, "."); group != "" {
		parts = []string{s.kind.kind, group, s.kind.version}
	}
	return strings.ToLower(strings.Join(parts, "-")) + ".json"
}
