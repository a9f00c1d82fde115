package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
)

// TestBadRequestsOfEveryKindAreRefusedByTheProgram sends the table of bad
// requests to the whole program, and those that only a real session can refuse.
func TestBadRequestsOfEveryKindAreRefusedByTheProgram(t *testing.T) {
	t.Parallel()
	r := start(t)
	key := string(r.app.devKey)
	t.Run("at the wrong time", func(t *testing.T) { apitest.BadState(t, r.base, key) })

	session := r.create(object{"tools": []object{{"name": "write_file", "kind": "edit"}}})
	turn := r.ask(201, "POST", session+"/turns", object{"input": []object{{"type": "text", "text": "x"}}})
	batch := r.ask(202, "POST", session+"/batches", object{"calls": []object{{"id": "c1", "name": "write_file"}}})
	document := r.ask(200, "GET", session, nil)
	require.Len(t, document["open_approvals"], 1)
	t.Run("in any form", func(t *testing.T) {
		apitest.BadInput(t, apitest.Target{
			Base: r.base, Key: key, Session: document["id"].(string), Batch: batch["id"].(string),
			Approval: document["open_approvals"].([]any)[0].(string), Turn: turn["id"].(string),
			State: func(testing.TB) string { return r.ask(200, "GET", session, nil)["last_event_id"].(string) },
		})
	})
}
