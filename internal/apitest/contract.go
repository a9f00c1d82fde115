package apitest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/stretchr/testify/require"

	gateway "github.com/session-gateway/gateway"
)

// commonCodes are answered by every operation; openapi.yaml doesn't repeat them.
var commonCodes = []string{
	"unauthenticated", "forbidden", "host_refused", "origin_refused", "certificate_required", "csrf_refused", "rate_limited", "quota_exceeded",
	"not_found", "method_not_allowed",
	"invalid_query", "invalid_request", "malformed_body", "too_large", "unsupported_media_type", "internal",
	"store_unavailable", "not_replicated",
}

// Contract is openapi.yaml, ready to judge answers.
type Contract struct {
	Doc    *openapi3.T
	router routers.Router
}

var load = sync.OnceValues(func() (*Contract, error) {
	doc, err := openapi3.NewLoader().LoadFromData(gateway.OpenAPI)
	if err != nil {
		return nil, fmt.Errorf("load contract: %w", err)
	}
	doc.Servers = nil // tests listen on any port
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("route contract: %w", err)
	}
	return &Contract{Doc: doc, router: router}, nil
})

// LoadContract is the contract that the program was built with.
func LoadContract(tb testing.TB) *Contract {
	tb.Helper()
	c, err := load()
	require.NoError(tb, err)
	return c
}

// CheckAnswer reports what of an answer the contract doesn't allow. Routes that
// the contract doesn't have must be answered as problems.
func (c *Contract) CheckAnswer(req *http.Request, status int, header http.Header, body []byte) error {
	route, params, err := c.router.FindRoute(req)
	if err != nil {
		return c.checkProblem(nil, body)
	}
	in := &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: status, Header: header,
		Body:    io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true, MultiError: true, ExcludeResponseBody: isText(header)},
	}
	if err := openapi3filter.ValidateResponse(context.Background(), out); err != nil {
		return fmt.Errorf("%s %d: %w", route.Operation.OperationID, status, err)
	}
	if status < http.StatusBadRequest || header.Get("Content-Type") != "application/problem+json" {
		return nil
	}
	return c.checkProblem(route.Operation, body)
}

// isText is true for answers whose schema is only "a string".
func isText(h http.Header) bool {
	return slices.Contains([]string{"text/event-stream", "application/x-ndjson", "application/yaml"}, h.Get("Content-Type"))
}

func (c *Contract) checkProblem(op *openapi3.Operation, body []byte) error {
	if err := c.CheckSchema("Problem", body); err != nil {
		return err
	}
	var p struct{ Code string }
	if err := json.Unmarshal(body, &p); err != nil {
		return err
	}
	if op == nil || slices.Contains(commonCodes, p.Code) || slices.Contains(Words(op.Extensions["x-problems"]), p.Code) {
		return nil
	}
	return fmt.Errorf("%s answers %s, which its x-problems don't list", op.OperationID, p.Code)
}

// CheckSchema reports what of a JSON text doesn't fit a schema of the contract.
func (c *Contract) CheckSchema(name string, text []byte) error {
	schema, ok := c.Doc.Components.Schemas[name]
	if !ok {
		return fmt.Errorf("the contract has no schema %s", name)
	}
	var value any
	if err := json.Unmarshal(text, &value); err != nil {
		return fmt.Errorf("schema %s: %w", name, err)
	}
	if err := schema.Value.VisitJSON(value, openapi3.MultiErrors()); err != nil {
		return fmt.Errorf("schema %s: %w", name, err)
	}
	return nil
}

// CheckEvent reports what of an event, as it stands behind `data: `, doesn't
// fit the contract.
func (c *Contract) CheckEvent(text []byte) error {
	return c.checkEvent(text, "Event", "streamEvents", "stream.")
}

// CheckTenantEvent is CheckEvent for a tenant's stream.
func (c *Contract) CheckTenantEvent(text []byte) error {
	return c.checkEvent(text, "TenantEvent", "streamTenantEvents", "stream.", "tenant.")
}

// checkEvent holds an event to a schema, and its data to the one that the
// operation has for its type. Types with one of the prefixes have no seq.
func (c *Contract) checkEvent(text []byte, schema, operation string, outside ...string) error {
	if err := c.CheckSchema(schema, text); err != nil {
		return err
	}
	var e struct {
		Seq  *uint64
		Type string
		Data json.RawMessage
	}
	if err := json.Unmarshal(text, &e); err != nil {
		return err
	}
	hasPrefix := func(prefix string) bool { return strings.HasPrefix(e.Type, prefix) }
	if (e.Seq == nil) != slices.ContainsFunc(outside, hasPrefix) {
		return fmt.Errorf("event %s: only frames outside of the log have no seq", e.Type)
	}
	schemas, _ := c.Operation(operation).Extensions["x-event-data"].(map[string]any)
	name, _ := schemas[e.Type].(string)
	if err := c.CheckSchema(name, e.Data); err != nil {
		return fmt.Errorf("event %s: %w", e.Type, err)
	}
	return nil
}

// Operation finds an operation by its id; nil when there is none.
func (c *Contract) Operation(id string) *openapi3.Operation {
	for _, op := range c.Operations() {
		if op.OperationID == id {
			return op.Operation
		}
	}
	return nil
}

// Operation is one operation and where it is.
type Operation struct {
	Method, Path string
	*openapi3.Operation
}

// Operations lists all operations, by path and method.
func (c *Contract) Operations() []Operation {
	var ops []Operation
	for _, path := range c.Doc.Paths.InMatchingOrder() {
		item := c.Doc.Paths.Value(path)
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if op := item.GetOperation(method); op != nil {
				ops = append(ops, Operation{method, path, op})
			}
		}
	}
	return ops
}

// Words reads a list of words out of an extension.
func Words(extension any) []string {
	list, _ := extension.([]any)
	words := make([]string, 0, len(list))
	for _, w := range list {
		words = append(words, fmt.Sprint(w))
	}
	return words
}
