package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

const hookSecret = "whsec_c2VjcmV0IG9mIHRoZSB0ZXN0cw=="

// gatekeeper is a tenant's receiver: it denies the shell and passes the rest.
type gatekeeper struct {
	url string

	mu   sync.Mutex
	told []string // types of what came, signed as it should be
}

func newGatekeeper(t *testing.T) *gatekeeper {
	g := &gatekeeper{}
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	g.url = s.URL
	return g
}

// ServeHTTP implements http.Handler.
func (g *gatekeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	verifier, bad := standardwebhooks.NewWebhook(hookSecret)
	if err != nil || bad != nil || verifier.Verify(body, r.Header) != nil {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var hook struct {
		Type string `json:"type"`
		Data struct {
			Call struct {
				Tool string `json:"tool"`
			} `json:"call"`
		} `json:"data"`
	}
	if json.Unmarshal(body, &hook) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	g.mu.Lock()
	g.told = append(g.told, hook.Type)
	g.mu.Unlock()
	answer := object{"verdict": "pass"}
	if hook.Data.Call.Tool == "run_shell_command" {
		answer = object{"verdict": "deny", "reason": "no shells after six"}
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func (g *gatekeeper) heard(kind string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Contains(g.told, kind)
}

// bootstrap is the cast's file with the gatekeeper as everybody's hook.
func (g *gatekeeper) bootstrap(t *testing.T) string {
	t.Helper()
	return g.into(t, bootstrapFile(t))
}

// into makes the gatekeeper the hook of every tenant of a bootstrap file.
func (g *gatekeeper) into(t *testing.T, name string) string {
	t.Helper()
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	var file object
	require.NoError(t, json.Unmarshal(raw, &file))
	for _, tenant := range file["tenants"].([]any) {
		tenant.(object)["settings"] = object{"hooks": []object{{
			"id": "gatekeeper", "url": g.url, "secret": hookSecret,
			"events": []string{"PreToolUse", "PostToolUse", "PostToolBatch", "ApprovalRequested"},
		}}}
	}
	raw, err = json.Marshal(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

// hookedBatch sends a read, which rules allow, a write and a shell, which they ask about.
func hookedBatch(t *testing.T, s *stand) (*planning, casetest.Batch) {
	p := newPlanning(t, s, nil)
	return p, p.send(read, write, `s1 run_shell_command {"command":"ls"}`)
}

func TestATenantsHooksAreAskedAndTold(t *testing.T) {
	t.Parallel()
	g := newGatekeeper(t)
	s := standAt(t, start(t, "--bootstrap="+g.bootstrap(t), "--egress-allow=127.0.0.0/8").base)
	p, b := hookedBatch(t, s)
	for _, c := range b.Calls {
		require.Equal(t, "awaiting_hook", c.State)
	}
	require.Eventually(t, func() bool { return g.heard("ApprovalRequested") }, e2eTimeout, 5*time.Millisecond)
	asked := p.pending(t, p.sid)
	require.NoError(t, s.Person.Send(t.Context(), casetest.Call{
		Method: "POST", Path: "/v1/approvals/" + asked.ID + "/respond", Body: object{"option_id": "allow_once"},
	}, nil))
	b, ran := p.finish(b)
	require.Equal(t, []string{"r1", "w1"}, ran)
	require.Equal(t, "hook_denied", b.Calls[2].Result.Reason)
	require.Contains(t, b.Calls[2].Result.Output, "no shells after six")
	for _, kind := range []string{"PreToolUse", "PostToolUse", "PostToolBatch"} {
		require.Eventually(t, func() bool { return g.heard(kind) }, e2eTimeout, 5*time.Millisecond, kind)
	}
}

func TestAReceiverThatIsNotListedIsNeverReached(t *testing.T) {
	t.Parallel()
	g := newGatekeeper(t)
	s := standAt(t, start(t, "--bootstrap="+g.bootstrap(t)).base)
	p, b := hookedBatch(t, s)
	b, ran := p.finish(b)
	require.Empty(t, ran)
	for _, c := range b.Calls {
		require.Equal(t, "hook_denied", c.Result.Reason, "silence denies")
	}
	require.Empty(t, g.told)
}
