package apitest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Target is a gateway with a few documents, to be sent bad requests.
type Target struct {
	Base string
	Key  string // with every role
	// An active session and a batch, approval and turn of it that exist.
	Session, Batch, Approval, Turn string
	// State is anything that changes when a request changes something.
	State func(tb testing.TB) string
}

// bad is one bad request and the problem that it must be answered with.
type bad struct {
	name   string
	call   Call
	key    *string // instead of the target's
	status int
	code   string
	fields []string // that the problem has to name, and no others
}

// secret stands in every bad body: no problem may repeat it.
const secret = "hunter2"

// BadInput sends every bad request to every route that it fits. Each must be
// answered with its own problem, and none may change anything.
func BadInput(t *testing.T, target Target) {
	c := NewClient(t, target.Base, target.Key)
	badRPC(t, c, target)
	for _, b := range append(target.everywhere(t), target.particular()...) {
		t.Run(b.name, func(t *testing.T) {
			before := target.State(t)
			client := c
			if b.key != nil {
				client = c.As(*b.key)
			}
			b.check(t, client.Do(t, b.call))
			require.Equal(t, before, target.State(t), "a refused request changes nothing")
		})
	}
}

func (b bad) check(t *testing.T, a Answer) {
	t.Helper()
	require.Equal(t, b.status, a.Status, "%s", a.Body)
	p := a.Problem(t)
	assert.Equal(t, b.code, p.Code)
	assert.Equal(t, b.status, p.Status)
	assert.NotContains(t, string(a.Body), secret, "values are not told back")
	if b.fields != nil {
		assert.Equal(t, b.fields, p.Fields())
	}
}

// path fills a path template with the target's ids.
func (g Target) path(template string) string {
	return strings.NewReplacer("{sid}", g.Session, "{bid}", g.Batch, "{aid}", g.Approval, "{tid}", g.Turn, "{host_id}", "h", "{ref}", "out_1", "{tenant}", "dev", "{kid}", "dev").Replace(template)
}

// everywhere are the bad requests that every operation has to refuse.
func (g Target) everywhere(t *testing.T) []bad {
	var all []bad
	for _, op := range LoadContract(t).Operations() {
		all = append(all, g.badQuery(op))
		all = append(all, g.badMethod(op))
		if strings.Contains(op.Path, "{") {
			all = append(all, g.badIDs(op)...)
		}
		if op.Security == nil { // openapi.yaml's own: a key is needed
			all = append(all, g.badKeys(op)...)
		}
		switch {
		case op.RequestBody == nil:
			all = append(all, g.needlessBodies(op)...)
		case op.OperationID == rpcOperation:
			all = append(all, g.badMedia(op)...)
		default:
			all = append(all, g.badBodies(op)...)
		}
		if op.Method == http.MethodPost {
			all = append(all, g.badIdempotencyKeys(op)...)
		}
	}
	return all
}

func (g Target) call(op Operation) Call {
	return Call{Method: op.Method, Path: withQuery(g.path(op.Path), goodQuery[op.OperationID]), Body: goodBody[op.OperationID]}
}

// goodBody is a body that the contract takes, so that what is wrong is only
// what the case says.
var goodBody = map[string]any{
	"createSession":     `{}`,
	"updateSession":     `{"labels": {}}`,
	"putTools":          `{"tools": []}`,
	"putRules":          `{}`,
	"putApprovalMode":   `{"mode": "default"}`,
	"patchPlan":         `{"append": "x"}`,
	"startTurn":         `{"input": [{"type": "text", "text": "x"}]}`,
	"sayInTurn":         `{"text": "x"}`,
	"completeTurn":      `{"stop_reason": "end_turn"}`,
	"checkModelRequest": `{"format": "anthropic", "batch_id": "bat_1", "messages": []}`,
	"callRPC":           `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list"}`,
	"attachHost":        `{"host_id": "h"}`,
	"heartbeatHost":     `{"fence": 1}`,
	"reportProgress":    `{"host_id": "h", "position": 0, "text": "x"}`,
	"submitBatch":       `{"calls": [{"id": "c1", "name": "write_file", "arguments": {}}]}`,
	"explainCalls":      `{"calls": [{"id": "c1", "name": "write_file", "arguments": {}}]}`,
	"claimCalls":        `{"host_id": "h", "positions": [0]}`,
	"reportResults":     `{"results": [{"position": 0, "status": "success", "output": ""}]}`,
	"respondApproval":   `{"option_id": "reject"}`,
	"createTenant":      `{"id": "acme"}`,
	"putTenantSettings": `{}`,
	"rotateKey":         `{}`,
	"createKey":         `{"id": "ci", "subject": "ci", "roles": ["host"]}`,
}

