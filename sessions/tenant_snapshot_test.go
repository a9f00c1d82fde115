package sessions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// overview is the data of tenant.snapshot.
type overview struct {
	Sessions   []sessions.Session  `json:"sessions"`
	Approvals  []sessions.Approval `json:"approvals"`
	Truncated  bool                `json:"truncated"`
	NextCursor *string             `json:"next_cursor"`
}

func overviewOf(t *testing.T, r *replica, c tenants.Caller) (overview, stream.Vector) {
	t.Helper()
	raw, at, err := r.TenantSnapshot(t.Context(), c.Tenant)
	require.NoError(t, err)
	var v overview
	require.NoError(t, json.Unmarshal(raw, &v))
	return v, at
}

// ask submits calls that wait for a person.
func ask(t *testing.T, r *replica, c tenants.Caller, sid string, calls ...scheduler.Input) sessions.Batch {
	t.Helper()
	reply, err := r.Submit(t.Context(), c, sessions.Idempotency{}, sid, sessions.Submission{Format: "native", Calls: calls})
	require.NoError(t, err)
	return reply.Value
}

func TestATenantsSnapshotIsWhoWaitsForAPerson(t *testing.T) {
	t.Parallel()
	r, c, other := start(t, store.Embedded, nil), caller(), caller()
	asking := create(t, r, c, nil)
	create(t, r, c, nil) // asks nothing
	theirs := create(t, r, other, nil)
	ask(t, r, other, theirs.ID, call("1", "run_shell_command", `{"command":"ls"}`))
	open := ask(t, r, c, asking.ID,
		call("1", "run_shell_command", `{"command":"ls"}`),
		call("2", "write_file", `{"file_path":"a"}`),
		call("3", "read_file", `{"file_path":"a"}`))

	v, at := overviewOf(t, r, c)
	require.Len(t, v.Sessions, 1)
	require.Equal(t, asking.ID, v.Sessions[0].ID)
	require.Nil(t, v.Sessions[0].Tools, "as events carry it")
	last := log(t, r, c, asking.ID)
	require.True(t, strings.HasPrefix(*v.Sessions[0].LastEventID, fmt.Sprint(last[len(last)-1].Seq)+"-"))
	require.Len(t, v.Approvals, 2)
	for i, a := range v.Approvals {
		require.Equal(t, *open.Calls[i].ApprovalID, a.ID)
		require.Equal(t, string(scheduler.ApprovalPending), a.Status)
	}
	require.False(t, v.Truncated)
	require.Nil(t, v.NextCursor)

	for i, bucket := range r.TenantLogs(c) {
		bounds, err := r.store.Bounds(t.Context(), stream.TenantTopic(bucket, c.Tenant))
		require.NoError(t, err)
		require.Equal(t, bounds.Head, at[i], "the place is where the logs end")
	}

	for _, a := range v.Approvals {
		_, err := r.Respond(t.Context(), c, sessions.Idempotency{}, a.ID, sessions.Response{OptionID: "reject"})
		require.NoError(t, err)
	}
	v, _ = overviewOf(t, r, c)
	require.Empty(t, v.Sessions)
	require.Empty(t, v.Approvals)
}

func TestATenantsSnapshotSaysWhereTheRestIs(t *testing.T) {
	t.Parallel()
	r, c := start(t, store.Embedded, nil), caller()
	const each, all = 60, 5 // more than the snapshot takes
	want := map[string]bool{}
	for range all {
		calls := make([]scheduler.Input, each)
		for i := range calls {
			calls[i] = call(fmt.Sprintf("c%d", i), "write_file", fmt.Sprintf(`{"file_path":"f%d"}`, i))
		}
		for _, made := range ask(t, r, c, create(t, r, c, nil).ID, calls...).Calls {
			want[*made.ApprovalID] = true
		}
	}
	v, _ := overviewOf(t, r, c)
	require.True(t, v.Truncated)
	require.NotNil(t, v.NextCursor)
	require.Less(t, len(v.Approvals), each*all)
	got := map[string]bool{}
	for _, a := range v.Approvals {
		got[a.ID] = true
	}
	for cursor := *v.NextCursor; cursor != ""; {
		page, err := r.Approvals(t.Context(), c, sessions.ApprovalFilter{Status: "pending", Limit: 100, Cursor: cursor})
		require.NoError(t, err)
		for _, a := range page.Data {
			got[a.ID] = true
		}
		cursor = ""
		if page.NextCursor != nil {
			cursor = *page.NextCursor
		}
	}
	require.Equal(t, want, got, "snapshot and inbox together are everything")
}
