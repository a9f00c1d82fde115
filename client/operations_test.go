package client_test

import (
	"context"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/internal/apitest"
)

// elsewhere are the operations that the client leaves to others: probes, the
// contract itself and the second door.
var elsewhere = []string{"getHealth", "getReadiness", "getContract", "getMetrics", "callRPC", "signIn", "getSignIn", "signOut"}

// drain takes what a list or a stream gives first.
func drain[T any](seq iter.Seq2[T, error]) {
	for _, err := range seq {
		_ = err // whatever it is: what was asked for is looked at
		return
	}
}

// calls of every operation that the client has.
var operations = map[string]func(context.Context, *client.Client){
	"createSession":   func(ctx context.Context, c *client.Client) { _, _ = c.CreateSession(ctx, client.SessionSpec{}) },
	"listSessions":    func(ctx context.Context, c *client.Client) { drain(c.Sessions(ctx, client.ListSessionsParams{})) },
	"getSession":      func(ctx context.Context, c *client.Client) { _, _ = c.Session(ctx, "s") },
	"updateSession":   func(ctx context.Context, c *client.Client) { _, _ = c.SetLabels(ctx, "s", client.Labels{}) },
	"closeSession":    func(ctx context.Context, c *client.Client) { _ = c.CloseSession(ctx, "s") },
	"getTools":        func(ctx context.Context, c *client.Client) { _, _ = c.Tools(ctx, "s", "native") },
	"putTools":        func(ctx context.Context, c *client.Client) { _, _ = c.SetTools(ctx, "s", nil) },
	"putRules":        func(ctx context.Context, c *client.Client) { _, _ = c.SetRules(ctx, "s", client.Rules{}) },
	"putApprovalMode": func(ctx context.Context, c *client.Client) { _, _ = c.SetMode(ctx, "s", "plan") },
	"getPlan":         func(ctx context.Context, c *client.Client) { _, _ = c.Plan(ctx, "s") },
	"patchPlan": func(ctx context.Context, c *client.Client) {
		_, _ = c.AppendPlan(ctx, "s", "p")
		_, _ = c.ReplacePlan(ctx, "s", "p", 1)
	},
	"listGrants":   func(ctx context.Context, c *client.Client) { _, _ = c.Grants(ctx, "s") },
	"revokeGrants": func(ctx context.Context, c *client.Client) { _ = c.RevokeGrants(ctx, "s", "g") },
	"startTurn":    func(ctx context.Context, c *client.Client) { _, _ = c.StartTurn(ctx, "s", client.Text("hi")) },
	"listTurns":    func(ctx context.Context, c *client.Client) { drain(c.Turns(ctx, "s")) },
	"getTurn":      func(ctx context.Context, c *client.Client) { _, _ = c.Turn(ctx, "s", "t") },
	"sayInTurn":    func(ctx context.Context, c *client.Client) { _, _ = c.Say(ctx, "s", "t", client.Message{Text: "hi"}) },
	"completeTurn": func(ctx context.Context, c *client.Client) {
		_, _ = c.CompleteTurn(ctx, "s", "t", client.TurnCompletion{StopReason: "end_turn"})
	},
	"cancelTurn":     func(ctx context.Context, c *client.Client) { _, _ = c.CancelTurn(ctx, "s", "t") },
	"attachHost":     func(ctx context.Context, c *client.Client) { _, _ = c.Attach(ctx, "s", client.Attachment{}) },
	"listHosts":      func(ctx context.Context, c *client.Client) { _, _ = c.Hosts(ctx, "s") },
	"heartbeatHost":  func(ctx context.Context, c *client.Client) { _, _ = c.Heartbeat(ctx, "s", "h", 1) },
	"detachHost":     func(ctx context.Context, c *client.Client) { _ = c.Detach(ctx, "s", "h", 1) },
	"submitBatch":    func(ctx context.Context, c *client.Client) { _, _ = c.Submit(ctx, "s", client.BatchSubmission{}) },
	"explainCalls":   func(ctx context.Context, c *client.Client) { _, _ = c.Explain(ctx, "s", client.BatchSubmission{}) },
	"listBatches":    func(ctx context.Context, c *client.Client) { drain(c.Batches(ctx, "s")) },
	"getBatch":       func(ctx context.Context, c *client.Client) { _, _ = c.Batch(ctx, "s", "b") },
	"claimCalls":     func(ctx context.Context, c *client.Client) { _, _ = c.Claim(ctx, "s", "b", client.ClaimRequest{}) },
	"reportResults":  func(ctx context.Context, c *client.Client) { _, _ = c.Report(ctx, "s", "b", client.ResultReport{}) },
	"reportProgress": func(ctx context.Context, c *client.Client) { _, _ = c.Progress(ctx, "s", "b", client.ProgressReport{}) },
	"abortBatch":     func(ctx context.Context, c *client.Client) { _, _ = c.Abort(ctx, "s", "b") },
	"getNextRequest": func(ctx context.Context, c *client.Client) { _, _ = c.NextRequest(ctx, "s", "b", "native") },
	"checkModelRequest": func(ctx context.Context, c *client.Client) {
		_, _ = c.CheckModelRequest(ctx, "s", client.ModelRequest{})
	},
	"listApprovals":   func(ctx context.Context, c *client.Client) { drain(c.Approvals(ctx, client.ListApprovalsParams{})) },
	"getApproval":     func(ctx context.Context, c *client.Client) { _, _ = c.Approval(ctx, "a") },
	"respondApproval": func(ctx context.Context, c *client.Client) { _, _ = c.Respond(ctx, "a", client.ApprovalResponse{}) },
	"streamEvents":    func(ctx context.Context, c *client.Client) { drain(c.Events(ctx, "s", client.StreamOptions{})) },
	"getOutput":       func(ctx context.Context, c *client.Client) { _, _ = c.Output(ctx, "s", "o", 0, 1) },
	"listTenants":     func(ctx context.Context, c *client.Client) { drain(c.Tenants(ctx)) },
	"createTenant":    func(ctx context.Context, c *client.Client) { _, _ = c.CreateTenant(ctx, client.TenantCreation{}) },
	"getTenant":       func(ctx context.Context, c *client.Client) { _, _ = c.Tenant(ctx, "t") },
	"deleteTenant":    func(ctx context.Context, c *client.Client) { _, _ = c.DeleteTenant(ctx, "t") },
	"getAudit":        func(ctx context.Context, c *client.Client) { _ = c.Audit(ctx, time.Time{}, io.Discard) },
	"exportTenant":    func(ctx context.Context, c *client.Client) { _ = c.ExportTenant(ctx, "t", io.Discard) },
	"getTenantSettings": func(ctx context.Context, c *client.Client) {
		_, _ = c.TenantSettings(ctx, "t")
	},
	"putTenantSettings": func(ctx context.Context, c *client.Client) {
		_, _ = c.SetTenantSettings(ctx, "t", client.TenantSettingsPut{}, 1)
	},
	"listKeys":                 func(ctx context.Context, c *client.Client) { _, _ = c.Keys(ctx, "t") },
	"createKey":                func(ctx context.Context, c *client.Client) { _, _ = c.CreateKey(ctx, "t", client.KeyCreation{}) },
	"rotateKey":                func(ctx context.Context, c *client.Client) { _, _ = c.RotateKey(ctx, "t", "k", client.KeyRotation{}) },
	"revokeKey":                func(ctx context.Context, c *client.Client) { _ = c.RevokeKey(ctx, "t", "k") },
	"createStreamTicket":       func(ctx context.Context, c *client.Client) { _, _ = c.StreamTicket(ctx, "s") },
	"createTenantStreamTicket": func(ctx context.Context, c *client.Client) { _, _ = c.TenantStreamTicket(ctx) },
	"getTranscript":            func(ctx context.Context, c *client.Client) { drain(c.Transcript(ctx, "s")) },
	"streamTenantEvents":       func(ctx context.Context, c *client.Client) { drain(c.TenantEvents(ctx, client.StreamOptions{})) },
}

// TestEveryOperationHasACall sends each call to a server that refuses it, and
// compares where it went with the contract.
func TestEveryOperationHasACall(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []*http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen = append(seen, r)
		mu.Unlock()
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(server.Close)
	c := connect(t, server.URL, client.WithRetries(1, 0))
	for _, op := range apitest.LoadContract(t).Operations() {
		if slices.Contains(elsewhere, op.OperationID) {
			continue
		}
		send := operations[op.OperationID]
		require.NotNil(t, send, "the client has no call for %s", op.OperationID)
		seen = nil
		send(client.WithIdempotencyKey(t.Context(), "my-key"), c)
		require.NotEmpty(t, seen, op.OperationID)
		for _, r := range seen {
			require.Equal(t, op.Method, r.Method, op.OperationID)
			require.Regexp(t, pathOf(op.Path), r.URL.Path, op.OperationID)
			require.Equal(t, op.Method == http.MethodPost, r.Header.Get("Idempotency-Key") == "my-key", op.OperationID)
		}
	}
}

var parameter = regexp.MustCompile(`\\\{[a-z_]+\\\}`)

func pathOf(template string) string {
	return "^" + strings.Join(parameter.Split(regexp.QuoteMeta(template), -1), "[^/]+") + "$"
}
