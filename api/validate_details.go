package api

import (
	"errors"
	"fmt"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
)

// schemaDetail says what the contract wants, in words of our own: the
// validator's messages quote what was sent.
func schemaDetail(e *openapi3.SchemaError) string {
	sc := e.Schema
	switch e.SchemaField {
	case "required":
		return "is required"
	case "properties":
		return "is not a field of this request"
	case "nullable":
		return "must not be null"
	case "type":
		return "must be " + article(strings.Join(sc.Type.Slice(), " or "))
	case "enum":
		return "must be one of " + words(sc.Enum)
	case "pattern":
		return "has characters or a form that are not allowed"
	case "oneOf":
		return "has none of the allowed forms"
	}
	return boundDetail(e.SchemaField, sc)
}

func boundDetail(field string, sc *openapi3.Schema) string {
	switch field {
	case "minLength":
		return fmt.Sprintf("must have at least %d characters", sc.MinLength)
	case "maxLength":
		return fmt.Sprintf("must have at most %d characters", *sc.MaxLength)
	case "minItems":
		return fmt.Sprintf("must have at least %d elements", sc.MinItems)
	case "maxItems":
		return fmt.Sprintf("must have at most %d elements", *sc.MaxItems)
	case "minProperties":
		return fmt.Sprintf("must have at least %d fields", sc.MinProps)
	case "maxProperties":
		return fmt.Sprintf("must have at most %d fields", *sc.MaxProps)
	case "minimum":
		return fmt.Sprintf("must be at least %v", *sc.Min)
	case "maximum":
		return fmt.Sprintf("must be at most %v", int64(*sc.Max))
	}
	return "is not valid"
}

func parameterDetail(e *openapi3filter.RequestError) string {
	var schema *openapi3.SchemaError
	switch {
	case errors.As(e.Err, &schema):
		return schemaDetail(schema)
	case errors.Is(e.Err, openapi3filter.ErrInvalidRequired):
		return "is required"
	case e.Parameter.Schema != nil:
		return "must be " + article(strings.Join(e.Parameter.Schema.Value.Type.Slice(), " or "))
	}
	return "is not valid"
}

func article(noun string) string {
	if strings.IndexAny(noun, "aeio") == 0 {
		return "an " + noun
	}
	return "a " + noun
}

func words(values []any) string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		if v == nil {
			v = "null"
		}
		out = append(out, fmt.Sprint(v))
	}
	return strings.Join(out, ", ")
}
