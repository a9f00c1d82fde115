package apitest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rpcOperation is the operation that answers what is wrong with its body as
// JSON-RPC says, and not as the others do.
const rpcOperation = "callRPC"

// badCall is a body of POST /v1/rpc and the code of its one error.
type badCall struct {
	what, body string
	code       int
}

// badCalls are bodies that are no calls; values never come back.
var badCalls = []badCall{
	{"is empty", "", -32700},
	{"is no JSON", "{" + secret, -32700},
	{"ends early", `{"jsonrpc": "2.0", "method": "` + secret, -32700},
	{"is not UTF-8", "{\"a\": \"\xff\xfe\"}", -32700},
	{"is deep enough to crash a parser", strings.Repeat("[", 1<<20), -32700},
	{"is an empty list", "[]", -32600},
	{"is a text", `"` + secret + `"`, -32600},
	{"is null", "null", -32600},
	{"is a list of too many", "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"a"},`, 32) + `{"jsonrpc":"2.0","id":1,"method":"a"}]`, -32600},
	{"has more values than anybody needs", "[" + strings.Repeat("1,", 200_000) + "1]", -32600},
	{"has the same key twice", `{"jsonrpc": "2.0", "id": 1, "id": 2, "method": "` + secret + `"}`, -32600},
	{"is of another version", `{"jsonrpc": "1.0", "id": 1, "method": "harness.v1.approvals.list"}`, -32600},
	{"has no method", `{"jsonrpc": "2.0", "id": 1}`, -32600},
	{"has an id that is an object", `{"jsonrpc": "2.0", "id": {"a": "` + secret + `"}, "method": "harness.v1.approvals.list"}`, -32600},
	{"has an id that is too long", `{"jsonrpc": "2.0", "id": "` + strings.Repeat("x", 200) + `", "method": "harness.v1.approvals.list"}`, -32600},
	{"has a member of its own", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list", "x": "` + secret + `"}`, -32600},
	{"asks for a method that doesn't exist", `{"jsonrpc": "2.0", "id": 1, "method": "` + secret + `"}`, -32601},
	{"spells a method in capitals", `{"jsonrpc": "2.0", "id": 1, "method": "Harness.V1.Approvals.List"}`, -32601},
	{"gives parameters by place", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list", "params": ["` + secret + `"]}`, -32602},
	{"gives a parameter that doesn't exist", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list", "params": {"denny": "` + secret + `"}}`, -32602},
	{"gives a status that doesn't exist", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list", "params": {"status": "` + secret + `"}}`, -32602},
	{"gives a limit of 0", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list", "params": {"limit": 0}}`, -32602},
	{"gives a fraction for a limit", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.list", "params": {"limit": 1.5}}`, -32602},
	{"resolves nothing", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.resolve", "params": {"option_id": "reject"}}`, -32602},
	{"resolves without an answer", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.resolve", "params": {"approval_id": "apr_x"}}`, -32602},
	{"resolves with a hash that is none", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.approvals.resolve", "params": {"approval_id": "apr_x", "option_id": "reject", "plan_sha256": "` + secret + `"}}`, -32602},
	{"responds to no call", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.runtimes.respond", "params": {"session_id": "ses_x", "option_id": "reject"}}`, -32602},
	{"responds in a session of nobody", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.runtimes.respond", "params": {"session_id": "ses_x", "call_id": "c1", "option_id": "reject"}}`, -32001},
	{"interrupts nothing", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.runtimes.interrupt"}`, -32602},
	{"interrupts a session of nobody", `{"jsonrpc": "2.0", "id": 1, "method": "harness.v1.runtimes.interrupt", "params": {"session_id": "ses_x"}}`, -32001},
}

// badRPC sends each of them; none may change anything.
func badRPC(t *testing.T, c *Client, target Target) {
	t.Helper()
	for _, b := range badCalls {
		t.Run(rpcOperation+" with a body that "+b.what, func(t *testing.T) {
			before := target.State(t)
			a := c.Do(t, Call{Method: "POST", Path: "/v1/rpc", Body: b.body, Header: map[string]string{"Content-Type": "application/json"}})
			require.Equal(t, 200, a.Status, "%s", a.Body)
			require.Contains(t, string(a.Body), `"code":`+strconv.Itoa(b.code), "%s", a.Body)
			assert.NotContains(t, string(a.Body), secret, "values are not told back")
			require.Equal(t, before, target.State(t), "a refused request changes nothing")
		})
	}
}
