package scheduler_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

func TestACallIsJudgedStageByStage(t *testing.T) {
	t.Parallel()
	deny := permissions.Rules{Deny: []string{"nope", "edit"}, Allow: []string{"*"}}
	for _, c := range []struct {
		name string
		call scheduler.Input
		want string
	}{
		{"allowed", write("a"), "dispatched"},
		{"a denied tool that does not exist", call("a", "nope", "{}"), "permission_denied"},
		{"denied, with broken arguments", call("a", "edit", `{`), "permission_denied"},
		{"an unknown tool, with broken arguments", call("a", "unheard_of", `{`), "tool_not_registered"},
		{"an unknown tool, allowed by name", call("a", "unheard_of", `{}`), "tool_not_registered"},
		{"broken arguments", call("a", "write_file", `{"file_path":`), "invalid_tool_params"},
		{"a list", call("a", "write_file", `[]`), "invalid_tool_params"},
		{"null", call("a", "write_file", `null`), "invalid_tool_params"},
		{"nothing", call("a", "write_file", ``), "invalid_tool_params"},
		{"a key twice", call("a", "write_file", `{"file_path":"a","file_path":"b"}`), "invalid_tool_params"},
		{"a key twice, deep down", call("a", "write_file", `{"x":[{"y":1,"y":2}]}`), "invalid_tool_params"},
		{"no UTF-8", call("a", "write_file", "{\"file_path\":\"\xff\"}"), "invalid_tool_params"},
		{"against the schema", call("a", "write_file", `{"file_path":"a","bad":1}`), "invalid_tool_params"},
		{"cut off", scheduler.Input{ID: "a", Name: "write_file", Arguments: `{"f`, Fault: scheduler.FaultTruncated}, "output_truncated"},
		{"cut off, yet complete", scheduler.Input{ID: "a", Name: "write_file", Arguments: `{}`, Fault: scheduler.FaultTruncated}, "output_truncated"},
		{"cut off and denied", scheduler.Input{ID: "a", Name: "edit", Arguments: `{`, Fault: scheduler.FaultTruncated}, "permission_denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, ruled(deny))
			w.submit(c.call)
			require.Equal(t, []string{c.want}, w.outcomes())
			require.Empty(t, w.raised)
		})
	}
}

func TestTheModeDecidesWhereNoRuleDoes(t *testing.T) {
	t.Parallel()
	calls := []scheduler.Input{
		read("r"), call("s", "grep_search", `{"pattern":"x"}`), call("k", "todo_write", `{}`),
		fetch("f"), write("w"), shell("x", "make"), call("m", "mystery", `{}`), call("d", "mcp__docs__lookup", `{}`),
	}
	const yes, ask, no = "dispatched", "awaiting_approval", "plan_mode_denied"
	for m, want := range map[permissions.Mode][]string{
		permissions.ModePlan:     {yes, yes, yes, ask, no, no, no, yes},
		permissions.ModeDefault:  {yes, yes, yes, ask, ask, ask, ask, yes},
		permissions.ModeAutoEdit: {yes, yes, yes, yes, yes, ask, ask, yes},
		permissions.ModeYolo:     {yes, yes, yes, yes, yes, yes, yes, yes},
	} {
		for i, c := range calls {
			w := newWorld(t, mode(m))
			w.submit(c)
			require.Equal(t, []string{want[i]}, w.outcomes(), "%s in %s", c.Name, m)
			d := w.call(0).Decision
			require.Equal(t, w.state.Session.ModeRevision, d.ModeRevision)
			if want[i] == no {
				require.Equal(t, permissions.SourcePlanMode, d.Source)
				require.NotNil(t, d.Pattern)
			} else {
				require.Equal(t, permissions.TierMode, d.Tier)
				require.Nil(t, d.Pattern)
			}
		}
	}
}

func TestAnAncestorsModeIsNeverWidened(t *testing.T) {
	t.Parallel()
	w := newWorld(t, mode(permissions.ModeYolo))
	w.env.AncestorMode = permissions.ModeDefault
	w.submit(write("w"))
	require.Equal(t, []string{"awaiting_approval"}, w.outcomes())

	w = newWorld(t, mode(permissions.ModeYolo), underPlan, allowAll)
	require.Equal(t, []string{"plan_mode_denied", "ok"}, w.batch(write("w"), read("r")))
}

