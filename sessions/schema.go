package sessions

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// The bounds of a JSON Schema, so that compiling and checking stay cheap.
const (
	MaxSchemaBytes = 64 << 10
	MaxSchemaDepth = 32
	// maxViolations is how many violations an error names.
	maxViolations = 5
)

// Errors of schemas.
var (
	errSchemaTooLarge = fmt.Errorf("the schema is over %d bytes", MaxSchemaBytes)
	errSchemaTooDeep  = fmt.Errorf("the schema is nested deeper than %d", MaxSchemaDepth)
	errSchemaOutside  = errors.New("the schema refers outside of its document")
	errSchemaObject   = errors.New("the schema is not a JSON object or boolean")
)

// inside refuses to load anything: references stay within the document.
type inside struct{}

func (inside) Load(string) (any, error) { return nil, errSchemaOutside }

// compileSchema makes a check of arguments out of a JSON Schema. The check's
// errors name places and rules, never values.
func compileSchema(text []byte) (func([]byte) error, error) {
	if len(text) > MaxSchemaBytes {
		return nil, errSchemaTooLarge
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, errSchemaObject
	}
	if depth(doc) > MaxSchemaDepth {
		return nil, errSchemaTooDeep
	}
	switch doc.(type) {
	case map[string]any, bool:
	default:
		return nil, errSchemaObject
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(inside{})
	const url = "schema:///arguments"
	if err := c.AddResource(url, doc); err != nil {
		return nil, errSchemaObject
	}
	schema, err := c.Compile(url)
	if err != nil {
		return nil, compileError(err)
	}
	return func(arguments []byte) error { return check(schema, arguments) }, nil
}

func compileError(err error) error {
	if errors.Is(err, errSchemaOutside) {
		return errSchemaOutside
	}
	if invalid, ok := errors.AsType[*jsonschema.SchemaValidationError](err); ok {
		return fmt.Errorf("the schema does not follow its own rules: %w", violations(invalid.Err))
	}
	return errors.New("the schema can't be compiled: a reference or a pattern in it does not hold")
}

func check(schema *jsonschema.Schema, arguments []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(arguments))
	if err != nil {
		return errors.New("not valid JSON")
	}
	if err := schema.Validate(value); err != nil {
		return violations(err)
	}
	return nil
}

// violations turns a validation error into one that shows no values.
func violations(err error) error {
	var v *jsonschema.ValidationError
	if !errors.As(err, &v) {
		return errors.New("does not fit the schema")
	}
	var lines []string
	gather(v, &lines)
	return errors.New(strings.Join(lines, "; "))
}

func gather(v *jsonschema.ValidationError, lines *[]string) {
	if len(*lines) >= maxViolations {
		return
	}
	if len(v.Causes) == 0 {
		*lines = append(*lines, describe(v))
		return
	}
	for _, cause := range v.Causes {
		gather(cause, lines)
	}
}

func describe(v *jsonschema.ValidationError) string {
	at := "/" + strings.Join(v.InstanceLocation, "/")
	switch k := v.ErrorKind.(type) {
	case *kind.Required:
		return fmt.Sprintf("%s: missing %s", at, strings.Join(k.Missing, ", "))
	case *kind.Type:
		return fmt.Sprintf("%s: is %s, wanted %s", at, k.Got, strings.Join(k.Want, " or "))
	case *kind.AdditionalProperties:
		return fmt.Sprintf("%s: unknown property %s", at, strings.Join(k.Properties, ", "))
	default:
		return fmt.Sprintf("%s: does not satisfy %s", at, strings.Join(v.ErrorKind.KeywordPath(), "/"))
	}
}

func depth(v any) int {
	deepest := 0
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			deepest = max(deepest, depth(e))
		}
	case []any:
		for _, e := range v {
			deepest = max(deepest, depth(e))
		}
	default:
		return 0
	}
	return deepest + 1
}
