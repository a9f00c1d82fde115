package permissions

import (
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

var (
	genSubject = rapid.SampledFrom([]string{
		"*", "**", "a", ".env", "**/.env", "src/**", "/etc/**", "../x", "rm *", "git log*", "*x*", "{a,b}", "cat .env", "https://*", "~/a",
	})
	genToolGlob = rapid.SampledFrom([]string{
		"*", "edit", "run_shell_command", "run_*", "read", "write", "execute", "fetch", "other", "{read,write}", "mystery", "e*",
	})
	genPattern = rapid.Custom(func(t *rapid.T) string {
		if rapid.Bool().Draw(t, "bare") {
			return genToolGlob.Draw(t, "tool")
		}
		return genToolGlob.Draw(t, "tool") + "(" + genSubject.Draw(t, "subject") + ")"
	})
	genRules = rapid.Custom(func(t *rapid.T) Rules {
		list := rapid.SliceOfN(genPattern, 0, 4)
		return Rules{Deny: list.Draw(t, "deny"), Ask: list.Draw(t, "ask"), Allow: list.Draw(t, "allow")}
	})
	genPath    = rapid.StringOfN(rapid.SampledFrom([]rune("a.b/~ \\*x")), 0, 12, -1)
	genCommand = rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]string{
		"rm", "cat", "git log", " ", ".env", "> ", "; ", "&& ", "$(", ")", "x", "\"", "'", "$f", "sudo ", "sh -c ", "cd ", "\n", "`", "<<E\n", "E\n", "{ ", "; }", "*",
	}), 0, 14), func(parts []string) string { return strings.Join(parts, "") })
	genMode = rapid.SampledFrom(strictness)
	genTool = rapid.SampledFrom([]Tool{readFile, grep, writeFile, edit, remove, move, shell, fetch, think, mystery, outside, manyPaths})
)

func genCall(t *rapid.T) *Analysis {
	a := args{}
	for _, name := range []string{"path", "from", "to", "uri"} {
		if rapid.Bool().Draw(t, "has "+name) {
			a[name] = genPath.Draw(t, name)
		}
	}
	if rapid.Bool().Draw(t, "has command") {
		a["command"] = genCommand.Draw(t, "command")
	}
	if rapid.Bool().Draw(t, "has paths") {
		a["paths"] = rapid.SliceOf(genPath).Draw(t, "paths")
	}
	text := appendObjectForTest(a)
	return Analyse(Request{Tool: genTool.Draw(t, "tool"), Arguments: string(text), Cwd: cwd})
}

// compile fails the property for a rule that is not taken.
func compile(t *rapid.T, r Rules) *Policy {
	p, err := Compile(Origin{Source: SourceSession, Rules: r})
	require.NoError(t, err)
	return p
}

func TestDenyIsAFloor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, r, m := genCall(t), genRules.Draw(t, "rules"), genMode.Draw(t, "mode")
		before := compile(t, r).Decide(a, m)
		r.Allow = append(rapid.SliceOf(genPattern).Draw(t, "more"), r.Allow...)
		after := compile(t, r).Decide(a, m)
		if before.Effect == Deny {
			require.Equal(t, before, after)
		}
		require.LessOrEqual(t, rank(after.Effect), rank(before.Effect), "an allow rule only allows")
	})
}

func TestTheDenyTierAloneDeniesTheSame(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, p := genCall(t), compile(t, genRules.Draw(t, "rules"))
		d, denied := p.Denied(a)
		whole := p.Decide(a, genMode.Draw(t, "mode"))
		require.Equal(t, denied, whole.Effect == Deny)
		if denied {
			require.Equal(t, whole, d)
		}
	})
}

func TestMoreDenyAndAskRulesNeverPermitMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, r, m := genCall(t), genRules.Draw(t, "rules"), genMode.Draw(t, "mode")
		before := compile(t, r).Decide(a, m)
		more := genRules.Draw(t, "more")
		r.Deny, r.Ask = append(more.Deny, r.Deny...), append(more.Ask, r.Ask...)
		require.GreaterOrEqual(t, rank(compile(t, r).Decide(a, m).Effect), rank(before.Effect))
	})
}

