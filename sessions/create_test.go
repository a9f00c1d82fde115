package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

func TestASessionWithoutASpecificationTakesEveryDefault(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	reply, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{})
	require.NoError(t, err)
	s := reply.Value
	require.False(t, reply.Replayed)
	require.Regexp(t, `^ses_[0-9]{4}[0-9A-Z]{26}$`, s.ID)
	require.NotNil(t, s.LastEventID)
	require.Regexp(t, `^1-[0-9a-f]{8}$`, *s.LastEventID)
	require.Equal(t, s.CreatedAt, s.UpdatedAt)
	got := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(encoded(t, s)), &got))
	for _, own := range []string{"id", "tenant", "last_event_id", "created_at", "updated_at"} {
		require.Contains(t, got, own)
		delete(got, own)
	}
	require.JSONEq(t, `{
		"status": "active", "runtime": "core", "sdk": false, "agent": "main", "parent_session_id": null,
		"approval_mode": "default", "effective_mode": "default", "approval_mode_locked": false,
		"previous_mode": null, "plan_shell": null, "mode_revision": 1, "cwd": "/", "modules": {"plan_mode": true},
		"approvals": "frontend", "approvers": null, "approval_timeout_s": 1800, "claim_timeout_s": 300,
		"tools": [], "tools_revision": 1, "rules": {"deny": [], "ask": [], "allow": []}, "rules_revision": 1,
		"structured_output": null, "max_tool_calls": null, "tool_calls_used": 0,
		"loop": {"identical_calls": 5, "calls_per_turn": 1000},
		"limits": {"tool_output_chars": 25000, "batch_output_chars": 200000},
		"labels": {}, "idle_ttl_s": 86400,
		"plan": {"active": false, "inherited": false, "text": "", "revision": 0, "entered_by": null, "entered_at": null},
		"open_turn_id": null, "open_batch_id": null, "open_approvals": [], "hosts": []
	}`, encoded(t, got))
	require.Equal(t, encoded(t, s), encoded(t, a.session(s.ID)), "get answers what create did")
}

func TestAToolWithoutDetailsTakesEveryDefault(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	s := a.create(func(s *sessions.Spec) { s.Tools = []sessions.ToolSpec{{Name: "x"}} })
	require.JSONEq(t, `[{"name": "x", "description": "", "aliases": [], "kind": "other", "read_only": false,
		"input_schema": {}, "agent": false, "timeout_s": 600}]`, encoded(t, s.Tools))
}

func TestSomeDefaultsFollowFromOthers(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	headless := a.create(func(s *sessions.Spec) { s.Runtime = new(scheduler.RuntimeHeadless) })
	require.Equal(t, "none", headless.Approvals, "nobody watches a headless session")
	watched := a.create(func(s *sessions.Spec) {
		s.Runtime, s.Approvals = new(scheduler.RuntimeHeadless), new("frontend")
	})
	require.Equal(t, "frontend", watched.Approvals)
	require.Equal(t, "frontend", a.create(func(s *sessions.Spec) { s.Runtime = new(scheduler.RuntimeACP) }).Approvals)

	planned := a.create(func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModePlan) })
	require.True(t, planned.Plan.Active)
	require.Equal(t, "ann", *planned.Plan.EnteredBy)
	require.NotNil(t, planned.Plan.EnteredAt)
	require.Nil(t, planned.PreviousMode)

	partial := a.create(func(s *sessions.Spec) {
		require.NoError(t, json.Unmarshal([]byte(
			`{"loop": {"identical_calls": 0}, "limits": {"tool_output_chars": 1}, "modules": {}}`), s))
	})
	require.Equal(t, sessions.Loop{IdenticalCalls: 0, CallsPerTurn: 1000}, partial.Loop)
	require.Equal(t, sessions.Limits{ToolOutputChars: 1, BatchOutputChars: 200000}, partial.Limits)
	require.True(t, partial.Modules.PlanMode)
}

