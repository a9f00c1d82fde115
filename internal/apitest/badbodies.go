package apitest

import (
	"fmt"
	"net/http"
	"strings"
)

// bodyLimit is the largest body that the gateway reads.
const bodyLimit = 8 << 20

// badBodies are bodies that no operation takes.
func (g Target) badBodies(op Operation) []bad {
	var all []bad
	add := func(what string, body any, status int, code string, fields ...string) {
		call := g.call(op)
		call.Body = body
		all = append(all, bad{name: op.OperationID + " with a body that " + what, call: call, status: status, code: code, fields: fields})
	}
	add("is no JSON", "{"+secret, 422, "malformed_body")
	add("ends early", `{"a": "`+secret, 422, "malformed_body")
	add("has something behind it", `{} {}`, 422, "malformed_body")
	add("is not UTF-8", "{\"a\": \"\xff\xfe\"}", 422, "malformed_body")
	add("is deeper than anybody needs", strings.Repeat(`{"a":`, 300)+"1"+strings.Repeat("}", 300), 422, "malformed_body")
	add("is deep enough to crash a parser", strings.Repeat("[", 1<<20), 422, "malformed_body")
	add("is over the limit", `{"a": "`+strings.Repeat("x", bodyLimit)+`"}`, 413, "too_large")
	add("has more values than anybody needs", `{"a": [`+strings.Repeat("1,", 200_000)+"1]}", 413, "too_large")
	add("is an array", `["`+secret+`"]`, 422, "invalid_request", "")
	add("is a string", `"`+secret+`"`, 422, "invalid_request", "")
	add("is null", "null", 422, "invalid_request", "")
	add("has the same key twice", `{"a": "`+secret+`", "a": 1}`, 422, "invalid_request", "/a")
	return append(append(all, g.badMedia(op)...), g.badMember(op))
}

// needlessBodies are bodies that say something to an operation that takes none.
func (g Target) needlessBodies(op Operation) []bad {
	if op.Method == http.MethodGet { // where a body has no meaning, and none is read into it
		return nil
	}
	var all []bad
	for _, body := range []string{`{"reason": "` + secret + `"}`, "{" + secret, "[]", "null", "{} {}", "\x00", " "} {
		call := g.call(op)
		call.Body = body
		all = append(all, bad{
			name: fmt.Sprintf("%s, which takes no body, with %q", op.OperationID, body),
			call: call, status: 422, code: "invalid_request", fields: []string{""},
		})
	}
	return all
}

func (g Target) badMedia(op Operation) []bad {
	var all []bad
	for header, value := range map[string]string{"Content-Type": "text/plain", "Content-Encoding": "gzip"} {
		call := g.call(op)
		call.Header = map[string]string{header: value}
		all = append(all, bad{
			name: fmt.Sprintf("%s with a body sent with %s: %s", op.OperationID, header, value),
			call: call, status: 415, code: "unsupported_media_type",
		})
	}
	return all
}

func (g Target) badMember(op Operation) bad {
	call := g.call(op)
	body, _ := goodBody[op.OperationID].(string)
	call.Body = strings.Replace(strings.Replace(body, "{", `{"denny": ["`+secret+`"], `, 1), ", }", "}", 1)
	b := bad{name: op.OperationID + " with a field that doesn't exist", call: call, status: 422, code: "invalid_request"}
	if op.OperationID != "patchPlan" { // which also counts its fields
		b.fields = []string{"/denny"}
	}
	return b
}
