package providers

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// ToolSpec is a declared tool.
type ToolSpec struct {
	Name        string
	Description string
	InputSchema json.RawMessage // a JSON Schema; absent or empty takes anything
}

// declaration is a tool ready to be declared: its name is the provider's, its
// schema an object schema, or absent when nothing was declared.
type declaration struct {
	name, description string
	schema            json.RawMessage
}

// anyObject is the schema of a tool that declared none.
var anyObject = json.RawMessage(`{"type":"object","properties":{}}`)

// Advertise writes the value of a provider's tools. The error is ErrFormat, a
// *NameClashError or ErrSchema.
func Advertise(f Format, tools []ToolSpec) (json.RawMessage, error) {
	declarations, err := declarationsFor(f, tools)
	if err != nil {
		return nil, err
	}
	if f == Native {
		return encode(declareAnthropic(declarations))
	}
	w, ok := wires[f]
	if !ok {
		return nil, fmt.Errorf("advertise tools in format %q: %w", f, ErrFormat)
	}
	return encode(w.declare(declarations))
}

func declarationsFor(f Format, tools []ToolSpec) ([]declaration, error) {
	names, err := NamesOf(f, tools)
	if err != nil {
		return nil, err
	}
	declarations := make([]declaration, 0, len(tools))
	for _, t := range tools {
		schema, err := objectSchema(t.InputSchema)
		if err != nil {
			return nil, fmt.Errorf("advertise tool %q: %w", t.Name, err)
		}
		declarations = append(declarations, declaration{names.Wire(t.Name), t.Description, schema})
	}
	return declarations, nil
}

// objectSchema makes a schema one that says that it takes an object, as the
// providers demand; everything else in it stays as it was declared. An empty
// schema counts as absent.
func objectSchema(schema json.RawMessage) (json.RawMessage, error) {
	schema = bytes.TrimSpace(schema)
	if len(schema) == 0 || string(schema) == "null" {
		return nil, nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(schema, &members); err != nil {
		return nil, ErrSchema
	}
	if len(members) == 0 {
		return nil, nil
	}
	if _, typed := members["type"]; typed {
		return schema, nil
	}
	return append([]byte(`{"type":"object",`), schema[1:]...), nil
}

func (d declaration) schemaOrAny() json.RawMessage {
	if d.schema == nil {
		return anyObject
	}
	return d.schema
}
