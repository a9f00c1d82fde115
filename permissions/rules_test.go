package permissions

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMalformedPatternsAreRefusedByName(t *testing.T) {
	t.Parallel()
	for _, p := range []string{
		"", " ", "()", "bash(", "bash)", "bash)(*)", "bash()", "bash(x", "bash(x))", "bash((x)", "bash(x)y", "bash(x) ", " bash(x)", "ba sh",
		"(x)", "bash( x)", "bash(x )", "bash({a,b)", "bash(a})", "bash(}{)", "{a,b", "a}", "{a,}", "[a", "bash([a)", "bash([])",
		`bash(a\)`, `bash\`, "bash(a\x00b)", "bash(a\nb)", "bash(\xff)", "bash({,})", "bash({a,})", strings.Repeat("a", 513),
		"bash(" + strings.Repeat("{a,a}", 24) + ")", strings.Repeat("{a,b}", 7), "bash(" + strings.Repeat("{", 250) + ")",
		"bash({" + strings.Repeat("a,", 64) + "a})", "bash({{a,b,c},{d,e}{f,g}}" + strings.Repeat("{a,b}", 4) + ")", "a,b\t",
	} {
		for _, r := range []Rules{{Deny: []string{"ok", p}}, {Ask: []string{"ok", p}}, {Allow: []string{"ok", p}}} {
			err := Check(r)
			var list *RuleErrors
			require.ErrorAs(t, err, &list, "%q", p)
			require.Len(t, *list, 1)
			require.Equal(t, 1, (*list)[0].Index)
			require.NotEmpty(t, (*list)[0].Problem)
			require.Contains(t, err.Error(), string((*list)[0].Tier)+"[1]")
			_, err = Compile(Origin{Rules: r})
			require.ErrorAs(t, err, &list)
		}
	}
}

func TestGoodPatternsAreTaken(t *testing.T) {
	t.Parallel()
	good := []string{
		"*", "**", "bash", "bash(*)", "bash(**)", "mcp__*", "mcp__{a,b}__*", "Read(./a)", "bash(echo (x) y)", `bash(echo \()`, "bash(a{b})",
		"bash(find {} x)", "bash(${HOME}/x)", "bash({a,b}{c,d})", "bash([a-z]*)", `bash(\[ -f x ])`, "fetch(https://x/?q=*)", "read(ä/ö)",
		strings.Repeat("a", 512), "bash({" + strings.Repeat("a,", 63) + "a})", "mcp.x/y:z-1", "r?ad", "[ab]c(x)", "read(a,b)",
	}
	require.NoError(t, Check(Rules{Deny: good, Ask: good, Allow: good}))
	require.NoError(t, Check(Rules{}))
}

func TestBracesAreCountedWithoutExpanding(t *testing.T) {
	t.Parallel()
	start := time.Now()
	bomb := "bash(" + strings.Repeat("{a,a}", 24) + ")"
	for range 1000 {
		require.Error(t, Check(Rules{Deny: []string{bomb}}))
	}
	require.Less(t, time.Since(start), time.Minute)
}

func TestRulesAreCountedOverAllLists(t *testing.T) {
	t.Parallel()
	many := func(n int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprintf("tool_%d", i)
		}
		return out
	}
	require.NoError(t, Check(Rules{Deny: many(1000), Ask: many(500), Allow: many(500)}))
	err := Check(Rules{Deny: many(1000), Ask: many(500), Allow: many(10_001)})
	var list *RuleErrors
	require.ErrorAs(t, err, &list)
	require.Equal(t, RuleError{Tier: TierAllow, Index: 500, Pattern: "tool_500", Problem: "more than 2000 rules"}, (*list)[0])
	require.Len(t, *list, 1)
}

func TestExpandedTextIsBounded(t *testing.T) {
	t.Parallel()
	wide := "bash(" + strings.Repeat("{a,b}", 6) + strings.Repeat("x", 470) + ")"
	rules := make([]string, 200)
	for i := range rules {
		rules[i] = wide
	}
	require.Error(t, Check(Rules{Deny: rules}))
	require.NoError(t, Check(Rules{Deny: rules[:100]}))
}

func TestCompileNamesEveryBadSet(t *testing.T) {
	t.Parallel()
	_, err := Compile(Origin{Rules: deny("a(")}, Origin{Rules: deny("ok")}, Origin{Rules: Rules{Ask: []string{"b("}}})
	require.ErrorContains(t, err, `deny[0] "a("`)
	require.ErrorContains(t, err, `ask[0] "b("`)
	var list *RuleErrors
	require.ErrorAs(t, err, &list)
}

func TestTiersComeInOrder(t *testing.T) {
	t.Parallel()
	call := args{"path": "a"}
	require.Equal(t, Ask, decide(t, Rules{Ask: []string{"write(*)"}, Allow: []string{"*"}}, edit, call).Effect)
	require.Equal(t, Deny, decide(t, Rules{Deny: []string{"write(a)"}, Ask: []string{"*"}, Allow: []string{"edit(a)"}}, edit, call).Effect)
	require.Equal(t, Decision{Effect: Allow, Tier: TierAllow, Pattern: "edit(a)", Source: SourceSession},
		decide(t, allow("x", "edit(a)", "*"), edit, call))
	require.Equal(t, Decision{Effect: Ask, Tier: TierMode, Source: SourceMode}, decide(t, Rules{}, edit, call))
}

func TestTheFirstSourceIsNamed(t *testing.T) {
	t.Parallel()
	p, err := Compile(
		Origin{Source: SourceTenant, Rules: Rules{Ask: []string{"edit"}}},
		Origin{Source: SourceAncestor, Rules: Rules{Deny: []string{"x", "write(b)"}}},
		Origin{Source: SourceSession, Rules: Rules{Deny: []string{"edit(a)", "*(a)"}, Allow: []string{"*"}}},
	)
	require.NoError(t, err)
	plan, err := Compile(Origin{Source: SourcePlanMode, Rules: Rules{Deny: []string{"write(*)"}}})
	require.NoError(t, err)
	both := Join(nil, p, nil, plan)
	for path, want := range map[string]Decision{
		"a": {Deny, TierDeny, "edit(a)", SourceSession},
		"b": {Deny, TierDeny, "write(b)", SourceAncestor},
		"c": {Deny, TierDeny, "write(*)", SourcePlanMode},
	} {
		require.Equal(t, want, both.Decide(analyse(t, edit, args{"path": path}), ModeYolo))
	}
	require.Equal(t, Decision{Ask, TierAsk, "edit", SourceTenant}, p.Decide(analyse(t, edit, args{"path": "c"}), ModeYolo))
	require.Equal(t, Deny, Join(plan).Decide(analyse(t, edit, args{}), ModeYolo).Effect, "an unknown subject too")
	shellDenied := both.Decide(analyse(t, shell, args{"command": "ls; cat a > b"}), ModeYolo)
	require.Equal(t, Decision{Deny, TierDeny, "write(b)", SourceAncestor}, shellDenied)
}

func TestNoPolicyIsNoRules(t *testing.T) {
	t.Parallel()
	for _, p := range []*Policy{nil, {}, Join(), Join(nil)} {
		require.Equal(t, Allow, p.Decide(analyse(t, readFile, args{"path": "x"}), ModeDefault).Effect)
		require.Equal(t, Ask, p.Decide(analyse(t, shell, args{"command": "sh -c 'x'"}), ModeDefault).Effect)
	}
}

func TestTheModeDecidesWhatNoRuleMatched(t *testing.T) {
	t.Parallel()
	table := map[Kind][4]Effect{ // plan, default, auto_edit, yolo
		KindRead: {Allow, Allow, Allow, Allow}, KindSearch: {Allow, Allow, Allow, Allow}, KindThink: {Allow, Allow, Allow, Allow},
		KindFetch: {Ask, Ask, Allow, Allow}, KindEdit: {Ask, Ask, Allow, Allow}, KindDelete: {Ask, Ask, Allow, Allow},
		KindMove: {Ask, Ask, Allow, Allow}, KindExecute: {Ask, Ask, Ask, Allow}, KindSwitchMode: {Ask, Ask, Ask, Allow},
		KindOther: {Ask, Ask, Ask, Allow}, Kind("new"): {Ask, Ask, Ask, Allow}, Kind(""): {Ask, Ask, Ask, Allow},
	}
	for kind, want := range table {
		for i, mode := range strictness {
			for _, call := range []args{{}, {"path": "x"}, {"command": "x"}, {"url": "https://x"}, {"q": 1}} {
				d := (&Policy{}).Decide(analyse(t, Tool{Name: "t", Kind: kind}, call), mode)
				require.Equal(t, Decision{Effect: want[i], Tier: TierMode, Source: SourceMode}, d, "%s in %s %v", kind, mode, call)
			}
		}
	}
	d := (&Policy{}).Decide(analyse(t, edit, args{"path": "x"}), Mode("new"))
	require.Equal(t, Ask, d.Effect)
}

func TestWholeToolPatternsMatchEveryCall(t *testing.T) {
	t.Parallel()
	for _, suffix := range []string{"", "(*)", "(**)"} {
		for _, call := range []args{{}, {"path": "x"}, {"command": "x > y"}, {"command": "("}, {"url": "x"}} {
			for _, tool := range []Tool{readFile, edit, shell, fetch, think, mystery} {
				d := decide(t, deny(tool.Name+suffix), tool, call)
				require.Equal(t, Deny, d.Effect, "%s %v", tool.Name, call)
				if pseudo := PseudoTool(tool.Kind); pseudo != "" {
					require.Equal(t, Deny, decide(t, deny(pseudo+suffix), tool, call).Effect)
				}
				require.Equal(t, Deny, decide(t, deny("*"+suffix), tool, call).Effect)
			}
		}
	}
}

func TestPseudoToolsAreOnlyMetByName(t *testing.T) {
	t.Parallel()
	require.Equal(t, Ask, decide(t, allow("e*"), shell, args{"command": "x"}).Effect, "e* is no execute")
	require.Equal(t, Ask, decide(t, allow("ex?cute"), shell, args{"command": "x"}).Effect)
	require.Equal(t, Allow, decide(t, allow("{execute,write}"), shell, args{"command": "x"}).Effect)
	require.Equal(t, Deny, decide(t, deny("other(*)"), Tool{Name: "m", Kind: KindSwitchMode}, nil).Effect)
	require.Equal(t, Deny, decide(t, deny("other"), Tool{Name: "unknown"}, nil).Effect)
	require.Equal(t, Deny, decide(t, deny("read"), lookup, args{"q": "x"}).Effect)
	require.Equal(t, Ask, decide(t, allow("read"), Tool{Name: "read", Kind: KindOther}, nil).Effect, "a name is no kind")
	require.Equal(t, Deny, decide(t, deny("a*"), Tool{Name: "a/b"}, nil).Effect, "a star takes slashes in names")
}

func TestNarrowRulesOnToolsWithoutSubjects(t *testing.T) {
	t.Parallel()
	require.Equal(t, Allow, decide(t, deny("*(x)"), think, args{"todo": "x"}).Effect)
	require.Equal(t, Ask, decide(t, deny("mystery(x)"), mystery, args{"sql": "x"}).Effect)
	require.Equal(t, Ask, decide(t, allow("mystery(x)"), mystery, args{"sql": "x"}).Effect)
	require.Equal(t, Allow, decide(t, deny("mystery2(x)"), mystery, args{"sql": "x"}).Effect)
}

func TestGatewayToolsKnowOnlyDenyToolGlobs(t *testing.T) {
	t.Parallel()
	exit := Tool{Name: "exit_plan_mode", Aliases: []string{"ExitPlanMode"}, Kind: KindSwitchMode, Gateway: true}
	for _, p := range []string{"exit_plan_mode", "exit_*", "*", "exit_plan_mode(x)", "ExitPlanMode", "{a,exit_plan_mode}"} {
		require.Equal(t, Deny, decide(t, deny(p), exit, args{"plan": "p"}).Effect, p)
	}
	for _, p := range []string{"other", "other(*)", "write(*)", "execute(*)", "enter_plan_mode", "read(x)"} {
		require.Equal(t, Allow, decide(t, Rules{Deny: []string{p}, Ask: []string{"*"}}, exit, args{"plan": "p"}).Effect, p)
	}
}

func TestShellToolWithADirectory(t *testing.T) {
	t.Parallel()
	r := allow("execute(git log*)", "execute(echo *)", "write(/srv/app/**)")
	require.Equal(t, Allow, decide(t, r, shell, args{"command": "git log", "directory": "src"}).Effect)
	require.Equal(t, Allow, decide(t, r, shell, args{"command": "echo > x", "directory": "."}).Effect)
	require.Equal(t, Ask, decide(t, r, shell, args{"command": "echo > x", "directory": "/etc"}).Effect)
	require.Equal(t, Deny, decide(t, deny("execute(/etc)"), shell, args{"command": "ls", "directory": "/etc"}).Effect)
	require.Equal(t, Ask, decide(t, deny("write(.git/**)"), shell, args{"command": "echo > x", "directory": ".git"}).Effect)
}

func TestModes(t *testing.T) {
	t.Parallel()
	require.Equal(t, ModePlan, Strictest(ModeYolo, ModePlan, ModeDefault))
	require.Equal(t, ModeDefault, Strictest(ModeAutoEdit, ModeDefault, ModeYolo))
	require.Equal(t, ModeAutoEdit, Strictest(ModeAutoEdit, ModeYolo))
	require.Equal(t, ModeYolo, Strictest())
	require.Equal(t, ModePlan, Strictest(ModeYolo, "new"))
	for _, m := range strictness {
		require.True(t, m.Valid())
	}
	require.False(t, Mode("").Valid())
	require.True(t, KindSwitchMode.Valid())
	require.False(t, Kind("write").Valid())
	require.True(t, IsPseudoTool("write"))
	require.False(t, IsPseudoTool("edit"))
}

func TestSeenOnlyRulesAskAboutNothingUnseen(t *testing.T) {
	t.Parallel()
	secret := Rules{Deny: []string{"read(.env)", "write(.env)"}, Ask: []string{"read(.ask)"}}
	firm, err := Compile(Origin{Source: SourceTenant, Rules: secret})
	require.NoError(t, err)
	soft, err := Compile(Origin{Source: SourceTenant, Rules: secret, SeenOnly: true})
	require.NoError(t, err)
	for _, seen := range []*Analysis{
		analyse(t, readFile, args{"path": ".env"}), analyse(t, readFile, args{"path": "x/../.ask"}),
		analyse(t, shell, args{"command": "cat .env"}), analyse(t, edit, args{"path": "./.env"}),
	} {
		require.Equal(t, firm.Decide(seen, ModeYolo), soft.Decide(seen, ModeYolo))
	}
	for _, unseen := range []*Analysis{
		analyse(t, readFile, args{}), analyse(t, edit, args{"filePath": ".env"}), analyse(t, remove, args{"path": "."}),
		analyse(t, shell, args{"command": "eval $x"}), analyse(t, shell, args{"command": strings.Repeat("(", 300)}),
	} {
		requireAtLeastAsk(t, firm.Decide(unseen, ModeYolo))
		require.Equal(t, (&Policy{}).Decide(unseen, ModeYolo), soft.Decide(unseen, ModeYolo))
	}
}