func TestAStricterModeNeverPermitsMore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, p := genCall(t), compile(t, genRules.Draw(t, "rules"))
		m, o := genMode.Draw(t, "mode"), genMode.Draw(t, "other")
		strict := p.Decide(a, Strictest(m, o))
		require.GreaterOrEqual(t, rank(strict.Effect), rank(p.Decide(a, m).Effect))
	})
}

func TestJoinedPoliciesDecideAsOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, m := genCall(t), genMode.Draw(t, "mode")
		first := Origin{Source: SourceTenant, Rules: genRules.Draw(t, "tenant")}
		second := Origin{Source: SourceSession, Rules: genRules.Draw(t, "session")}
		whole, err := Compile(first, second)
		require.NoError(t, err)
		one, err := Compile(first)
		require.NoError(t, err)
		two, err := Compile(second)
		require.NoError(t, err)
		require.Equal(t, whole.Decide(a, m), Join(one, two).Decide(a, m))
	})
}

func TestSubjectsFoldToTheStrictestOfThem(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, m := compile(t, genRules.Draw(t, "rules")), genMode.Draw(t, "mode")
		paths := rapid.SliceOfN(genPath, 1, 5).Draw(t, "paths")
		judge := func(paths ...string) int {
			text := appendObjectForTest(args{"paths": paths})
			return rank(p.Decide(Analyse(Request{Tool: manyPaths, Arguments: string(text), Cwd: cwd}), m).Effect)
		}
		strictest := 0
		for _, one := range paths {
			strictest = max(strictest, judge(one))
		}
		require.Equal(t, strictest, judge(paths...))
	})
}

func TestAPartIsNeverJudgedMilderInCompany(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := compile(t, genRules.Draw(t, "rules"))
		judge := func(command string) int {
			text := appendObjectForTest(args{"command": command})
			return rank(p.Decide(Analyse(Request{Tool: shell, Arguments: string(text), Cwd: cwd}), ModeDefault).Effect)
		}
		part := rapid.SampledFrom([]string{"rm x", "cat .env", "echo > a", "git log", "sudo rm a", "sh -c 'rm x'", "$f"}).Draw(t, "part")
		frame := rapid.SampledFrom([]string{
			"git log; %", "% && git log", "(%)", "{ %; }", "if %; then git log; fi", "git log $(%)", "git log | %", "git log <(%)", "! %", "git log\n%",
		}).Draw(t, "frame")
		require.GreaterOrEqual(t, judge(strings.ReplaceAll(frame, "%", part)), judge(part))
	})
}

func TestNormalisingTwiceIsNormalisingOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.OneOf(genPath, rapid.String()).Draw(t, "path")
		once := normalise(cwd, p)
		require.Equal(t, once, normalise(cwd, once))
		require.True(t, path.IsAbs(once))
		g := rapid.StringOfN(rapid.SampledFrom([]rune("a./*?x")), 0, 12, -1).Draw(t, "glob")
		require.Equal(t, cleanGlob(g), cleanGlob(cleanGlob(g)))
	})
}

func TestAPathIsMatchedByItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.StringOfN(rapid.SampledFrom([]rune("ab./")), 1, 12, -1).Draw(t, "path")
		text := appendObjectForTest(args{"path": p})
		a := Analyse(Request{Tool: readFile, Arguments: string(text), Cwd: cwd})
		require.Equal(t, Deny, compile(t, Rules{Deny: []string{"read(" + p + ")"}}).Decide(a, ModeYolo).Effect)
		require.Equal(t, Allow, compile(t, Rules{Ask: []string{"x"}, Allow: []string{"read(" + p + ")"}}).Decide(a, ModeYolo).Effect)
	})
}
