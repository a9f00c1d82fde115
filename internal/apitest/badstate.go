package apitest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// BadState sends requests that are well formed and come at the wrong time, or
// that only the use cases can judge. It needs a real gateway and an admin's
// key, and makes sessions of its own.
func BadState(t *testing.T, base, key string) {
	c := NewClient(t, base, key)
	for name, run := range map[string]func(*testing.T, *Client){
		"rules that don't parse":              badRules,
		"declarations that clash":             badDeclarations,
		"a batch beside an open one":          secondBatch,
		"results for what was not dispatched": undispatched,
		"results twice":                       resultsTwice,
		"results of another host":             heldResults,
		"results after the end":               lateResults,
		"hosts that are not attached":         fencedHosts,
		"words about calls of nobody":         unclaimedProgress,
		"documents that are too long":         longDocuments,
		"answers twice":                       answersTwice,
		"answers to another question":         wrongAnswers,
		"a plan that changed meanwhile":       stalePlan,
		"an idempotency key used twice":       reusedKey,
		"writes to a closed session":          closedSession,
		"turns that are not open":             badTurns,
		"checks of an open batch":             openCheck,
		"cursors of nobody":                   foreignCursors,
	} {
		t.Run(name, func(t *testing.T) { run(t, c) })
	}
}

// scene is a session of a test's own.
type scene struct {
	*Client
	t    *testing.T
	path string
	id   string
}

const twoTools = `"tools": [{"name": "read_file", "kind": "read"}, {"name": "write_file", "kind": "edit", "aliases": ["Write"]}]`

func newScene(t *testing.T, c *Client) *scene {
	t.Helper()
	a := c.Post(t, "/v1/sessions", `{`+twoTools+`}`)
	require.Equal(t, http.StatusCreated, a.Status, "%s", a.Body)
	var doc struct{ ID string }
	a.JSON(t, &doc)
	return &scene{Client: c, t: t, id: doc.ID, path: "/v1/sessions/" + doc.ID}
}

// refused sends a call and expects a problem that changes nothing.
func (s *scene) refused(code string, call Call) Problem {
	s.t.Helper()
	before := string(s.Get(s.t, s.path).Body)
	p := s.Do(s.t, call).Problem(s.t)
	require.Equal(s.t, code, p.Code, "%+v", p)
	require.Equal(s.t, before, string(s.Get(s.t, s.path).Body), "a refused request changes nothing")
	return p
}

func (s *scene) post(path string, body any) Call {
	return Call{Method: http.MethodPost, Path: s.path + path, Body: body}
}

// batch submits one call and answers the batch's path and its approval.
func (s *scene) batch(tool string) (path, approval string) {
	s.t.Helper()
	a := s.Post(s.t, s.path+"/batches", `{"calls": [{"id": "c1", "name": "`+tool+`", "arguments": {"file_path": "a"}}]}`)
	require.Equal(s.t, http.StatusAccepted, a.Status, "%s", a.Body)
	var b struct {
		ID    string
		Calls []struct {
			Approval string `json:"approval_id"`
		}
	}
	a.JSON(s.t, &b)
	return "/batches/" + b.ID, b.Calls[0].Approval
}

func badRules(t *testing.T, c *Client) {
	s := newScene(t, c)
	require.Equal(t, 200, c.Put(t, s.path+"/rules", `{"deny": ["execute(rm *)"]}`).Status)
	for _, rule := range []string{"bash(", "()", "bash)", strings.Repeat("{a,a}", 24), "write({a,b)", "write([)"} {
		call := Call{Method: http.MethodPut, Path: s.path + "/rules", Body: map[string][]string{"allow": {"*"}, "deny": {rule}}}
		assert.Equal(t, []string{"/deny/0"}, s.refused("invalid_request", call).Fields(), rule)
		body := map[string]any{"rules": map[string][]string{"deny": {rule}}}
		p := c.Post(t, "/v1/sessions", body).Problem(t)
		assert.Equal(t, []string{"/rules/deny/0"}, p.Fields(), rule)
	}
	assert.Contains(t, string(c.Get(t, s.path).Body), "execute(rm *)", "the old rules stay in force")
}