func TestWhereNobodyCanBeAskedAnAskIsANo(t *testing.T) {
	t.Parallel()
	for _, r := range everyRuntime {
		w := newWorld(t, in(r), nobodyToAsk)
		require.Equal(t, []string{"approval_unavailable", "ok", "approval_unavailable"}, w.batch(write("w"), read("r"), write("v")))
		require.Equal(t, permissions.Ask, w.result(0).Decision.Effect)
		require.Empty(t, w.stop(), "it stops no turn")
	}
}

func TestGatewayToolsNeverAsk(t *testing.T) {
	t.Parallel()
	for _, rules := range []permissions.Rules{
		{Ask: []string{"*"}},
		{Deny: []string{"read(*)", "other(*)", "execute(*)"}},
	} {
		w := newWorld(t, ruled(rules))
		w.outputs["x"] = "text"
		require.Equal(t, []string{"ok"}, w.batch(call("o", "read_output", `{"ref":"x"}`)))
		require.Equal(t, []string{"ok"}, w.batch(enter("e")))
	}
	for _, glob := range []string{"read_output", "read_o*", "*", "read_output(whatever)"} {
		w := newWorld(t, ruled(permissions.Rules{Deny: []string{glob}}))
		require.Equal(t, []string{"permission_denied"}, w.batch(call("o", "read_output", `{"ref":"x"}`)), glob)
	}
}

func TestADeniedCallNamesTheRule(t *testing.T) {
	t.Parallel()
	w := newWorld(t, ruled(permissions.Rules{Deny: []string{"write(/etc/**)"}}))
	w.batch(call("w", "write_file", file("/etc/hosts")))
	d := w.result(0).Decision
	require.Equal(t, "write(/etc/**)", *d.Pattern)
	require.Equal(t, []any{permissions.Deny, permissions.TierDeny, permissions.SourceSession}, []any{d.Effect, d.Tier, d.Source})
	require.Contains(t, w.result(0).Output, "write(/etc/**)")
}

func TestADeclaredNameBeatsABuiltInAlias(t *testing.T) {
	t.Parallel()
	w := newWorld(t, allowAll)
	w.submit(call("a", "replace", `{}`), call("b", "task", `{}`), call("c", "search_file_content", `{}`), call("d", "ReadFile", `{}`))
	for i, want := range []string{"edit", "agent", "grep_search", "read_file"} {
		require.Equal(t, want, w.call(i).Tool)
	}
	w = newWorld(t, allowAll, func(w *world) {
		w.tool("write_file").Permission.Aliases = []string{"replace"}
		w.tool("mystery").Permission.Name = "task"
	})
	w.submit(call("a", "replace", `{}`), call("b", "task", `{}`))
	require.Equal(t, []string{"write_file", "task"}, []string{w.call(0).Tool, w.call(1).Tool})
}

func TestNamesThatClashAreRefused(t *testing.T) {
	t.Parallel()
	named := func(name string, aliases ...string) scheduler.Tool {
		return scheduler.Tool{Permission: permissions.Tool{Name: name, Aliases: aliases}}
	}
	for _, tools := range [][]scheduler.Tool{
		{named("a"), named("a")},
		{named("a"), named("b", "a")},
		{named("b", "a"), named("a")},
		{named("a", "x"), named("b", "x")},
		{named("a", "a")},
	} {
		_, err := scheduler.NewRegistry(tools)
		var clash *scheduler.NameClashError
		require.ErrorAs(t, err, &clash)
		require.NotEmpty(t, clash.Error())
	}
	_, err := scheduler.NewRegistry([]scheduler.Tool{named("a", "x"), named("b", "X")})
	require.NoError(t, err, "names are told apart by case")
}

func TestRulesKnowABuiltInAlias(t *testing.T) {
	t.Parallel()
	for rule, call := range map[string]scheduler.Input{
		"EnterPlanMode": call("e", "enter_plan_mode", "{}"),
		"ExitPlanMode":  call("x", "exit_plan_mode", `{"plan":"p"}`),
		"replace":       call("d", "edit", file("a")),
	} {
		w := newWorld(t, ruled(permissions.Rules{Deny: []string{rule}, Allow: []string{"*"}}))
		w.submit(call)
		require.Equal(t, []string{"permission_denied"}, w.outcomes(), rule)
	}
}
