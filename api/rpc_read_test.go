package api

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzRPC: whatever comes is answered with JSON-RPC or not at all. Without a
// caller nothing reaches a use case.
func FuzzRPC(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"harness.v1.approvals.list","params":{"limit":5}}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":{}},1,null]`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"x","params":[]}`))
	f.Add([]byte(`{"id":"\ud800"`))
	s := &server{log: slog.New(slog.DiscardHandler)}
	f.Fuzz(func(t *testing.T, body []byte) {
		answer := s.answerRPC(context.Background(), "k", body)
		if answer == nil {
			return
		}
		text, err := json.Marshal(answer)
		require.NoError(t, err)
		require.True(t, bytes.Contains(text, []byte(`"jsonrpc":"2.0"`)))
		require.NotContains(t, string(text), `"result"`)
	})
}

func FuzzRPCParams(f *testing.F) {
	f.Add([]byte(`{"session_id":"s","call_id":"c","option_id":"reject","limit":1}`))
	f.Add([]byte(`{"limit":1e3,"session_id":null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		if _, err := skeleton(text, nil); err != nil {
			return
		}
		p, err := readParams(bytes.TrimSpace(text))
		if err != nil {
			return
		}
		p.required("session_id", rpcID128)
		p.text("call_id", rpcGivenID)
		n := p.number("limit", 1, 200, 50)
		if p.done() == nil {
			require.True(t, n >= 1 && n <= 200)
		}
	})
}
