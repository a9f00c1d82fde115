package api_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/quota"
)

// fakeQuotas refuses what it is told to.
type fakeQuotas struct {
	spent                   bool
	full, stored            *quota.Standing
	requests, batches, open atomic.Int64
}

func (f *fakeQuotas) Spend(_ context.Context, _ tenants.Caller, r quota.Resource) []quota.Standing {
	if r == quota.Batches {
		f.batches.Add(1)
	} else {
		f.requests.Add(1)
	}
	return []quota.Standing{
		{Name: "tenant-" + string(r), Limit: 600, Left: 7},
		{Name: "key-" + string(r), Limit: 60, Refused: f.spent, Reset: 1500 * time.Millisecond},
	}
}

func (f *fakeQuotas) OpenStream(context.Context, tenants.Caller) (func(), *quota.Standing) {
	if f.full != nil {
		return nil, f.full
	}
	f.open.Add(1)
	return func() { f.open.Add(-1) }, nil
}

func (f *fakeQuotas) Storage(tenants.Caller) *quota.Standing { return f.stored }

func (f *fakeQuotas) NewSession(context.Context, tenants.Caller) (*quota.Standing, error) {
	return f.full, nil
}

func TestAnswersSayHowTheCallerStands(t *testing.T) {
	t.Parallel()
	b := start(t)
	a := b.Get(t, "/v1/sessions/"+sid)
	assert.Equal(t, `"tenant-requests";q=600;w=60, "key-requests";q=60;w=60`, a.Header.Get("RateLimit-Policy"))
	assert.Equal(t, `"tenant-requests";r=7;t=0, "key-requests";r=0;t=2`, a.Header.Get("RateLimit"))
	require.Empty(t, b.Get(t, "/healthz").Header.Get("RateLimit"))
}

// unrefused are what the design never refuses for a quota, and what goes with it.
var unrefused = map[string]bool{
	"claimCalls": true, "reportResults": true, "reportProgress": true, "abortBatch": true, "completeTurn": true, "cancelTurn": true,
	"respondApproval": true, "closeSession": true, "heartbeatHost": true, "detachHost": true, "signOut": true,
}

func TestASpentLimitRefusesAllButTheEndsOfThings(t *testing.T) {
	t.Parallel()
	b := start(t, func(c *api.Config) { c.Quotas = &fakeQuotas{spent: true} })
	for _, op := range apitest.LoadContract(t).Operations() {
		if op.Security != nil || op.OperationID == "callRPC" { // which says so in its own way
			continue
		}
		t.Run(op.OperationID, func(t *testing.T) {
			before := b.service.count()
			a := b.Do(t, apitest.Call{Method: op.Method, Path: apitest.GoodPath(op.OperationID, fill(op.Path)), Body: apitest.GoodBody(op.OperationID)})
			if unrefused[op.OperationID] {
				require.Less(t, a.Status, 300, "%s", a.Body)
				return
			}
			if a.Status == http.StatusForbidden {
				return // an operator's, not asked for here
			}
			require.Equal(t, "rate_limited", a.Problem(t).Code)
			require.Equal(t, "2", a.Header.Get("Retry-After"))
			require.Equal(t, before, b.service.count())
		})
	}
}

func TestAStreamAndASessionTooManyAreRefused(t *testing.T) {
	t.Parallel()
	full := &quota.Standing{Name: "tenant-x", Limit: 3, Refused: true}
	b := start(t, func(c *api.Config) { c.Quotas = &fakeQuotas{full: full} })
	for _, call := range []apitest.Call{
		{Method: "GET", Path: "/v1/sessions/" + sid + "/events"},
		{Method: "GET", Path: "/v1/events"},
		{Method: "POST", Path: "/v1/sessions", Body: apitest.GoodBody("createSession")},
	} {
		a := b.Do(t, call)
		require.Equal(t, "quota_exceeded", a.Problem(t).Code, call.Path)
		require.Equal(t, http.StatusTooManyRequests, a.Status)
		require.Equal(t, "30", a.Header.Get("Retry-After"))
	}
}

func TestWithoutRoomNothingBeginsAndEverythingEnds(t *testing.T) {
	t.Parallel()
	full := &quota.Standing{Name: "tenant-stored-bytes", Limit: 3, Refused: true}
	b := start(t, func(c *api.Config) { c.Quotas = &fakeQuotas{stored: full} })
	refused := map[string]bool{"createSession": true, "submitBatch": true, "startTurn": true}
	for _, op := range apitest.LoadContract(t).Operations() {
		if op.Security != nil || !refused[op.OperationID] && !unrefused[op.OperationID] {
			continue
		}
		a := b.Do(t, apitest.Call{Method: op.Method, Path: apitest.GoodPath(op.OperationID, fill(op.Path)), Body: apitest.GoodBody(op.OperationID)})
		if refused[op.OperationID] {
			require.Equal(t, "quota_exceeded", a.Problem(t).Code, op.OperationID)
			require.Equal(t, http.StatusTooManyRequests, a.Status)
			continue
		}
		require.Less(t, a.Status, 300, "%s: %s", op.OperationID, a.Body)
	}
}

func TestAStreamGivesItsPlaceBack(t *testing.T) {
	t.Parallel()
	q := &fakeQuotas{}
	b := start(t, func(c *api.Config) { c.Quotas = q })
	require.Equal(t, 200, b.Get(t, "/v1/sessions/"+sid+"/events").Status)
	require.Eventually(t, func() bool { return q.open.Load() == 0 }, 90*time.Second, time.Millisecond)
	require.Equal(t, 404, b.Get(t, "/v1/sessions/ses_other/events").Status)
	require.Zero(t, q.open.Load())
	b.Post(t, "/v1/sessions/"+sid+"/batches", apitest.GoodBody("submitBatch"))
	require.EqualValues(t, 1, q.batches.Load(), "only batches count as such")
}
