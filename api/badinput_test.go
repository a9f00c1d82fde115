package api_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
)

func TestBadInputIsRefusedAndChangesNothing(t *testing.T) {
	t.Parallel()
	b := start(t)
	apitest.BadInput(t, apitest.Target{
		Base: b.base, Key: everyRole, Session: sid, Batch: bid, Approval: aid, Turn: tid,
		State: func(testing.TB) string { return strconv.Itoa(b.service.count()) },
	})
	require.NotContains(t, b.log.String(), "hunter2", "nothing that is secret is logged")
}
