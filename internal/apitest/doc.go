// Package apitest talks to a running gateway the way a user does, and checks
// on the way that the gateway keeps its contract.
//
// [Client] validates every answer against openapi.yaml: status, headers, body,
// and that a problem's code is one that the operation may answer. [Contract]
// checks events and transcript lines. [BadInput] is the table of bad requests,
// one run over every route; it works against a fake and against a real
// gateway alike, since all it knows is a base URL and some ids.
//
// It is for tests only.
package apitest
