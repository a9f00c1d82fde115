package acp_test

import (
	"encoding/json"
	"fmt"
	"testing"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// show applies a world's whole log to a new mapping.
func show(t *testing.T, w *world) (*viewer, []acp.Update) {
	t.Helper()
	m, v := acp.NewMapping(w.session, acp.FromStart), newViewer(t)
	var all []acp.Update
	for _, e := range w.log {
		updates, err := m.Apply(e)
		require.NoError(t, err)
		v.see(updates...)
		all = append(all, updates...)
	}
	return v, all
}

func TestKindsAreTheGatewaysOneToOne(t *testing.T) {
	t.Parallel()
	kinds := []client.Kind{"read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"}
	w := newWorld()
	for _, k := range kinds {
		w.session.Tools = append(w.session.Tools, client.ToolDeclaration{Name: "t_" + string(k), Kind: k})
	}
	w.session.Tools = append(w.session.Tools, client.ToolDeclaration{Name: "looks", Kind: "other", ReadOnly: true})
	want := map[string]sdk.ToolKind{
		"enter_plan_mode": "switch_mode", "exit_plan_mode": "switch_mode", "read_output": "read",
		"structured_output": "other", "nobody_knows": "other", "looks": "read",
	}
	for _, k := range kinds {
		want["t_"+string(k)] = sdk.ToolKind(k)
	}
	for tool, kind := range want {
		w.batches = nil
		w.log = nil
		w.startBatch(1, nil)
		var b client.Batch
		require.NoError(t, json.Unmarshal(w.log[0].Data, &b))
		b.Calls[0].Tool = tool
		data, err := json.Marshal(b)
		require.NoError(t, err)
		w.log[0].Data = data
		v, _ := show(t, w)
		require.Equal(t, kind, v.calls[acp.ToolCallID(b.ID, 0)].kind, tool)
	}
}

func TestEveryEndOfACallIsCompletedOrFailedAndSaysWhy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status client.ResultStatus
		reason client.Reason
		want   sdk.ToolCallStatus
	}{
		{client.ResultStatusSuccess, "", sdk.ToolCallStatusCompleted},
		{client.ResultStatusSuccess, "structured_output_precedence", sdk.ToolCallStatusCompleted},
		{client.ResultStatusError, "plan_boundary", sdk.ToolCallStatusFailed},
		{client.ResultStatusError, "duplicate_call", sdk.ToolCallStatusFailed},
		{client.ResultStatusError, "host_lost", sdk.ToolCallStatusFailed},
		{client.ResultStatusCancelled, "aborted", sdk.ToolCallStatusFailed},
	} {
		t.Run(fmt.Sprint(c.status, " ", c.reason), func(t *testing.T) {
			t.Parallel()
			w := newWorld()
			w.startBatch(2, nil)
			r := client.Result{Position: 1, Status: c.status, Output: "why"}
			if c.reason != "" {
				r.Reason = &c.reason
			}
			w.tell(client.EventTypeCallResult, w.batch().ID, r)
			v, all := show(t, w)
			seen := v.calls[acp.ToolCallID(w.batch().ID, 1)]
			require.Equal(t, c.want, seen.status)
			if c.reason != "" {
				require.Equal(t, c.reason, seen.why)
			}
			last := all[len(all)-1].(acp.Notice).ToolCallUpdate
			require.Equal(t, "why", last.Content[0].Content.Content.Text.Text)
			require.Equal(t, sdk.ToolCallStatusPending, v.calls[acp.ToolCallID(w.batch().ID, 0)].status)
		})
	}
}

func TestAPlanIsShownAndItsExitPutsFourOptions(t *testing.T) {
	t.Parallel()
	w := newWorld()
	w.startBatch(1, nil)
	a := map[string]any{
		"id": "apr_1", "batch_id": w.batch().ID, "position": 0, "tool": "exit_plan_mode", "kind": "plan_exit", "status": "pending",
		"plan": map[string]any{"text": "1. Look.\n\n2. Change.", "sha256": "abc"},
		"options": []map[string]any{
			{"id": "restore_previous", "kind": "allow_once", "label": "Go"},
			{"id": "auto_edit", "kind": "allow_always", "label": "Go and edit"},
			{"id": "default", "kind": "allow_once", "label": "Go and ask"},
			{"id": "reject", "kind": "reject_once", "label": "No"},
		},
	}
	w.tell(client.EventTypeApprovalRequested, w.batch().ID, a)
	v, all := show(t, w)
	require.Equal(t, []string{"1. Look.", "2. Change."}, v.plan)
	ask := all[len(all)-1].(acp.Ask)
	require.Equal(t, "abc", ask.PlanSHA256)
	require.Equal(t, "1. Look.\n\n2. Change.", ask.ToolCall.Content[0].Content.Content.Text.Text)
	require.Equal(t, []sdk.PermissionOption{
		{OptionId: "restore_previous", Kind: sdk.PermissionOptionKindAllowOnce, Name: "Go"},
		{OptionId: "auto_edit", Kind: sdk.PermissionOptionKindAllowAlways, Name: "Go and edit"},
		{OptionId: "default", Kind: sdk.PermissionOptionKindAllowOnce, Name: "Go and ask"},
		{OptionId: "reject", Kind: sdk.PermissionOptionKindRejectOnce, Name: "No"},
	}, ask.Options)
}

func TestWhatAFailoverLostIsEnded(t *testing.T) {
	t.Parallel()
	w := newWorld()
	m, v := acp.NewMapping(w.session, acp.FromStart), newViewer(t)
	w.startTurn("go")
	w.startBatch(2, []int{0})
	for _, e := range w.log {
		updates, err := m.Apply(e)
		require.NoError(t, err)
		v.see(updates...)
	}
	updates, err := m.Reconcile(acp.State{Session: newWorld().session})
	require.NoError(t, err)
	v.see(updates...)
	require.Equal(t, sdk.ToolCallStatusFailed, v.calls[acp.ToolCallID("bat_0", 1)].status)
	require.Equal(t, client.TurnStopReasonError, v.ended["trn_0"])
}

func TestAnEventThatIsNoneChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld()
	m := acp.NewMapping(w.session, acp.FromStart)
	e := client.Event{Seq: new(1), Type: client.EventTypeModeChanged, Data: json.RawMessage(`[]`)}
	_, err := m.Apply(e)
	require.ErrorContains(t, err, "mode.changed")
	require.Zero(t, m.Seq())
}
