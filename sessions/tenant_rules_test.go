package sessions_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// settings are what tenants have set, as a test changes it.
type settings struct {
	mu sync.Mutex
	of map[string]*tenants.Settings
}

func (s *settings) get(tenant string) *tenants.Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	if set, ok := s.of[tenant]; ok {
		return set
	}
	return nothingSet
}

var nothingSet = &tenants.Settings{}

// sets makes what the tenant has set.
func (a *actor) sets(to tenants.Settings) {
	a.settings.mu.Lock()
	defer a.settings.mu.Unlock()
	a.settings.of[a.caller.Tenant] = &to
}

// decided is the decision on the only call of a new batch.
func (a *actor) decided(sid, tool, arguments string) scheduler.Decision {
	a.t.Helper()
	b := a.send(sid, call("c"+sid[len(sid)-4:], tool, arguments))
	defer func() {
		_, err := a.Abort(a.t.Context(), a.caller, sessions.Idempotency{}, sid, b.ID)
		require.NoError(a.t, err)
	}()
	require.NotNil(a.t, b.Calls[0].Decision)
	return *b.Calls[0].Decision
}

func TestATenantsRulesComeFirst(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	all := permissions.Rules{Deny: []string{"write(*)"}, Ask: []string{"read(*)"}, Allow: []string{"execute(*)"}}
	parent := a.create(func(s *sessions.Spec) { s.Rules = &all })
	child := a.under(parent.ID, func(s *sessions.Spec) { s.Rules = &all })
	for _, tier := range []struct{ tool, arguments string }{
		{"write_file", `{"file_path": "a"}`}, {"read_file", `{"file_path": "a"}`},
	} {
		require.Equal(t, permissions.SourceAncestor, a.decided(child.ID, tier.tool, tier.arguments).Source)
		require.Equal(t, permissions.SourceSession, a.decided(parent.ID, tier.tool, tier.arguments).Source)
	}
	a.sets(tenants.Settings{Rules: tenants.Rules(all)})
	for _, sid := range []string{parent.ID, child.ID} {
		for tool, arguments := range map[string]string{
			"write_file": `{"file_path": "a"}`, "read_file": `{"file_path": "a"}`, "run_shell_command": `{"command": "ls"}`,
		} {
			require.Equal(t, permissions.SourceTenant, a.decided(sid, tool, arguments).Source, tool)
		}
	}
}

func TestATenantsAllowOpensNothingThatASessionDenies(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Rules: tenants.Rules{Allow: []string{"*"}}})
	s := a.create(func(s *sessions.Spec) { s.Rules = &permissions.Rules{Deny: []string{"write(secret)"}} })
	require.Equal(t, permissions.Deny, a.decided(s.ID, "write_file", `{"file_path": "secret"}`).Effect)
	require.Equal(t, permissions.Allow, a.decided(s.ID, "write_file", `{"file_path": "open"}`).Effect)
	a.mode(s.ID, permissions.ModePlan)
	require.Equal(t, permissions.SourcePlanMode, a.decided(s.ID, "write_file", `{"file_path": "open"}`).Source)
}

// No commit of the session's tells it that its tenant changed its rules: what
// was decided before is decided again before it starts.
func TestAChangeOfTenantRulesReachesCallsThatHaveNotStarted(t *testing.T) {
	t.Parallel()
	for name, to := range map[string]struct {
		settings tenants.Settings
		verdict  verdict
	}{
		"deny":      {tenants.Settings{Rules: tenants.Rules{Deny: []string{"write"}}}, verdict{scheduler.StateDone, scheduler.ReasonPermissionDenied, nil}},
		"protect":   {tenants.Settings{ProtectedPaths: &[]string{"a"}}, verdict{scheduler.StateDone, scheduler.ReasonPermissionDenied, nil}},
		"ask":       {tenants.Settings{Rules: tenants.Rules{Ask: []string{"write"}}}, verdict{scheduler.StateAwaitingApproval, "", nil}},
		"unrelated": {tenants.Settings{Rules: tenants.Rules{Deny: []string{"fetch"}}}, verdict{scheduler.StateClaimed, "", nil}},
	} {
		t.Run("dispatched, then "+name, func(t *testing.T) {
			t.Parallel()
			a := embedded(t)
			b := waiting(a, scheduler.StateDispatched)
			a.sets(to.settings)
			granted := a.claim(b, "h1", 1)[0].Granted
			require.Equal(t, to.verdict.state == scheduler.StateClaimed, granted)
			requireVerdict(t, to.verdict, a.read(b).Calls[1])
		})
	}
	t.Run("queued, then deny", func(t *testing.T) {
		t.Parallel()
		a := embedded(t)
		b := waiting(a, scheduler.StateQueued)
		a.sets(tenants.Settings{Rules: tenants.Rules{Deny: []string{"write"}}})
		b = a.succeed(b, 0, "read")
		require.Equal(t, scheduler.ReasonPermissionDenied, *b.Calls[1].Result.Reason)
	})
	t.Run("awaiting approval, then deny", func(t *testing.T) {
		t.Parallel()
		a := embedded(t)
		b := waiting(a, scheduler.StateAwaitingApproval)
		question := a.question(b, 1)
		a.sets(tenants.Settings{Rules: tenants.Rules{Deny: []string{"write"}}})
		a.choose(question, "allow_once")
		a.succeed(b, 0, "read")
		require.Equal(t, scheduler.ReasonPermissionDenied, *a.read(b).Calls[1].Result.Reason)
	})
}

