package api

import (
	"fmt"
	"net/http"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/tenants"
)

// operation is one operation of the contract as the middleware needs it.
type operation struct {
	id     string
	public bool
	roles  []tenants.Role
	route  *routers.Route
	query  map[string]bool // the query parameters that exist
	opaque []opaquePart
	// readsBody leaves the body to the operation, which has its own errors for
	// what is wrong with it, and counts what is in it.
	readsBody bool
}

// takesCalls says whether the operation takes the calls of a model response.
func (op *operation) takesCalls() bool { return op.id == "submitBatch" || op.id == "explainCalls" }

// operations are keyed by method and path template, as chi names a route.
type operations map[string]*operation

// loadContract reads openapi.yaml. Examples are checked by tests, not at start.
func loadContract(yaml []byte) (*openapi3.T, error) {
	doc, err := openapi3.NewLoader().LoadFromData(yaml)
	if err != nil {
		return nil, fmt.Errorf("load contract: %w", err)
	}
	return doc, nil
}

func operationsOf(doc *openapi3.T) operations {
	ops := make(operations)
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			op.Security = &openapi3.SecurityRequirements{} // authenticate knows who may come; the validator would read the body for it
			ops[method+" "+path] = &operation{
				id:     op.OperationID,
				public: isPublic(op.OperationID),
				roles:  rights[op.OperationID],
				route:  &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op},
				query:  queryOf(item, op),
				opaque: opaque[op.OperationID],

				readsBody: op.OperationID == operationRPC,
			}
		}
	}
	return ops
}

func queryOf(item *openapi3.PathItem, op *openapi3.Operation) map[string]bool {
	names := make(map[string]bool)
	for _, params := range []openapi3.Parameters{item.Parameters, op.Parameters} {
		for _, p := range params {
			if p.Value.In == openapi3.ParameterInQuery {
				names[p.Value.Name] = true
			}
		}
	}
	return names
}

// resolve finds the contract's operation for the route that chi matched. It
// runs after routing, so there always is one: routes come from the contract.
func (s *server) resolve(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		pattern := chi.RouteContext(r.Context()).RoutePattern()
		requestOf(r.Context()).operation = s.operations[r.Method+" "+pattern]
		next.ServeHTTP(w, r)
	})
}