// TestABadSpecificationIsRefusedNamingEachField holds one body per fault. A
// refused one leaves no session behind.
func TestABadSpecificationIsRefusedNamingEachField(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	long := strings.Repeat("x", 5000)
	labels := make([]string, 33)
	for i := range labels {
		labels[i] = fmt.Sprintf(`"l%d": ""`, i)
	}
	for name, c := range map[string]struct{ body, fault string }{
		"unknown runtime":          {`{"runtime": "fast"}`, "/runtime"},
		"unknown agent":            {`{"agent": "boss"}`, "/agent"},
		"unknown approver":         {`{"approvals": "nobody"}`, "/approvals"},
		"unknown mode":             {`{"approval_mode": "wild"}`, "/approval_mode"},
		"plan without its module":  {`{"approval_mode": "plan", "modules": {"plan_mode": false}}`, "/approval_mode"},
		"relative cwd":             {`{"cwd": "srv"}`, "/cwd"},
		"empty cwd":                {`{"cwd": ""}`, "/cwd"},
		"cwd with a NUL":           {`{"cwd": "/a\u0000"}`, "/cwd"},
		"long cwd":                 {`{"cwd": "/` + long + `"}`, "/cwd"},
		"negative approval time":   {`{"approval_timeout_s": -1}`, "/approval_timeout_s"},
		"endless approval time":    {`{"approval_timeout_s": 2592001}`, "/approval_timeout_s"},
		"negative claim time":      {`{"claim_timeout_s": -1}`, "/claim_timeout_s"},
		"endless claim time":       {`{"claim_timeout_s": 2592001}`, "/claim_timeout_s"},
		"negative idle time":       {`{"idle_ttl_s": -1}`, "/idle_ttl_s"},
		"endless idle time":        {`{"idle_ttl_s": 2592001}`, "/idle_ttl_s"},
		"budget below unlimited":   {`{"max_tool_calls": -2}`, "/max_tool_calls"},
		"budget beyond counting":   {`{"max_tool_calls": 1073741825}`, "/max_tool_calls"},
		"negative loop":            {`{"loop": {"identical_calls": -1}}`, "/loop/identical_calls"},
		"endless loop":             {`{"loop": {"identical_calls": 100001}}`, "/loop/identical_calls"},
		"negative turn":            {`{"loop": {"calls_per_turn": -1}}`, "/loop/calls_per_turn"},
		"endless turn":             {`{"loop": {"calls_per_turn": 100001}}`, "/loop/calls_per_turn"},
		"no output":                {`{"limits": {"tool_output_chars": 0}}`, "/limits/tool_output_chars"},
		"endless output":           {`{"limits": {"tool_output_chars": 4194305}}`, "/limits/tool_output_chars"},
		"no batch output":          {`{"limits": {"batch_output_chars": 0}}`, "/limits/batch_output_chars"},
		"endless batch output":     {`{"limits": {"batch_output_chars": 4194305}}`, "/limits/batch_output_chars"},
		"label without a key":      {`{"labels": {"": "v"}}`, "/labels"},
		"label key with =":         {`{"labels": {"a=b": "v"}}`, "/labels"},
		"label with a line break":  {`{"labels": {"a": "b\nc"}}`, "/labels"},
		"long label":               {`{"labels": {"a": "` + long + `"}}`, "/labels"},
		"long label key":           {`{"labels": {"` + long + `": ""}}`, "/labels"},
		"too many labels":          {`{"labels": {` + strings.Join(labels, ",") + `}}`, "/labels"},
		"schema that is no schema": {`{"structured_output": {"schema": 7}}`, "/structured_output/schema"},
		"schema that is null":      {`{"structured_output": {"schema": null}}`, "/structured_output/schema"},
		"malformed deny rule":      {`{"rules": {"deny": ["read(a)", "bash("]}}`, "/rules/deny/1"},
		"malformed ask rule":       {`{"rules": {"ask": [""]}}`, "/rules/ask/0"},
		"malformed allow rule":     {`{"rules": {"allow": ["()"]}}`, "/rules/allow/0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var spec sessions.Spec
			require.NoError(t, json.Unmarshal([]byte(c.body), &spec))
			_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, spec)
			p := refused(t, err, sessions.CodeInvalid)
			require.Equal(t, []string{c.fault}, faults(p))
			require.NotContains(t, p.Fields[0].Detail, long, "a fault shows no value")
		})
	}
	t.Cleanup(func() {
		page, err := a.List(context.Background(), a.caller, sessions.SessionFilter{})
		require.NoError(t, err)
		require.Empty(t, page.Data)
	})
}

func TestEveryFaultOfASpecificationIsNamedAtOnce(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	_, err := a.Create(t.Context(), a.caller, sessions.Idempotency{}, sessions.Spec{
		Agent: new("boss"), Cwd: new("x"), IdleTTLS: new(-1), Tools: []sessions.ToolSpec{{Name: "a b"}},
		Rules: &permissions.Rules{Deny: []string{"("}},
	})
	p := refused(t, err, sessions.CodeInvalid)
	require.ElementsMatch(t, []string{"/tools/0/name", "/agent", "/cwd", "/idle_ttl_s", "/rules/deny/0"}, faults(p))
}

func TestTheBoundsThemselvesAreAllowed(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	for _, body := range []string{
		`{"approval_timeout_s": 0, "claim_timeout_s": 0, "idle_ttl_s": 0, "max_tool_calls": -1,
		  "loop": {"identical_calls": 0, "calls_per_turn": 0}, "limits": {"tool_output_chars": 1, "batch_output_chars": 1}}`,
		`{"approval_timeout_s": 2592000, "claim_timeout_s": 2592000, "idle_ttl_s": 2592000, "max_tool_calls": 1073741824,
		  "loop": {"identical_calls": 100000, "calls_per_turn": 100000},
		  "limits": {"tool_output_chars": 4194304, "batch_output_chars": 4194304}}`,
	} {
		s := a.create(func(s *sessions.Spec) { require.NoError(t, json.Unmarshal([]byte(body), s)) })
		again := encoded(t, a.session(s.ID))
		require.Equal(t, encoded(t, s), again)
	}
}
