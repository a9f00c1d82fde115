package sessions_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

func narrowed(c tenants.Caller, n tenants.Narrow) tenants.Caller {
	c.KeyID, c.Narrow, c.Roles = "narrow", &n, []tenants.Role{tenants.RoleFrontend, tenants.RoleHost}
	return c
}

// TestWhatIsOutsideOfANarrowedKeyDoesNotExistForIt calls every use case with
// the key of another session.
func TestWhatIsOutsideOfANarrowedKeyDoesNotExistForIt(t *testing.T) {
	t.Parallel()
	r, c := start(t, store.Embedded, nil), caller()
	s := create(t, r, c, func(in *sessions.Spec) { in.Labels = map[string]string{"team": "search"} })
	mine := create(t, r, c, func(in *sessions.Spec) { in.Labels = map[string]string{"team": "payments"} })
	prompt := json.RawMessage(`[{"type":"text","text":"x"}]`)
	turn, err := r.StartTurn(t.Context(), c, sessions.Idempotency{}, s.ID, prompt)
	require.NoError(t, err)
	_, err = r.CancelTurn(t.Context(), c, sessions.Idempotency{}, s.ID, turn.Value.ID)
	require.NoError(t, err)
	open := ask(t, r, c, s.ID, call("1", "run_shell_command", `{"command":"ls"}`))
	host, err := r.Attach(t.Context(), c, sessions.Idempotency{}, s.ID, sessions.AttachRequest{HostID: "h"})
	require.NoError(t, err)
	aid := *open.Calls[0].ApprovalID
	ctx, none, text := t.Context(), sessions.Idempotency{}, "x"
	for kind, n := range map[string]tenants.Narrow{
		"to a session": {SessionID: mine.ID}, "to labels": {Labels: map[string]string{"team": "payments"}},
	} {
		c := narrowed(c, n)
		for name, f := range map[string]func() error{
			"get":     func() error { _, err := r.Get(ctx, c, s.ID); return err },
			"labels":  func() error { _, err := r.SetLabels(ctx, c, s.ID, n.Labels); return err },
			"close":   func() error { return r.Close(ctx, c, s.ID) },
			"tools":   func() error { _, _, err := r.Tools(ctx, c, s.ID); return err },
			"set":     func() error { _, err := r.SetTools(ctx, c, s.ID, nil); return err },
			"rules":   func() error { _, err := r.SetRules(ctx, c, s.ID, permissions.Rules{}); return err },
			"mode":    func() error { _, err := r.SetMode(ctx, c, s.ID, permissions.ModePlan); return err },
			"plan":    func() error { _, err := r.Plan(ctx, c, s.ID); return err },
			"patch":   func() error { _, err := r.PatchPlan(ctx, c, s.ID, sessions.PlanPatch{Append: &text}); return err },
			"grants":  func() error { _, err := r.Grants(ctx, c, s.ID); return err },
			"revoke":  func() error { return r.RevokeGrants(ctx, c, s.ID, "") },
			"turn":    func() error { _, err := r.Turn(ctx, c, s.ID, turn.Value.ID); return err },
			"turns":   func() error { _, err := r.Turns(ctx, c, s.ID, 1, ""); return err },
			"prompt":  func() error { _, err := r.StartTurn(ctx, c, none, s.ID, prompt); return err },
			"stop":    func() error { _, err := r.Interrupt(ctx, c, none, s.ID); return err },
			"submit":  func() error { _, err := r.Submit(ctx, c, none, s.ID, batch(call("2", "read_file", `{}`))); return err },
			"explain": func() error { _, err := r.Explain(ctx, c, none, s.ID, batch(call("2", "read_file", `{}`))); return err },
			"batches": func() error { _, err := r.Batches(ctx, c, s.ID, 1, ""); return err },
			"batch":   func() error { _, err := r.Batch(ctx, c, s.ID, open.ID, time.Millisecond); return err },
			"claim": func() error {
				_, err := r.Claim(ctx, c, none, s.ID, open.ID, sessions.ClaimRequest{HostID: "h", Positions: []int{0}})
				return err
			},
			"report": func() error { _, err := r.Report(ctx, c, none, s.ID, open.ID, succeed(0, "x")); return err },
			"abort":  func() error { _, err := r.Abort(ctx, c, none, s.ID, open.ID); return err },
			"next":   func() error { _, err := r.FollowUp(ctx, c, s.ID, open.ID); return err },
			"attach": func() error { _, err := r.Attach(ctx, c, none, s.ID, sessions.AttachRequest{HostID: "x"}); return err },
			"hosts":  func() error { _, err := r.Hosts(ctx, c, s.ID); return err },
			"beat": func() error {
				_, err := r.Heartbeat(ctx, c, s.ID, scheduler.Sender{Host: "h", Fence: host.Value.Fence})
				return err
			},
			"detach":   func() error { return r.Detach(ctx, c, s.ID, scheduler.Sender{Host: "h", Fence: host.Value.Fence}) },
			"approval": func() error { _, err := r.Approval(ctx, c, aid); return err },
			"answer": func() error {
				_, err := r.Respond(ctx, c, none, aid, sessions.Response{OptionID: "allow_once"})
				return err
			},
			"by call": func() error {
				_, err := r.RespondToCall(ctx, c, none, s.ID, "1", sessions.Response{OptionID: "allow_once"})
				return err
			},
			"output": func() error { _, err := r.Output(ctx, c, s.ID, "out_1", 0, 1); return err },
			"record": func() error { return r.Transcript(ctx, c, s.ID, func(sessions.TranscriptLine) error { return nil }) },
			"stream": func() error { _, err := r.Topic(ctx, c, s.ID); return err },
			"child":  func() error { _, err := r.Create(ctx, c, none, sessions.Spec{ParentSessionID: &s.ID}); return err },
		} {
			require.Equal(t, sessions.CodeNotFound, problem(t, f()).Code, "%s, %s", kind, name)
		}
		list, err := r.List(ctx, c, sessions.SessionFilter{})
		require.NoError(t, err)
		require.Len(t, list.Data, 1)
		require.Equal(t, mine.ID, list.Data[0].ID)
		inbox, err := r.Approvals(ctx, c, sessions.ApprovalFilter{})
		require.NoError(t, err)
		require.Empty(t, inbox.Data)
		state, _, err := r.SnapshotFor(ctx, c)
		require.NoError(t, err)
		require.NotContains(t, string(state), s.ID)
		sight := r.Sight(ctx, c)
		seen, err := sight(s.ID, "batch.completed")
		require.NoError(t, err)
		require.False(t, seen)
		seen, err = sight(mine.ID, "batch.completed")
		require.NoError(t, err)
		require.True(t, seen)
	}
}

