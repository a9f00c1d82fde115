package apitest

import (
	"fmt"
	"strings"
)

// value is a body with one wrong value.
type value struct {
	what   string
	body   string
	fields string // comma-separated
}

// particular are bad requests that only one operation knows.
func (g Target) particular() []bad {
	all := append(g.badQueries(), g.badCalls()...)
	for route, values := range badValues {
		method, template, _ := strings.Cut(route, " ")
		for _, v := range values {
			all = append(all, bad{
				name: route + " " + v.what, call: Call{Method: method, Path: g.path(template), Body: v.body},
				status: 422, code: "invalid_request", fields: strings.Split(v.fields, ","),
			})
		}
	}
	return all
}

// badValues are bodies with wrong values, by route.
var badValues = map[string][]value{
	"POST /v1/sessions": {
		{"with a runtime that doesn't exist", `{"runtime": "hunter2"}`, "/runtime"},
		{"with two wrong fields", `{"sdk": "hunter2", "agent": 1}`, "/agent,/sdk"},
		{"with a relative cwd", `{"cwd": "srv"}`, "/cwd"},
		{"with NUL in cwd", `{"cwd": "/srv\u0000hunter2"}`, "/cwd"},
		{"with a timeout below zero", `{"approval_timeout_s": -1}`, "/approval_timeout_s"},
		{"with a budget below -1", `{"max_tool_calls": -2}`, "/max_tool_calls"},
		{"with a fraction for a number", `{"idle_ttl_s": 1.5}`, "/idle_ttl_s"},
		{"with a misspelled tier", `{"rules": {"denny": ["hunter2"]}}`, "/rules/denny"},
		{"with a number for a rule", `{"rules": {"deny": [1]}}`, "/rules/deny/0"},
		{"with a nested list for a rule", `{"rules": {"deny": [["hunter2"]]}}`, "/rules/deny/0"},
		{"with an empty rule", `{"rules": {"deny": [""]}}`, "/rules/deny/0"},
		{"with 10,001 rules", `{"rules": {"deny": [` + strings.Repeat(`"x",`, 10_000) + `"x"]}}`, "/rules/deny"},
		{"with a tool without a name", `{"tools": [{"kind": "edit"}]}`, "/tools/0/name"},
		{"with control characters in a tool's name", `{"tools": [{"name": "a\u0007hunter2"}]}`, "/tools/0/name"},
		{"with a kind that doesn't exist", `{"tools": [{"name": "a", "kind": "hunter2"}]}`, "/tools/0/kind"},
		{"with a limit that is neither a number nor unlimited", `{"tools": [{"name": "a", "max_output_chars": "hunter2"}]}`, "/tools/0/max_output_chars"},
		{"with a subject that is no pointer", `{"tools": [{"name": "a", "subjects": {"path": ["hunter2"]}}]}`, "/tools/0/subjects/path/0"},
		{"with a schema that is no object", `{"tools": [{"name": "a", "input_schema": ["hunter2"]}]}`, "/tools/0/input_schema"},
		{"with a key twice in a schema", `{"tools": [{"name": "a", "input_schema": {"type": "object", "type": "hunter2"}}]}`, "/tools/0/input_schema/type"},
		{"with a label that is no text", `{"labels": {"a": 1}}`, "/labels/a"},
		{"with a label's key that is none", `{"labels": {"a b": "x"}}`, "/labels/a b"},
	},
	"PATCH /v1/sessions/{sid}": {
		{"without labels", `{}`, "/labels"},
	},
	"PUT /v1/sessions/{sid}/tools": {
		{"with an alias that is no text", `{"tools": [{"name": "a", "aliases": [1]}]}`, "/tools/0/aliases/0"},
		{"with a timeout of zero", `{"tools": [{"name": "a", "timeout_s": 0}]}`, "/tools/0/timeout_s"},
	},
	"PUT /v1/sessions/{sid}/rules": {
		{"with a list that is null", `{"deny": null}`, "/deny"},
		{"with a rule of 513 characters", `{"allow": ["` + strings.Repeat("x", 513) + `"]}`, "/allow/0"},
	},
	"PUT /v1/sessions/{sid}/approval-mode": {
		{"without a mode", `{}`, "/mode"},
		{"with a mode that doesn't exist", `{"mode": "hunter2"}`, "/mode"},
	},
	"PATCH /v1/sessions/{sid}/plan": {
		{"with nothing", `{}`, ""},
		{"with both texts", `{"append": "a", "text": "b"}`, ""},
		{"with a text that is none", `{"text": 7}`, "/text"},
	},
	"POST /v1/sessions/{sid}/turns": {
		{"with nothing", `{}`, "/input"},
		{"with a text for a list", `{"input": "hunter2"}`, "/input"},
		{"with no items", `{"input": []}`, "/input"},
		{"with an item that is a text", `{"input": ["hunter2"]}`, "/input/0"},
		{"with an item that is null", `{"input": [{}, null]}`, "/input/1"},
		{"with 257 items", `{"input": [` + strings.Repeat(`{},`, 256) + `{}]}`, "/input"},
		{"with a key twice in an item", `{"input": [{"type": "text", "type": "hunter2"}]}`, "/input/0/type"},
	},
	"POST /v1/sessions/{sid}/turns/{tid}/messages": {
		{"without a text", `{}`, "/text"},
		{"with an empty text", `{"text": ""}`, "/text"},
		{"with a text of 65,537 characters", `{"text": "` + strings.Repeat("x", 65_537) + `"}`, "/text"},
	},
	"POST /v1/sessions/{sid}/turns/{tid}/complete": {
		{"without a reason", `{}`, "/stop_reason"},
		{"with a reason that doesn't exist", `{"stop_reason": "hunter2"}`, "/stop_reason"},
		{"with a reason that only the gateway gives", `{"stop_reason": "session_closed"}`, "/stop_reason"},
	},
	"POST /v1/sessions/{sid}/model-requests": {
		{"with nothing", `{}`, "/batch_id,/format,/messages"},
		{"with a format that doesn't exist", `{"format": "hunter2", "batch_id": "b", "messages": []}`, "/format"},
		{"with a batch that can't be", `{"format": "gemini", "batch_id": "a b", "messages": []}`, "/batch_id"},
		{"with messages that are an object", `{"format": "gemini", "batch_id": "b", "messages": {"a": "hunter2"}}`, "/messages"},
	},
	"POST /v1/sessions/{sid}/batches": {
		{"with nothing", `{}`, "/calls"},
		{"with both forms", `{"calls": [{"name": "a"}], "format": "anthropic", "message": {}}`, "/message"},
		{"with a message and no format", `{"message": {"role": "assistant"}}`, "/format"},
		{"with a format and no message", `{"format": "gemini"}`, "/message"},
		{"with a format that doesn't exist", `{"format": "hunter2", "message": {}}`, "/format"},
		{"with a message that is a text", `{"format": "anthropic", "message": "hunter2"}`, "/message"},
		{"with a message whose content is wrong", `{"format": "anthropic", "message": {"content": "hunter2"}}`, "/message/content"},
		{"with a call without a name", `{"calls": [{"id": "c1", "arguments": {}}]}`, "/calls/0/name"},
		{"with an empty name", `{"calls": [{"id": "c1", "name": ""}]}`, "/calls/0/name"},
		{"with a line break in a name", `{"calls": [{"name": "a\nhunter2"}]}`, "/calls/0/name"},
		{"with NUL in an id", `{"calls": [{"id": "c\u0000hunter2", "name": "a"}]}`, "/calls/0/id"},
		{"with an id of 257 characters", `{"calls": [{"id": "` + strings.Repeat("c", 257) + `", "name": "a"}]}`, "/calls/0/id"},
		{"with a call that is a text", `{"calls": ["hunter2"]}`, "/calls/0"},
		{"with a fence of nobody", `{"fence": 1, "calls": [{"name": "a"}]}`, "/fence"},
		{"with a runtime view that is a list", `{"runtime_view": ["hunter2"], "calls": [{"name": "a"}]}`, "/runtime_view"},
		{"with a runtime view that has a key twice", `{"runtime_view": {"a": 1, "a": "hunter2"}, "calls": [{"name": "a"}]}`, "/runtime_view/a"},
		{"with a call's runtime view that is a text", `{"calls": [{"name": "a", "runtime_view": "hunter2"}]}`, "/calls/0/runtime_view"},
		{"with a control character in turn_id", `{"turn_id": "t\u001b", "calls": [{"name": "a"}]}`, "/turn_id"},
	},
	"POST /v1/sessions/{sid}/hosts": {
		{"without a host", `{}`, "/host_id"},
		{"with a name that no path takes", `{"host_id": "a/b"}`, "/host_id"},
		{"with a line break in its name", `{"host_id": "a\n"}`, "/host_id"},
		{"with capabilities that are a text", `{"host_id": "h", "capabilities": "hunter2"}`, "/capabilities"},
		{"for 4 seconds", `{"host_id": "h", "ttl_s": 4}`, "/ttl_s"},
		{"for 301 seconds", `{"host_id": "h", "ttl_s": 301}`, "/ttl_s"},
	},
	"POST /v1/sessions/{sid}/hosts/{host_id}/heartbeat": {
		{"without a fence", `{}`, "/fence"},
		{"with fence 0", `{"fence": 0}`, "/fence"},
		{"with a fence that is a text", `{"fence": "hunter2"}`, "/fence"},
	},
	"POST /v1/sessions/{sid}/batches/{bid}/progress": {
		{"about nothing", `{"host_id": "h", "text": "hunter2"}`, ""},
		{"about two calls", `{"host_id": "h", "call_id": "a", "position": 0, "text": "x"}`, ""},
		{"that says nothing", `{"host_id": "h", "position": 0}`, ""},
		{"with an empty text", `{"position": 0, "text": ""}`, "/text"},
		{"with a text over 4 KiB", `{"position": 0, "text": "` + strings.Repeat("x", 4097) + `"}`, "/text"},
		{"that takes time away", `{"position": 0, "extend_s": -1}`, "/extend_s"},
		{"that asks for more than an hour", `{"position": 0, "extend_s": 3601}`, "/extend_s"},
		{"with fence 0", `{"host_id": "h", "fence": 0, "position": 0, "text": "x"}`, "/fence"},
	},
	"POST /v1/sessions/{sid}/batches/{bid}/claims": {
		{"with fence 0", `{"host_id": "h", "fence": 0, "positions": [0]}`, "/fence"},
		{"without a host", `{"positions": [0]}`, "/host_id"},
		{"for nothing", `{"host_id": "h"}`, ""},
		{"by ids and positions", `{"host_id": "h", "call_ids": ["c1"], "positions": [0]}`, ""},
		{"for position 256", `{"host_id": "h", "positions": [256]}`, "/positions/0"},
		{"for position -1", `{"host_id": "h", "positions": [-1]}`, "/positions/0"},
	},
	"POST /v1/sessions/{sid}/batches/{bid}/results": {
		{"with none", `{"results": []}`, "/results"},
		{"with 257", `{"results": [` + strings.Repeat(`{"position":0,"status":"success","output":""},`, 256) + `{"position":0,"status":"success","output":""}]}`, "/results"},
		{"for nothing", `{"results": [{"status": "success", "output": "hunter2"}]}`, "/results/0"},
		{"by id and position", `{"results": [{"call_id": "a", "position": 0, "status": "success", "output": ""}]}`, "/results/0"},
		{"with a status that hosts don't set", `{"results": [{"position": 0, "status": "cancelled", "output": ""}]}`, "/results/0/status"},
		{"without an output", `{"results": [{"position": 0, "status": "success"}]}`, "/results/0/output"},
		{"with an output that is an object", `{"results": [{"position": 0, "status": "success", "output": {"a": "hunter2"}}]}`, "/results/0/output"},
		{"with an error for a success", `{"results": [{"position": 0, "status": "success", "output": "", "error": {"message": "hunter2"}}]}`, "/results/0/error"},
	},
	"POST /v1/approvals/{aid}/respond": {
		{"without an option", `{}`, "/option_id"},
		{"with an option that doesn't exist", `{"option_id": "hunter2"}`, "/option_id"},
		{"with a hash that is none", `{"option_id": "default", "plan_sha256": "hunter2"}`, "/plan_sha256"},
		{"with an approval of its own", `{"option_id": "reject", "approved": true}`, "/approved"},
	},
}

