package sessions_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

const (
	none     = tenants.PlanShell("")
	denies   = tenants.PlanShellDeny
	readOnly = tenants.PlanShellReadOnly
)

func TestWhoLetsReadingCommandsPassInPlanMode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tenant, parent, session tenants.PlanShell
		want                    permissions.Effect
	}{
		{none, none, none, permissions.Deny},
		{none, none, readOnly, permissions.Deny},
		{none, readOnly, none, permissions.Ask},
		{none, readOnly, readOnly, permissions.Ask},
		{none, readOnly, denies, permissions.Deny},
		{none, denies, readOnly, permissions.Deny},
		{readOnly, none, none, permissions.Ask},
		{readOnly, none, denies, permissions.Deny},
		{readOnly, denies, readOnly, permissions.Deny},
		{denies, readOnly, readOnly, permissions.Deny},
	} {
		a := embedded(t)
		a.sets(tenants.Settings{PlanShell: c.tenant})
		choose := func(shell tenants.PlanShell) func(*sessions.Spec) {
			return func(s *sessions.Spec) {
				if shell != "" {
					s.PlanShell = &shell
				}
				s.Approvals = new("frontend")
			}
		}
		parent := a.create(choose(c.parent))
		child := a.under(parent.ID, choose(c.session))
		a.mode(parent.ID, permissions.ModePlan)
		d := a.decided(child.ID, "run_shell_command", `{"command": "git status"}`)
		require.Equal(t, c.want, d.Effect, "%+v", c)
		d = a.decided(child.ID, "run_shell_command", `{"command": "git stash"}`)
		require.Equal(t, permissions.Deny, d.Effect)
		require.Equal(t, permissions.SourcePlanMode, d.Source)
	}
}

func TestATenantTakesReadingCommandsBack(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(func(s *sessions.Spec) {
		s.PlanShell, s.ApprovalMode = new(readOnly), new(permissions.ModePlan)
		s.Rules = &permissions.Rules{Allow: []string{"execute(git log*)"}}
	})
	log := `{"command": "git log --oneline"}`
	require.Equal(t, permissions.Allow, a.decided(s.ID, "run_shell_command", log).Effect)
	a.sets(tenants.Settings{PlanShell: denies})
	require.Equal(t, permissions.Deny, a.decided(s.ID, "run_shell_command", log).Effect)
}

func TestAHostCantLetCommandsPass(t *testing.T) {
	t.Parallel()
	a := embedded(t).as("h", tenants.RoleHost)
	_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{PlanShell: new(readOnly)})
	require.Equal(t, sessions.CodeForbidden, problem(t, err).Code)
	_, err = a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{PlanShell: new(denies)})
	require.NoError(t, err)
}