func requireVerdict(t *testing.T, want verdict, c sessions.Call) {
	t.Helper()
	require.Equal(t, want.state, c.State)
	if want.reason != "" {
		require.Equal(t, want.reason, *c.Result.Reason)
	}
}

func TestProtectedPathsAreDeniedWhereverTheyAre(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(func(s *sessions.Spec) {
		s.ApprovalMode, s.Cwd = new(permissions.ModeYolo), new("/srv/app")
		s.Rules = &permissions.Rules{Allow: []string{"*"}}
	})
	for _, path := range []string{
		".git", ".git/config", "sub/.git/hooks/pre-commit", "/other/.git/HEAD", "a/../.git/x", "./.git//config",
		".env", ".env.local", "sub/.env", "/etc/.env", "key.pem", "/a/b/server.key", "id_rsa", "/root/.ssh/id_ed25519",
		"/home/u/.ssh/known_hosts", ".mcp.json", "config/agent.json", ".claude/settings.local.json", ".agent/rules.json",
	} {
		for tool, arguments := range map[string]string{
			"read_file": `{"file_path": "` + path + `"}`, "write_file": `{"path": "` + path + `"}`,
			"run_shell_command": `{"command": "cat ` + path + `"}`,
		} {
			d := a.decided(s.ID, tool, arguments)
			require.Equal(t, permissions.Deny, d.Effect, "%s %s", tool, path)
			require.Equal(t, permissions.SourceTenant, d.Source)
		}
		require.Equal(t, permissions.Deny, a.decided(s.ID, "run_shell_command", `{"command": "echo x > `+path+`"}`).Effect, path)
	}
	for _, path := range []string{"env", "app.env", ".github/workflows/a.yml", "git/config", "keys.go", "id_rsa.pub", "a.pem.txt"} {
		require.Equal(t, permissions.Allow, a.decided(s.ID, "read_file", `{"file_path": "`+path+`"}`).Effect, path)
	}
}

func TestATenantChoosesItsProtectedPaths(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(func(s *sessions.Spec) { s.Rules = &permissions.Rules{Allow: []string{"*"}} })
	read := func(path string) permissions.Effect {
		return a.decided(s.ID, "read_file", `{"file_path": "`+path+`"}`).Effect
	}
	a.sets(tenants.Settings{ProtectedPaths: &[]string{}})
	require.Equal(t, permissions.Allow, read(".env"), "none are protected")
	a.sets(tenants.Settings{ProtectedPaths: &[]string{"vault/**", "/etc/passwd", "**/*.secret"}})
	require.Equal(t, permissions.Allow, read(".env"), "the defaults are replaced")
	for _, path := range []string{"vault/a", "x/vault/a/b", "/etc/passwd", "a.secret", "x/a.secret"} {
		require.Equal(t, permissions.Deny, read(path), path)
	}
	require.Equal(t, permissions.Allow, read("/mnt/etc/passwd"), "an absolute path is one path")
}

// A default that nobody chose denies what it sees and asks about nothing else.
func TestDefaultProtectionAsksNothing(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) })
	unclear := map[string]string{"read_file": `{"id": 1}`, "write_file": `{}`, "run_shell_command": `{"command": "eval \"$x\""}`}
	for tool, arguments := range unclear {
		require.Equal(t, permissions.Allow, a.decided(s.ID, tool, arguments).Effect, tool)
	}
	a.sets(tenants.Settings{ProtectedPaths: &[]string{".env*"}})
	for tool, arguments := range unclear {
		require.Equal(t, permissions.Ask, a.decided(s.ID, tool, arguments).Effect, tool)
	}
}