func badDeclarations(t *testing.T, c *Client) {
	s := newScene(t, c)
	for what, tools := range map[string]string{
		"a name twice":                                     `[{"name": "a"}, {"name": "a"}]`,
		"an alias that is a name":                          `[{"name": "a"}, {"name": "b", "aliases": ["a"]}]`,
		"an alias twice":                                   `[{"name": "a", "aliases": ["x"]}, {"name": "b", "aliases": ["x"]}]`,
		"a name of the gateway's":                          `[{"name": "enter_plan_mode"}]`,
		"an alias of the gateway's":                        `[{"name": "a", "aliases": ["exit_plan_mode"]}]`,
		"names that a provider spells alike":               `[{"name": "fs.read"}, {"name": "fs_read"}]`,
		"a name that a provider spells like the gateway's": `[{"name": "exit.plan.mode"}]`,
		"a pseudo-tool of another kind":                    `[{"name": "write", "kind": "read"}]`,
		"a writer that only reads":                         `[{"name": "a", "kind": "edit", "read_only": true}]`,
		"a schema that is none":                            `[{"name": "a", "input_schema": {"type": "hunter2"}}]`,
		"a schema that points at a file":                   `[{"name": "a", "input_schema": {"$ref": "file:///etc/passwd"}}]`,
		"a schema that points at a network":                `[{"name": "a", "input_schema": {"$ref": "http://127.0.0.1:1/x"}}]`,
		"a schema that is too deep":                        `[{"name": "a", "input_schema": ` + strings.Repeat(`{"not":`, 40) + "{}" + strings.Repeat("}", 40) + `}]`,
		"a schema that is too large":                       `[{"name": "a", "input_schema": {"description": "` + strings.Repeat("x", 70<<10) + `"}}]`,
	} {
		p := s.refused("invalid_request", Call{Method: http.MethodPut, Path: s.path + "/tools", Body: `{"tools": ` + tools + `}`})
		assert.NotEmpty(t, p.Fields(), what)
		assert.NotContains(t, fmt.Sprint(p), "root:", what)
		assert.NotContains(t, fmt.Sprint(p), secret, what)
	}
}

func secondBatch(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.batch("read_file")
	a := c.Do(t, s.post("/batches", `{"calls": [{"name": "read_file"}]}`))
	var p struct {
		Code   string
		Batch  string `json:"batch_id"`
		SHA256 string `json:"calls_sha256"`
	}
	a.JSON(t, &p)
	require.Equal(t, "batch_in_progress", p.Code)
	require.Equal(t, path, "/batches/"+p.Batch)
	require.Len(t, p.SHA256, 64)
	s.refused("batch_incomplete", Call{Method: http.MethodGet, Path: s.path + path + "/next-request"})
}

func undispatched(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, approval := s.batch("write_file")
	require.NotEmpty(t, approval)
	s.refused("call_not_dispatched", s.post(path+"/results", `{"results": [{"position": 0, "status": "success", "output": ""}]}`))
	for _, unknown := range []string{`"position": 9`, `"call_id": "nobody"`} {
		p := s.refused("invalid_request", s.post(path+"/results", `{"results": [{`+unknown+`, "status": "success", "output": ""}]}`))
		assert.NotEmpty(t, p.Fields())
	}
	p := s.refused("invalid_request", s.post(path+"/results",
		`{"results": [{"position": 0, "status": "success", "output": ""}, {"call_id": "c1", "status": "success", "output": ""}]}`))
	assert.NotEmpty(t, p.Fields(), "one call can't have two results in one report")
	s.refused("not_found", s.post("/batches/bat_none/results", `{"results": [{"position": 0, "status": "success", "output": ""}]}`))
}

func resultsTwice(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.batch("read_file")
	same := s.post(path+"/results", `{"results": [{"call_id": "c1", "status": "success", "output": "one"}]}`)
	require.Equal(t, 200, c.Do(t, same).Status)
	require.Equal(t, 200, c.Do(t, same).Status, "the same again is accepted")
	s.refused("result_conflict", s.post(path+"/results", `{"results": [{"call_id": "c1", "status": "success", "output": "two"}]}`))
}

func heldResults(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.batch("read_file")
	require.Equal(t, 200, c.Do(t, s.post(path+"/claims", `{"host_id": "a", "positions": [0]}`)).Status)
	s.refused("call_held", s.post(path+"/results", `{"host_id": "b", "results": [{"position": 0, "status": "success", "output": ""}]}`))
	s.refused("call_held", s.post(path+"/results", `{"results": [{"position": 0, "status": "success", "output": ""}]}`))
	a := c.Do(t, s.post(path+"/claims", `{"host_id": "b", "positions": [0]}`))
	require.Contains(t, string(a.Body), `"granted":false`)
	require.Contains(t, string(a.Body), `"held_by":"a"`)
}