// badCalls are batches with too few or too many calls, or too much in one.
func (g Target) badCalls() []bad {
	batch := func(name, body string, status int, code string) bad {
		return bad{name: "a batch " + name, call: Call{Method: "POST", Path: g.path("/v1/sessions/{sid}/batches"), Body: body}, status: status, code: code}
	}
	many := func(n int, call string) string { return strings.TrimSuffix(strings.Repeat(call+",", n), ",") }
	big := strings.Repeat("x", 1<<20)
	return []bad{
		batch("of no calls", `{"calls": []}`, 422, "no_tool_calls"),
		batch("of 257 calls", `{"calls": [`+many(257, `{"name":"a"}`)+`]}`, 422, "too_many_calls"),
		batch("from a message without calls", `{"format": "anthropic", "message": {"role": "assistant", "content": [{"type": "text", "text": "hunter2"}]}}`, 422, "no_tool_calls"),
		batch("from a message with 257 calls", `{"format": "anthropic", "message": {"role": "assistant", "content": [`+
			many(257, `{"type":"tool_use","id":"a","name":"a","input":{}}`)+`]}}`, 422, "too_many_calls"),
		batch("with arguments over 1 MiB", `{"calls": [{"name": "a", "arguments": {"x": "`+big+`"}}]}`, 413, "too_large"),
		{
			name: "a result with an output over 4 MiB", status: 413, code: "too_large",
			call: Call{
				Method: "POST", Path: g.path("/v1/sessions/{sid}/batches/{bid}/results"),
				Body: `{"results": [{"position": 0, "status": "success", "output": "` + strings.Repeat(big, 4) + `x"}]}`,
			},
		},
	}
}

