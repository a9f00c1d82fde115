package api

import (
	"slices"

	"github.com/session-gateway/gateway/tenants"
)

// Sets of roles. An admin may do everything in its tenant, so it is
// listed only where nobody else of a tenant may.
var (
	everyRole = []tenants.Role{tenants.RoleViewer, tenants.RoleFrontend, tenants.RoleHost}
	writers   = []tenants.Role{tenants.RoleFrontend, tenants.RoleHost}
	people    = []tenants.Role{tenants.RoleFrontend}
	hosts     = []tenants.Role{tenants.RoleHost}
	anybody   = append(slices.Clone(everyRole), tenants.RoleOperator)
	// managers administer tenants: an admin its own, which the use case sees to.
	managers = []tenants.Role{tenants.RoleAdmin, tenants.RoleOperator}
	// operators' rights are no admin's.
	operators = []tenants.Role{tenants.RoleOperator}
)

// rights says which roles may call an operation. An operation that is not here
// needs no key. What a person has to decide (modes, rules, answers) is never
// open to hosts, so that an agent can't grant itself what it was refused.
var rights = map[string][]tenants.Role{
	"createSession":            writers,
	"listSessions":             everyRole,
	"getSession":               everyRole,
	"updateSession":            people,
	"closeSession":             writers,
	"getTools":                 everyRole,
	"putTools":                 writers,
	"putRules":                 people,
	"putApprovalMode":          people,
	"explainCalls":             everyRole,
	"getPlan":                  everyRole,
	"patchPlan":                writers,
	"listGrants":               everyRole,
	"revokeGrants":             people,
	"startTurn":                people,
	"listTurns":                everyRole,
	"getTurn":                  everyRole,
	"sayInTurn":                hosts,
	"completeTurn":             hosts,
	"cancelTurn":               writers,
	"attachHost":               hosts,
	"listHosts":                everyRole,
	"heartbeatHost":            hosts,
	"detachHost":               hosts,
	"submitBatch":              hosts,
	"listBatches":              everyRole,
	"getBatch":                 everyRole,
	"claimCalls":               hosts,
	"reportResults":            hosts,
	"reportProgress":           hosts,
	"abortBatch":               writers,
	"getNextRequest":           everyRole,
	"checkModelRequest":        hosts,
	"listApprovals":            everyRole,
	"getApproval":              everyRole,
	"respondApproval":          people,
	"callRPC":                  everyRole, // each method has the roles of its route
	"streamEvents":             everyRole,
	"streamTenantEvents":       everyRole,
	"createStreamTicket":       everyRole,
	"createTenantStreamTicket": everyRole,
	"signIn":                   anybody,
	"getSignIn":                anybody,
	"signOut":                  anybody,
	"getOutput":                everyRole,
	"getTranscript":            everyRole,
	"getAudit":                 {tenants.RoleAdmin},
	"listTenants":              managers,
	"createTenant":             operators,
	"getTenant":                managers,
	"deleteTenant":             operators,
	"exportTenant":             managers,
	"getTenantSettings":        managers,
	"putTenantSettings":        managers,
	"listKeys":                 managers,
	"createKey":                managers,
	"rotateKey":                managers,
	"revokeKey":                managers,
}

// public are the operations that need no key.
var public = []string{"getHealth", "getReadiness", "getMetrics", "getContract"}

func isPublic(operation string) bool { return slices.Contains(public, operation) }
