package acp_test

import (
	"strings"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/acp"
	"github.com/session-gateway/gateway/client"
)

// viewer is a client of the protocol that holds what it is told to the promises.
type viewer struct {
	t     require.TestingT
	calls map[sdk.ToolCallId]*seen
	asked map[string]sdk.ToolCallId // open questions
	put   map[string]bool           // all that were ever asked
	said  map[string]string         // by turn
	ended map[string]client.TurnStopReason
	turn  string
	mode  client.Mode
	plan  []string
}

// seen is a call as the client knows it.
type seen struct {
	kind   sdk.ToolKind
	status sdk.ToolCallStatus
	why    any
}

func newViewer(t require.TestingT) *viewer {
	return &viewer{
		t: t, calls: map[sdk.ToolCallId]*seen{}, asked: map[string]sdk.ToolCallId{}, put: map[string]bool{},
		said: map[string]string{}, ended: map[string]client.TurnStopReason{},
	}
}

// see takes updates as they come.
func (v *viewer) see(updates ...acp.Update) {
	for _, u := range updates {
		switch u := u.(type) {
		case acp.Notice:
			v.notice(u.SessionUpdate)
		case acp.Prompted:
			require.NotContains(v.t, v.said, u.TurnID, "a prompt is shown twice")
			v.turn, v.said[u.TurnID] = u.TurnID, ""
		case acp.Ask:
			v.ask(u)
		case acp.Withdrawal:
			require.Contains(v.t, v.asked, u.ApprovalID, "what was not asked is withdrawn")
			delete(v.asked, u.ApprovalID)
		case acp.TurnEnd:
			require.Contains(v.t, v.said, u.TurnID)
			require.NotContains(v.t, v.ended, u.TurnID, "a turn ends twice")
			v.ended[u.TurnID] = u.Reason
		}
	}
}

func (v *viewer) notice(u sdk.SessionUpdate) {
	switch {
	case u.ToolCall != nil:
		require.NotContains(v.t, v.calls, u.ToolCall.ToolCallId, "a call is shown twice")
		require.False(v.t, over(u.ToolCall.Status))
		v.calls[u.ToolCall.ToolCallId] = &seen{kind: u.ToolCall.Kind, status: u.ToolCall.Status}
	case u.ToolCallUpdate != nil:
		v.update(u.ToolCallUpdate)
	case u.AgentMessageChunk != nil:
		require.NotContains(v.t, v.ended, v.turn, "text behind the end of its turn")
		v.said[v.turn] += u.AgentMessageChunk.Content.Text.Text
	case u.CurrentModeUpdate != nil:
		require.NotEqual(v.t, v.mode, client.Mode(u.CurrentModeUpdate.CurrentModeId), "a mode is told twice")
		v.mode = client.Mode(u.CurrentModeUpdate.CurrentModeId)
	case u.Plan != nil:
		v.plan = nil
		for _, e := range u.Plan.Entries {
			v.plan = append(v.plan, e.Content)
		}
	}
}

func (v *viewer) update(u *sdk.SessionToolCallUpdate) {
	c := v.calls[u.ToolCallId]
	require.NotNil(v.t, c, "an update before its tool_call")
	require.False(v.t, over(c.status), "an update behind the terminal one")
	if u.Status == nil {
		return
	}
	require.NotEqual(v.t, c.status, *u.Status, "a status is told twice")
	c.status = *u.Status
	if !over(c.status) {
		return
	}
	for _, about := range v.asked {
		require.NotEqual(v.t, u.ToolCallId, about, "a call ends while its question is open")
	}
	if out, ok := u.RawOutput.(map[string]any); ok {
		c.why = out["reason"]
	}
}

func (v *viewer) ask(a acp.Ask) {
	c := v.calls[a.ToolCall.ToolCallId]
	require.NotNil(v.t, c, "a question before its tool_call")
	require.False(v.t, over(c.status), "a question about a call that has ended")
	require.False(v.t, v.put[a.ApprovalID], "a question is put twice")
	v.put[a.ApprovalID] = true
	v.asked[a.ApprovalID] = a.ToolCall.ToolCallId
}

func over(s sdk.ToolCallStatus) bool {
	return s == sdk.ToolCallStatusCompleted || s == sdk.ToolCallStatusFailed
}

// agrees wants the client to know what the gateway knows, all of it over.
func (v *viewer) agrees(w *world) {
	calls := 0
	for _, b := range w.batches {
		for _, c := range b.Calls {
			calls++
			seen := v.calls[acp.ToolCallID(b.ID, c.Position)]
			require.NotNil(v.t, seen, "a call was never shown")
			require.True(v.t, over(seen.status), "a call never ended")
			require.Equal(v.t, c.Result.Status == client.ResultStatusSuccess, seen.status == sdk.ToolCallStatusCompleted)
		}
	}
	require.Len(v.t, v.calls, calls)
	require.Empty(v.t, v.asked, "questions are left")
	for _, t := range w.turns {
		require.Equal(v.t, *t.StopReason, v.ended[t.ID])
		require.Equal(v.t, *t.Text, v.said[t.ID])
	}
	require.Equal(v.t, w.session.Plan.Text, strings.Join(v.plan, "\n\n"))
}
