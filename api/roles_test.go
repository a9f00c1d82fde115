package api_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/tenants"
)

// TestEveryRoleMayWhatTheContractSays calls every operation with a key of every
// role.
func TestEveryRoleMayWhatTheContractSays(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, op := range apitest.LoadContract(t).Operations() {
		allowed := apitest.Words(op.Extensions["x-roles"])
		if !slices.Equal(allowed, []string{"operator"}) {
			allowed = append(allowed, "admin")
		}
		for _, role := range tenants.AllRoles() {
			t.Run(fmt.Sprintf("%s as %s", op.OperationID, role), func(t *testing.T) {
				before := b.service.count()
				a := b.As(string(role)).Do(t, apitest.Call{Method: op.Method, Path: apitest.GoodPath(op.OperationID, fill(op.Path)), Body: apitest.GoodBody(op.OperationID)})
				if op.Security != nil || slices.Contains(allowed, string(role)) {
					require.Less(t, a.Status, 300, "%s", a.Body)
					return
				}
				require.Equal(t, "forbidden", a.Problem(t).Code)
				require.Equal(t, before, b.service.count())
			})
		}
	}
}

// TestHostsNeverDecideWhatPeopleDecide repeats by hand what must never slip
// through a change of the table.
func TestHostsNeverDecideWhatPeopleDecide(t *testing.T) {
	t.Parallel()
	b := start(t)
	for _, id := range []string{"respondApproval", "putApprovalMode", "putRules", "revokeGrants"} {
		for _, op := range apitest.LoadContract(t).Operations() {
			if op.OperationID == id {
				a := b.As("host").Do(t, apitest.Call{Method: op.Method, Path: fill(op.Path), Body: apitest.GoodBody(id)})
				require.Equal(t, 403, a.Status, id)
			}
		}
	}
	require.Zero(t, b.service.count())
}
