package api

import (
	"errors"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"github.com/session-gateway/gateway/sessions"
)

// findings sorts what the validator found by the part of the request.
type findings struct {
	path, query, fields []sessions.Field
	cursor              bool
	noCalls, manyCalls  bool
	noBody              bool
	opened              map[string]bool // objects whose unknown members are listed
}

// refusalOf turns the validator's errors, which hold values of the request,
// into a problem that doesn't.
func refusalOf(op *operation, err error) error {
	var f findings
	f.collect(err)
	switch {
	case len(f.path) > 0:
		return refusal(sessions.CodeNotFound, "There is no such thing, or it is not yours.")
	case f.cursor:
		return &sessions.Problem{Code: sessions.CodeBadCursor, Detail: "The cursor has none of the known forms.", Fields: f.query}
	case len(f.query) > 0:
		return invalidQuery(f.query)
	case f.noBody:
		return refusal(codeMalformedBody, "A JSON body is needed.")
	case op.takesCalls() && f.noCalls:
		return refusal(sessions.CodeNoToolCalls, "A batch has at least one call.")
	case op.takesCalls() && f.manyCalls:
		return refusal(sessions.CodeTooManyCalls, "A batch has at most 256 calls.")
	}
	return invalidFields(f.fields)
}

func (f *findings) collect(err error) {
	var many openapi3.MultiError
	var one *openapi3filter.RequestError
	switch {
	case errors.As(err, &one):
		f.request(one)
	case errors.As(err, &many):
		for _, e := range many {
			f.collect(e)
		}
	default:
		f.fields = append(f.fields, sessions.Field{Detail: "is not valid"})
	}
}

func (f *findings) request(e *openapi3filter.RequestError) {
	if e.Parameter == nil {
		f.noBody = f.noBody || errors.Is(e.Err, openapi3filter.ErrInvalidRequired)
		f.body(e.Err)
		return
	}
	field := sessions.Field{Path: e.Parameter.Name, Detail: parameterDetail(e)}
	switch e.Parameter.In {
	case openapi3.ParameterInPath:
		f.path = append(f.path, field)
	case openapi3.ParameterInQuery:
		f.query = append(f.query, field)
		f.cursor = f.cursor || slices.Contains([]string{"cursor", "after"}, field.Path)
	default:
		f.cursor = f.cursor || field.Path == "Last-Event-ID"
		f.fields = append(f.fields, field)
	}
}

func (f *findings) body(err error) {
	var schema *openapi3.SchemaError
	var many openapi3.MultiError
	switch {
	case errors.As(err, &many):
		for _, e := range many {
			f.body(e)
		}
	case errors.As(err, &schema):
		f.schema(schema)
	default:
		f.fields = append(f.fields, sessions.Field{Detail: "is not valid"})
	}
}

func (f *findings) schema(e *openapi3.SchemaError) {
	if e.SchemaField == "properties" {
		f.unknown(e)
		return
	}
	field := sessions.Field{Path: pointer(e.JSONPointer()...), Detail: schemaDetail(e)}
	if field.Path == "/calls" {
		f.noCalls = f.noCalls || e.SchemaField == "minItems"
		f.manyCalls = f.manyCalls || e.SchemaField == "maxItems"
	}
	f.fields = append(f.fields, field)
}

// unknown lists the members of an object that its schema doesn't have. The
// validator reports them one by one without their names, so the first report of
// an object stands for all of them.
func (f *findings) unknown(e *openapi3.SchemaError) {
	at := pointer(e.JSONPointer()...)
	members, _ := e.Value.(map[string]any)
	if f.opened[at] {
		return
	}
	if f.opened == nil {
		f.opened = make(map[string]bool)
	}
	f.opened[at] = true
	for name := range members {
		if e.Schema.Properties[name] == nil {
			path := pointer(append(e.JSONPointer(), name)...)
			f.fields = append(f.fields, sessions.Field{Path: path, Detail: schemaDetail(e)})
		}
	}
}
