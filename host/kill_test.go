package host_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/internal/gatewaytest"
)

// killer stands between a host and the gateway and kills the host, as kill -9
// does, at the first request to a route: before the gateway hears of it, or
// after it has acted on it and before the host hears that.
type killer struct {
	route   string
	after   bool
	forward http.Handler
	kill    func()
}

// ServeHTTP implements http.Handler.
func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.HasSuffix(r.URL.Path, k.route) {
		k.forward.ServeHTTP(w, r)
		return
	}
	if k.after {
		k.forward.ServeHTTP(httptest.NewRecorder(), r.WithContext(context.WithoutCancel(r.Context())))
	}
	k.kill()
}

// victim starts `gateway host` behind a killer.
func (s *scene) victim(k *killer, steps ...model.Step) (dead func()) {
	s.Helper()
	k.forward = proxyTo(s.T, s.base)
	proxy := httptest.NewServer(k)
	s.Cleanup(proxy.Close)
	script := filepath.Join(s.TempDir(), "script.json")
	text, err := json.Marshal(model.Script{Steps: steps})
	require.NoError(s, err)
	require.NoError(s, os.WriteFile(script, text, 0o600))
	cmd := gatewaytest.Command(context.WithoutCancel(s.Context()), s, "host", "--url", proxy.URL, "--session", s.session,
		"--workspace", s.work.Dir(), "--host-id", "victim", "--model", "scripted:"+script)
	cmd.Env = append(cmd.Environ(), "GATEWAY_KEY="+gatewaytest.Key)
	cmd.Stderr = s.Output()
	return s.mortal(cmd, k)
}

// mortal starts a process that a killer may kill; dead waits for that.
func (s *scene) mortal(cmd *exec.Cmd, k *killer) (dead func()) {
	s.Helper()
	started, ended := make(chan struct{}), make(chan struct{})
	k.kill = func() {
		<-started
		_ = cmd.Process.Kill() // it may be dead
		<-ended
	}
	require.NoError(s, cmd.Start())
	close(started)
	go func() {
		defer close(ended)
		_ = cmd.Wait() // that it was killed is known
	}()
	s.Cleanup(sync.OnceFunc(k.kill))
	return func() { <-ended }
}

// TestAHostIsKilledAtEveryPointOfACall has the kill matrix: whatever the host
// had come to, the call runs at most once and has one result, and what its model
// would be asked next is in order.
func TestAHostIsKilledAtEveryPointOfACall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		route  string
		after  bool
		runs   int
		reason string
	}{
		"before it claims":              {"/claims", false, 1, ""},
		"after it claimed":              {"/claims", true, 0, "host_lost"},
		"after it ran, before it tells": {"/results", false, 1, "host_lost"},
		"after it told":                 {"/results", true, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := enact(t, allowing())
			dead := s.victim(&killer{route: c.route, after: c.after},
				calls(call("c1", "run_shell_command", args{"command": "echo ran >> log"})), say("Never said."))
			tid := s.prompt("Run it.")
			dead()
			s.serve("heir", say("I am new here."))
			require.EqualValues(t, "error", *s.finished(tid).StopReason)
			require.Equal(t, c.runs, strings.Count(s.file("log"), "ran"))
			s.told(c.reason)
			require.Equal(t, "I am new here.", *s.finished(s.prompt("Hello?")).Text)
			require.Equal(t, c.runs, strings.Count(s.file("log"), "ran"))
		})
	}
}

// told wants the session's one call to have one result, for a reason, and its
// next model request to conform.
func (s *scene) told(reason string) {
	s.Helper()
	result := s.results()["c1"]
	if reason == "" {
		require.Nil(s, result.Reason)
	} else {
		require.EqualValues(s, reason, *result.Reason)
	}
	n := 0
	for _, e := range s.until(client.EventTypeTurnCompleted, func(json.RawMessage) bool { return true }) {
		if e.Type == client.EventTypeCallResult {
			n++
		}
	}
	require.Equal(s, 1, n, "one result")
	for b, err := range s.person.Batches(s.Context(), s.session) {
		require.NoError(s, err)
		next, err := s.person.NextRequest(s.Context(), s.session, b.ID, "anthropic")
		require.NoError(s, err)
		check, err := s.person.CheckModelRequest(s.Context(), s.session, client.ModelRequest{
			Format: "anthropic", BatchID: b.ID, Messages: next.Messages,
		})
		require.NoError(s, err)
		require.Equal(s, client.Conforming, check.Verdict)
	}
}
