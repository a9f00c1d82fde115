package api_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/sessions"
)

// calls are a good request of every method.
var calls = map[string]string{
	"harness.v1.approvals.list":     `{"jsonrpc":"2.0","id":1,"method":"harness.v1.approvals.list","params":{"limit":5,"status":null}}`,
	"harness.v1.approvals.resolve":  `{"jsonrpc":"2.0","id":1,"method":"harness.v1.approvals.resolve","params":{"approval_id":"` + aid + `","option_id":"reject","feedback":"<no>"}}`,
	"harness.v1.runtimes.respond":   `{"jsonrpc":"2.0","id":1,"method":"harness.v1.runtimes.respond","params":{"session_id":"` + sid + `","call_id":"c1","option_id":"reject"}}`,
	"harness.v1.runtimes.interrupt": `{"jsonrpc":"2.0","id":1,"method":"harness.v1.runtimes.interrupt","params":{"session_id":"` + sid + `"}}`,
}

// TestEveryMethodHasTheRolesOfItsRoute calls each method with every role's key.
func TestEveryMethodHasTheRolesOfItsRoute(t *testing.T) {
	t.Parallel()
	b := start(t)
	for method, roles := range map[string]string{
		"harness.v1.approvals.list":     "viewer frontend host admin",
		"harness.v1.approvals.resolve":  "frontend admin",
		"harness.v1.runtimes.respond":   "frontend admin",
		"harness.v1.runtimes.interrupt": "frontend host admin",
	} {
		for _, role := range []string{"viewer", "frontend", "host", "admin"} {
			before := b.service.count()
			a := b.As(role).Post(t, "/v1/rpc", calls[method])
			require.Equal(t, 200, a.Status)
			if strings.Contains(roles, role) {
				require.Contains(t, string(a.Body), `"result":`, "%s as %s", method, role)
				continue
			}
			require.Contains(t, string(a.Body), `"code":-32005`, "%s as %s", method, role)
			require.Equal(t, before, b.service.count())
		}
	}
}

func TestEveryMethodOfTheContractIsServed(t *testing.T) {
	t.Parallel()
	b := start(t)
	enum := apitest.LoadContract(t).Doc.Components.Schemas["RPCRequest"].Value.Properties["method"].Value.Enum
	require.Len(t, enum, len(calls))
	for _, method := range enum {
		a := b.Post(t, "/v1/rpc", calls[method.(string)])
		require.Contains(t, string(a.Body), `"result":`, method)
	}
}

// TestProblemsAreToldAsErrorsWithTheirCode refuses with every code that there is.
func TestProblemsAreToldAsErrorsWithTheirCode(t *testing.T) {
	t.Parallel()
	for _, kind := range api.ProblemKinds() {
		b := start(t)
		b.service.refuse = &sessions.Problem{Code: kind.Code, Detail: "why", Extra: map[string]any{"resolved_by": "alice", "code": "x"}}
		a := b.Post(t, "/v1/rpc", calls["harness.v1.approvals.resolve"])
		require.Equal(t, 200, a.Status)
		var answer struct {
			Error struct {
				Code    int
				Message string
				Data    map[string]any
			}
		}
		a.JSON(t, &answer)
		require.LessOrEqual(t, answer.Error.Code, -32000)
		require.Equal(t, kind.Title, answer.Error.Message)
		require.Equal(t, string(kind.Code), answer.Error.Data["code"])
		require.Equal(t, "alice", answer.Error.Data["resolved_by"])
		require.Equal(t, kind.Retryable, answer.Error.Data["retryable"])
		require.NotContains(t, answer.Error.Data, "status")
	}
	b := start(t)
	b.service.refuse = errors.New("the disk is on fire")
	a := b.Post(t, "/v1/rpc", calls["harness.v1.runtimes.interrupt"])
	require.Contains(t, string(a.Body), `"code":-32603`)
	require.NotContains(t, string(a.Body), "fire")
	require.Contains(t, b.log.String(), "fire")
}