// badQueries are parameters of the right name and the wrong form.
func (g Target) badQueries() []bad {
	var all []bad
	for path, wrong := range map[string][]string{
		"/v1/sessions":                                  {"limit=0", "limit=201", "limit=x", "limit=1&limit=2", "status=hunter2", "label=%00", "%zz=1"},
		"/v1/sessions/{sid}/batches":                    {"limit=-1"},
		"/v1/sessions/{sid}/turns":                      {"limit=-1"},
		"/v1/sessions/{sid}/tools":                      {"format=hunter2"},
		"/v1/sessions/{sid}/events":                     {"types=%0a", "types=", "host_id=h", "fence=1", "host_id=h&fence=0", "host_id=a%2Fb&fence=1"},
		"/v1/sessions/{sid}/outputs/{ref}":              {"offset=-1", "limit=0", "offset=x"},
		"/v1/approvals":                                 {"status=hunter2", "session_id=a%20b"},
		"/v1/sessions/{sid}/batches/{bid}":              {"wait=x", "wait=61s", "wait=61", "wait=-1s", "wait=2m", "wait=", "wait=1h"},
		"/v1/sessions/{sid}/batches/{bid}/next-request": {"format=hunter2"},
	} {
		for _, query := range wrong {
			all = append(all, bad{
				name: fmt.Sprintf("GET %s?%s", path, query),
				call: Call{Method: "GET", Path: g.path(path) + "?" + query}, status: 400, code: "invalid_query",
			})
		}
	}
	return append(all, g.badCursors()...)
}

func (g Target) badCursors() []bad {
	events := g.path("/v1/sessions/{sid}/events")
	all := []bad{{
		name: "a Last-Event-ID that is none", status: 400, code: "invalid_cursor",
		call: Call{Method: "GET", Path: events, Header: map[string]string{"Last-Event-ID": secret}},
	}}
	for _, path := range []string{"/v1/sessions?cursor=%0a", "/v1/approvals?cursor=%20", events + "?after=hunter2", events + "?after=1-XYZ"} {
		all = append(all, bad{name: "GET " + path, call: Call{Method: "GET", Path: path}, status: 400, code: "invalid_cursor"})
	}
	return all
}