// GoodBody is a body that the operation takes; nil where it takes none.
func GoodBody(operation string) any { return goodBody[operation] }

// goodQuery is the parameters that an operation can't do without.
var goodQuery = map[string]string{"detachHost": "fence=1"}

// GoodPath is a path with the query that the operation can't do without.
func GoodPath(operation, path string) string { return withQuery(path, goodQuery[operation]) }

func withQuery(path, parameters string) string {
	switch {
	case parameters == "":
		return path
	case strings.Contains(path, "?"):
		return path + "&" + parameters
	default:
		return path + "?" + parameters
	}
}

func (g Target) badQuery(op Operation) bad {
	call := g.call(op)
	call.Path = withQuery(call.Path, "no_such_parameter="+secret)
	return bad{
		name: op.OperationID + " with a parameter that doesn't exist",
		call: call, status: 400, code: "invalid_query", fields: []string{"no_such_parameter"},
	}
}

func (g Target) badMethod(op Operation) bad {
	return bad{
		name: op.OperationID + " with a method that its path doesn't take",
		call: Call{Method: "TRACE", Path: g.path(op.Path)}, status: 405, code: "method_not_allowed",
	}
}

func (g Target) badKeys(op Operation) []bad {
	none, wrong := "", "wrong-"+secret
	inQuery := g.call(op)
	inQuery.Path = withQuery(inQuery.Path, "access_token="+g.Key)
	return []bad{
		{name: op.OperationID + " without a key", call: g.call(op), key: &none, status: 401, code: "unauthenticated"},
		{name: op.OperationID + " with a key that nobody has", call: g.call(op), key: &wrong, status: 401, code: "unauthenticated"},
		{name: op.OperationID + " with its key in the query", call: inQuery, key: &none, status: 401, code: "unauthenticated"},
	}
}

// badIDs are ids that don't exist and ids that can't: to a client they are the
// same.
func (g Target) badIDs(op Operation) []bad {
	var all []bad
	for what, id := range map[string]string{
		"is unknown":             "b0001-nobody",
		"holds NUL":              "a%00b",
		"climbs":                 "..%2F..%2Fetc",
		"is not UTF-8":           "%ff%fe",
		"holds a space":          "a%20b",
		"is longer than any":     strings.Repeat("a", 300),
		"has what keys end with": "a:b}c",
	} {
		call := g.call(op)
		first, _, _ := strings.Cut(op.Path[strings.Index(op.Path, "{"):], "/")
		call.Path = GoodPath(op.OperationID, g.path(strings.Replace(op.Path, first, id, 1)))
		all = append(all, bad{name: op.OperationID + " with an id that " + what, call: call, status: 404, code: "not_found"})
	}
	return all
}

func (g Target) badIdempotencyKeys(op Operation) []bad {
	var all []bad
	for what, key := range map[string]string{
		"too long":    strings.Repeat("k", 256),
		"with blanks": "a b",
		"not ASCII":   "schlüssel",
	} {
		call := g.call(op)
		call.Header = map[string]string{"Idempotency-Key": key}
		all = append(all, bad{
			name: op.OperationID + " with an idempotency key " + what, call: call,
			status: 422, code: "invalid_request", fields: []string{"Idempotency-Key"},
		})
	}
	return all
}