// TestJSONRPCIsNoWayAroundALimit: what may be refused over HTTP may be here,
// the ends of things are not.
func TestJSONRPCIsNoWayAroundALimit(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) { c.Quotas = &fakeQuotas{spent: true} })
	for method, call := range calls {
		before := b.service.count()
		a := b.Post(t, "/v1/rpc", call)
		require.Equal(t, 200, a.Status)
		require.Contains(t, a.Header.Get("RateLimit"), `"key-requests";r=0;t=2`)
		if method != "harness.v1.approvals.list" {
			require.Contains(t, string(a.Body), `"result":`, method)
			continue
		}
		require.Contains(t, string(a.Body), `"code":-32011`)
		require.Contains(t, string(a.Body), `"code":"rate_limited"`)
		require.Contains(t, string(a.Body), `"retry_after":2`)
		require.Equal(t, "2", a.Header.Get("Retry-After"))
		require.Equal(t, before, b.service.count())
	}
	for _, body := range []string{"{", "[]", `{"jsonrpc":"2.0","id":1,"method":"x"}`, `[1]`} {
		require.Contains(t, string(b.Post(t, "/v1/rpc", body).Body), `"code":-32011`, body)
	}
	notified := b.Post(t, "/v1/rpc", `{"jsonrpc":"2.0","method":"harness.v1.approvals.list"}`)
	require.Equal(t, 204, notified.Status)
	require.Equal(t, "2", notified.Header.Get("Retry-After"), "the header can say what no answer does")
}

func TestEachCallOfAListCountsAsARequest(t *testing.T) {
	t.Parallel()
	q := &fakeQuotas{}
	b := start(t, func(c *api.Config) { c.Quotas = q })
	list := calls["harness.v1.approvals.list"]
	for _, c := range []struct {
		body  string
		count int64
	}{{list, 1}, {"[" + list + "," + list + ",1]", 3}, {"{", 1}, {"[]", 1}} {
		before := q.requests.Load()
		require.Equal(t, 200, b.Post(t, "/v1/rpc", c.body).Status)
		require.Equal(t, c.count, q.requests.Load()-before, c.body)
	}
}

func TestTheAuditLogIsToldOfMethodsThatAKeyMayNotCall(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.As("host").Post(t, "/v1/rpc", calls["harness.v1.approvals.resolve"])
	require.Len(t, b.service.noted, 1)
	require.Contains(t, b.service.noted[0], "request.refused respondApproval")
}

func TestAKeyCountsForEachCallOfAListByItsPlace(t *testing.T) {
	t.Parallel()
	b := start(t)
	send := func(body string) {
		a := b.Do(t, apitest.Call{Method: "POST", Path: "/v1/rpc", Body: body, Header: map[string]string{"Idempotency-Key": "k"}})
		require.Equal(t, 200, a.Status)
	}
	one := calls["harness.v1.runtimes.interrupt"]
	send(one)
	require.Equal(t, sessions.Idempotency{Key: "k", Route: "POST /v1/rpc", BodyHash: sha256.Sum256([]byte(one))}, b.service.idem)
	send("[" + calls["harness.v1.approvals.list"] + "," + one + "]")
	require.Equal(t, "k#1", b.service.idem.Key)
	require.Equal(t, sha256.Sum256([]byte(one)), b.service.idem.BodyHash)
}

func TestNotificationsAreMadeAndNotAnswered(t *testing.T) {
	t.Parallel()
	b := start(t)
	one := strings.Replace(calls["harness.v1.runtimes.interrupt"], `"id":1,`, "", 1)
	for i, body := range []string{one, "[" + one + "," + one + "]"} {
		a := b.Post(t, "/v1/rpc", body)
		require.Equal(t, 204, a.Status)
		require.Empty(t, a.Body)
		require.Equal(t, []int{1, 3}[i], b.service.count())
	}
	a := b.Post(t, "/v1/rpc", strings.Replace(calls["harness.v1.approvals.list"], `"id":1`, `"id":null`, 1))
	require.Contains(t, string(a.Body), `"id":null,"result"`, "null is an id, if a poor one")
}

func TestTheDocsListEveryRPCCode(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/rpc.md")
	require.NoError(t, err)
	for _, code := range []int{-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003, -32004, -32005, -32006, -32007, -32008, -32010, -32011} {
		require.Contains(t, string(page), fmt.Sprintf("| %d |", code))
	}
	for method := range calls {
		require.Contains(t, string(page), "| `"+method+"` |")
	}
}

func TestAPromptReachesTheUseCaseAsItCame(t *testing.T) {
	t.Parallel()
	b := start(t)
	input := `[ {"type":"text", "text":"\u003c<é>", "n": 12345678901234567890} ]`
	a := b.Post(t, "/v1/sessions/"+sid+"/turns", `{"input": `+input+`}`)
	require.Equal(t, 201, a.Status)
	require.Equal(t, input, b.service.input)
	messages := `[{"role": "user", "content": [{"a": 1, "a": 2}]}]`
	a = b.Post(t, "/v1/sessions/"+sid+"/model-requests", `{"format": "anthropic", "batch_id": "`+bid+`", "messages": `+messages+`}`)
	require.Equal(t, 200, a.Status, "%s", a.Body)
	require.Equal(t, messages, string(b.service.asked.Messages))
}
