package api

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/quota"
)

// unlimited are quotas that refuse nobody.
type unlimited struct{ Quotas }

func (unlimited) Spend(context.Context, tenants.Caller, quota.Resource) []quota.Standing { return nil }

// deaf is a service that nothing may reach but notes.
type deaf struct{ Service }

func (deaf) Note(context.Context, tenants.Caller, string, ...audit.Act) error { return nil }

// FuzzRPC: whatever comes is answered with JSON-RPC or not at all. Without a
// caller nothing reaches a use case.
func FuzzRPC(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"method":"harness.v1.approvals.list","params":{"limit":5}}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","id":{}},1,null]`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"x","params":[]}`))
	f.Add([]byte(`{"id":"\ud800"`))
	refusals, err := newRefusals()
	require.NoError(f, err)
	s := &server{log: slog.New(slog.DiscardHandler), quota: unlimited{}, service: deaf{}, refusals: refusals}
	f.Fuzz(func(t *testing.T, body []byte) {
		answer := s.answerRPC(context.Background(), rpcRequest{key: "k", header: http.Header{}}, body)
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