func TestANarrowedKeyCreatesWithinItsPartOnly(t *testing.T) {
	t.Parallel()
	r, c := start(t, store.Embedded, nil), caller()
	team := narrowed(c, tenants.Narrow{Labels: map[string]string{"team": "payments"}})
	made := create(t, r, team, func(in *sessions.Spec) { in.Labels = map[string]string{"stage": "test"} })
	require.Equal(t, map[string]string{"team": "payments", "stage": "test"}, made.Labels)
	_, err := r.Create(t.Context(), team, sessions.Idempotency{}, sessions.Spec{Labels: map[string]string{"team": "search"}})
	require.Equal(t, sessions.CodeInvalid, problem(t, err).Code)
	_, err = r.SetLabels(t.Context(), team, made.ID, map[string]string{"stage": "live"})
	require.Equal(t, sessions.CodeInvalid, problem(t, err).Code, "it would lose the session")

	one := narrowed(c, tenants.Narrow{SessionID: made.ID})
	_, err = r.Create(t.Context(), one, sessions.Idempotency{}, sessions.Spec{})
	require.Equal(t, sessions.CodeForbidden, problem(t, err).Code)
	child := create(t, r, one, func(in *sessions.Spec) { in.ParentSessionID = &made.ID })
	_, err = r.Get(t.Context(), one, child.ID)
	require.NoError(t, err, "what is below its session is its own")
}

func TestAHostCreatesNoSessionThatNeedsNobody(t *testing.T) {
	t.Parallel()
	r, c := start(t, store.Embedded, nil), caller()
	c.Roles = []tenants.Role{tenants.RoleHost, tenants.RoleViewer}
	for name, in := range map[string]sessions.Spec{
		"yolo":        {ApprovalMode: new(permissions.ModeYolo)},
		"auto_edit":   {ApprovalMode: new(permissions.ModeAutoEdit)},
		"allow rules": {Rules: &permissions.Rules{Allow: []string{"*"}}},
	} {
		_, err := r.Create(t.Context(), c, sessions.Idempotency{}, in)
		require.Equal(t, sessions.CodeForbidden, problem(t, err).Code, name)
	}
	for name, in := range map[string]sessions.Spec{
		"plan": {ApprovalMode: new(permissions.ModePlan)}, "default": {}, "denies": {Rules: &permissions.Rules{Deny: []string{"write(*)"}}},
	} {
		_, err := r.Create(t.Context(), c, sessions.Idempotency{}, in)
		require.NoError(t, err, name)
	}
	c.Roles = append(c.Roles, tenants.RoleFrontend)
	_, err := r.Create(t.Context(), c, sessions.Idempotency{}, sessions.Spec{ApprovalMode: new(permissions.ModeYolo)})
	require.NoError(t, err, "a person's key may")
}