func lateResults(t *testing.T, c *Client) {
	s := newScene(t, c)
	path, _ := s.batch("read_file")
	require.Equal(t, 200, c.Do(t, s.post(path+"/claims", `{"host_id": "a", "positions": [0]}`)).Status)
	require.Equal(t, 200, c.Do(t, s.post(path+"/abort", "")).Status)
	late := s.post(path+"/results", `{"host_id": "a", "results": [{"position": 0, "status": "success", "output": ""}]}`)
	require.Equal(t, "call_late", c.Do(t, late).Problem(t).Code)
	require.Equal(t, 200, c.Do(t, s.post(path+"/abort", "")).Status, "aborted already: unchanged")
}

func answersTwice(t *testing.T, c *Client) {
	s := newScene(t, c)
	_, approval := s.batch("write_file")
	respond := func(option string) Answer {
		return c.Post(t, "/v1/approvals/"+approval+"/respond", `{"option_id": "`+option+`"}`)
	}
	require.Equal(t, 200, respond("reject").Status)
	a := respond("allow_once")
	require.Equal(t, "approval_already_resolved", a.Problem(t).Code)
	require.Contains(t, string(a.Body), `"option_id":"reject"`, "the loser is told what was answered")
	require.Contains(t, string(a.Body), `"resolved_by":`, "and by whom")
	require.Contains(t, string(c.Get(t, "/v1/approvals/"+approval).Body), `"status":"rejected"`)
}

func wrongAnswers(t *testing.T, c *Client) {
	s := newScene(t, c)
	_, approval := s.batch("write_file")
	respond := "/v1/approvals/" + approval + "/respond"
	p := s.refused("invalid_request", Call{Method: http.MethodPost, Path: respond, Body: `{"option_id": "restore_previous"}`})
	require.Equal(t, []string{"/option_id"}, p.Fields())
	s.refused("not_found", Call{Method: http.MethodPost, Path: "/v1/approvals/apr_none/respond", Body: `{"option_id": "reject"}`})
}

func stalePlan(t *testing.T, c *Client) {
	s := newScene(t, c)
	patch := func(tag string) Call {
		return Call{Method: http.MethodPatch, Path: s.path + "/plan", Body: `{"append": "x"}`, Header: map[string]string{"If-Match": tag}}
	}
	tag := c.Get(t, s.path+"/plan").Header.Get("ETag")
	require.Equal(t, 200, c.Do(t, patch(tag)).Status)
	s.refused("precondition_failed", patch(tag))
}

func reusedKey(t *testing.T, c *Client) {
	key := map[string]string{"Idempotency-Key": "apitest-" + t.Name()}
	create := func(body string) Answer {
		return c.Do(t, Call{Method: http.MethodPost, Path: "/v1/sessions", Body: body, Header: key})
	}
	first, again := create(`{}`), create(`{}`)
	require.Equal(t, 201, first.Status)
	require.Equal(t, 201, again.Status)
	require.Equal(t, "true", again.Header.Get("Idempotency-Replayed"))
	require.JSONEq(t, string(first.Body), string(again.Body))
	require.Equal(t, "idempotency_key_reused", create(`{"sdk": true}`).Problem(t).Code)
}

func closedSession(t *testing.T, c *Client) {
	s := newScene(t, c)
	require.Equal(t, 204, c.Do(t, Call{Method: http.MethodDelete, Path: s.path}).Status)
	for _, op := range []string{
		"attachHost POST /hosts", "heartbeatHost POST /hosts/h/heartbeat", "detachHost DELETE /hosts/h?fence=1",
		"closeSession DELETE ", "updateSession PATCH ", "putTools PUT /tools", "putRules PUT /rules", "putApprovalMode PUT /approval-mode", "patchPlan PATCH /plan", "submitBatch POST /batches", "explainCalls POST /explain",
		"startTurn POST /turns",
	} {
		words := strings.SplitN(op, " ", 3)
		s.refused("session_closed", Call{Method: words[1], Path: s.path + words[2], Body: GoodBody(words[0])})
	}
	child := c.Post(t, "/v1/sessions", `{"parent_session_id": "`+s.id+`"}`)
	require.Equal(t, "session_closed", child.Problem(t).Code)
}

func foreignCursors(t *testing.T, c *Client) {
	s := newScene(t, c)
	for _, path := range []string{"/v1/sessions", "/v1/approvals", s.path + "/batches"} {
		a := c.Get(t, path+"?cursor=bm9ib2R5")
		assert.Equal(t, "invalid_cursor", a.Problem(t).Code, path)
	}
	s.refused("not_found", Call{Method: http.MethodGet, Path: s.path + "/outputs/out_none"})
}
