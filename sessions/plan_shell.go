package sessions

import (
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/tenants"
)

// planShellBelow is a new session's choice of what plan mode does with commands:
// never milder than its parent's. Without one it is the parent's, and without a
// parent the tenant's.
func planShellBelow(parent *document, chosen tenants.PlanShell) tenants.PlanShell {
	switch {
	case parent == nil:
		return chosen
	case chosen == tenants.PlanShellReadOnly || chosen == "":
		return parent.spec.PlanShell
	}
	return chosen
}

func checkPlanShell(wrong *fields, chosen tenants.PlanShell) {
	switch chosen {
	case "", tenants.PlanShellDeny, tenants.PlanShellReadOnly:
	default:
		wrong.add("/plan_shell", "is not deny or read_only")
	}
}

// planShell is what plan mode does with a session's commands: they are denied
// unless the session or else its tenant lets those pass that only read. A tenant
// that denies them denies them to all its sessions.
func (t *tenantRules) planShell(chosen tenants.PlanShell) planmode.Shell {
	above := t.settings.PlanShell
	if chosen == "" {
		chosen = above
	}
	return planmode.Shell(chosen == tenants.PlanShellReadOnly && above != tenants.PlanShellDeny)
}
