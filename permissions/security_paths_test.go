package permissions

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeniedPathsAreDeniedInEverySpelling(t *testing.T) {
	t.Parallel()
	env := []string{
		"/srv/app/.env", ".env", "a/../.env", "/srv/app//./.env", "./.env", ".//.env", "./././.env", "../app/.env",
		"/srv/app/../app/.env", "//srv/app/.env", "/../srv/app/.env", ".env/", "x/y/../../.env", ".env ", " .env", ".env\n",
		"file:///srv/app/.env", "FILE:///srv/app/.env", "file:/srv/app/.env", "file://localhost/srv/app/.env",
		"file:///srv/app/%2eenv", "file:///srv/app/.env?x", "file:///srv/app/.env#x", "file:.env", ".env\x00.txt", `.\.env`,
		"file:///srv/app/a/%2e%2e/.env", " file:///srv/app/.env",
		".ENV", ".Env", "/SRV/app/.env", ".e\u200bnv", "\ufeff.env", ".env.", ".env ..", ".env::$DATA",
	}
	for rule, paths := range map[string][]string{
		"read(./.env)": env, "read(.env)": env, "read(/srv/app/.env)": env, "read(/srv/app/x/../.env)": env, "read(../app/.env)": env,
		"read_file(.env)": env, "ReadFile(.env)": env, "read_*(.env)": env, "*(.env)": env, "{read,write}(.env)": env, "read({.env,x})": env,
		"read([.]env)": env, "read(file:///srv/app/.env)": env, "read(FILE://localhost/srv/app/.e*)": env, "read(file:/srv/app/.env)": env, "read(file:.env)": env, "read({file:///srv/app/.env,x})": env, `read(\.env)`: env, "read(.en?)": env, "read(.e*)": env, "read(**/.env)": env, "read(//srv/app//.env)": env,
		"read(**)": env, "read(*)": env, "read": env, "*": env, "**": env, "read(**/*)": env[:4],
		"read(**/secrets/**)": {"secrets/a", "a/secrets/b/c", "/srv/app/secrets/a", "/etc/secrets/a", "secrets", "x/../secrets/a"},
		"read(secrets/**)":    {"secrets/a", "secrets", "/srv/app/secrets/.hidden"},
		"read(secrets/)":      {"secrets", "secrets/"},
		"read(../other/**)":   {"/srv/other/a", "../other/a", "../../srv/other/a"},
		"read(/etc/**)":       {"/etc/hosts", "../../etc/hosts", "/srv/../etc/hosts", "/etc"},
		"read(~/.ssh/**)":     {"~/.ssh/id", "/root/.ssh/id", "/home/u/.ssh/id", "/Users/u/.ssh/id"},
		`read(a\{b\})`:        {"a{b}"},
		"read(a{b})":          {"a{b}"},
		"read(a/**/z)":        {"a/z", "a/b/z", "a/b/c/z"},
	} {
		for _, p := range paths {
			d := decide(t, deny(rule), readFile, args{"file_path": p})
			require.Equal(t, Deny, d.Effect, "%s: %q", rule, p)
			require.Equal(t, rule, d.Pattern)
		}
	}
}

func TestOtherPathsAreNotDenied(t *testing.T) {
	t.Parallel()
	for rule, paths := range map[string][]string{
		"read(.env)":            {".envrc", "sub/.env", "/etc/.env", "x.env", "/srv/app-evil/.env"},
		"read(*.pem)":           {"sub/b.pem", "/srv/b.pem", "b.pem.txt"},
		"read(secrets/**)":      {"a/secrets/b", "secrets-x/a", "/secrets/a"},
		"read(/srv/app/x/**)":   {"/srv/app/x-evil/a", "/srv/app", "x/../y"},
		"read(/srv/app/*)":      {"/srv/app/a/b"},
		"write(.env)":           {".env"},
		"write":                 {".env"},
		"r*(x)":                 {".env"},
		"{write,execute}":       {".env"},
		"e*":                    {".env"},
		"read_file_x":           {".env"},
		"Read_file":             {".env"},
		"read(/srv/app/x/../y)": {"x"},
	} {
		for _, p := range paths {
			require.Equal(t, Allow, decide(t, deny(rule), readFile, args{"file_path": p}).Effect, "%s: %q", rule, p)
		}
	}
}

func TestWritersAreDeniedWhateverTheTool(t *testing.T) {
	t.Parallel()
	r := deny("write(.git/**)", "write(config/agent.json)", "edit(/etc/**)")
	for _, c := range []struct {
		tool Tool
		args args
	}{
		{edit, args{"file_path": ".git/hooks/pre-commit"}},
		{writeFile, args{"path": "src/../.git/config"}},
		{writeFile, args{"absolute_path": "/srv/app/.git/config"}},
		{edit, args{"notebook_path": ".git/x"}},
		{remove, args{"directory": ".git"}},
		{remove, args{"dir_path": ".git/x"}},
		{move, args{"from": "x", "to": ".git/config"}},
		{move, args{"from": ".git/config", "to": "x"}},
		{move, args{"from": "x", "to": ".git"}},
		{move, args{"from": "evil/agent.json", "to": "config"}},
		{writeFile, args{"file_path": "config//agent.json"}},
		{edit, args{"file_path": "/srv/app/config/./agent.json"}},
		{edit, args{"file_path": "/etc/hosts"}},
		{edit, args{"path": "ok", "file_path": ".git/x"}},
		{shell, args{"command": "echo x >> .git/config"}},
		{mystery, args{"command": "echo x >> .git/config"}},
	} {
		require.Equal(t, Deny, decide(t, r, c.tool, c.args).Effect, "%s %v", c.tool.Name, c.args)
	}
}

func TestRemovingADirectoryAsksForTheRulesBelowIt(t *testing.T) {
	t.Parallel()
	r := deny("write(.git/config)", "write(/etc/x/*.conf)")
	for _, p := range []string{".", "/srv", "/", ".git", "/etc", "/etc/x", "../app"} {
		require.Equal(t, Ask, decide(t, r, remove, args{"path": p}).Effect, p)
		require.Equal(t, Ask, decide(t, r, move, args{"from": p, "to": "z"}).Effect, p)
	}
	require.Equal(t, Allow, decide(t, r, remove, args{"path": "src"}).Effect)
	require.Equal(t, Allow, decide(t, r, edit, args{"path": ".git"}).Effect)
}

func TestAllowNeedsTheNormalisedAbsolutePath(t *testing.T) {
	t.Parallel()
	for rule, paths := range map[string][]string{
		"write(/srv/app/**)": {
			"/srv/app-evil/x", "/srv/app/../x", "../x", "/srv/appx", "~/x", "/etc/x", "", "a\x00b", "\\..\\..\\x",
			"file:///etc/x", "file:///srv/app/%2e%2e/x", " /etc/x", strings.Repeat("a", 4097), "/srv", "//srv/app/../x",
		},
		"write(src/*)": {"src", "src/a/b", "src/../x", "/src/a", "x/src/a"},
		"write(./**)":  {"../x", "/etc/x"},
		"write(~/**)":  {"/root/x", "~/x"},
		"write(src)":   {"src/a"},
		"write(src/?)": {"src"},
		"edit_*(a)":    {"a"},
		"edit(a)":      {"b"},
		"Edit(a)":      {"a"},
		"WriteFile(a)": {"a"},
	} {
		for _, p := range paths {
			require.Equal(t, Ask, decide(t, allow(rule), edit, args{"path": p}).Effect, "%s: %q", rule, p)
		}
	}
	for rule, paths := range map[string][]string{
		"write(/srv/app/**)": {"/srv/app/x", "x", "a/b", "/srv/app", ".", "../app/x", "x "},
		"write(src/*)":       {"src/a", "./src/a", "/srv/app/src/a", "src/b/../a"},
		"write(./src/**)":    {"src/a", "src"},
		"write(../other/*)":  {"../other/a", "/srv/other/a"},
		"write":              {"x", "/etc/x", "~/x", "", strings.Repeat("a/", 2000)},
		"edit":               {"x"},
		"e*":                 {"x"},
	} {
		for _, p := range paths {
			require.Equal(t, Allow, decide(t, allow(rule), edit, args{"path": p}).Effect, "%s: %q", rule, p)
		}
	}
}

func TestAllowByAnAliasDoesNotHold(t *testing.T) {
	t.Parallel()
	require.Equal(t, Ask, decide(t, allow("WriteFile"), writeFile, args{"file_path": "a"}).Effect)
	require.Equal(t, Deny, decide(t, deny("WriteFile"), writeFile, args{"file_path": "a"}).Effect)
	require.Equal(t, Deny, decide(t, deny("WriteF*(a)"), writeFile, args{"file_path": "a"}).Effect)
	require.Equal(t, Ask, decide(t, Rules{Ask: []string{"WriteFile(a)"}, Allow: []string{"*"}}, writeFile, args{"file_path": "a"}).Effect)
}

func TestSeveralSubjectsFoldToTheStrictest(t *testing.T) {
	t.Parallel()
	require.Equal(t, Deny, decide(t, deny("read(*.pem)"), manyPaths, args{"paths": []string{"a.txt", "b.pem"}}).Effect)
	require.Equal(t, Deny, decide(t, deny("read(*.pem)"), manyPaths, args{"path": "a", "paths": []string{"b.pem"}}).Effect)
	ask := Rules{Ask: []string{"read(b)"}, Deny: []string{"read(c)"}}
	require.Equal(t, Ask, decide(t, ask, manyPaths, args{"paths": []string{"a", "b"}}).Effect)
	require.Equal(t, Deny, decide(t, ask, manyPaths, args{"paths": []string{"a", "b", "c"}}).Effect)
	batch := Tool{Name: "edits", Kind: KindEdit, Subjects: &Subjects{Path: []string{"/file_path", "/edits/*/path"}}}
	edits := func(paths ...string) args {
		var list []args
		for _, p := range paths {
			list = append(list, args{"path": p})
		}
		return args{"edits": list}
	}
	require.Equal(t, Allow, decide(t, allow("write(/srv/app/**)"), batch, edits("a", "b")).Effect)
	require.Equal(t, Ask, decide(t, allow("write(/srv/app/**)"), batch, edits("a", "/etc/b")).Effect)
	require.Equal(t, Allow, decide(t, allow("write(a)", "write(b)"), batch, edits("a", "b")).Effect)
	require.Equal(t, Deny, decide(t, deny("write(b)"), batch, edits("a", "b")).Effect)
	require.Equal(t, Ask, decide(t, allow("write(a)"), batch, args{"file_path": "a", "edits": []args{{"old": "x"}}}).Effect, "an element's path is not seen")
}

func TestOutsideReadersAreReadByTheirDeclaredSubjects(t *testing.T) {
	t.Parallel()
	require.Equal(t, Deny, decide(t, deny("read(**/secrets/**)"), outside, args{"uri": "file:///srv/app/secrets/a"}).Effect)
	require.Equal(t, Deny, decide(t, deny("read(secrets/**)"), outside, args{"uri": "file:///srv/app/secrets/a"}).Effect)
	byURL := Tool{Name: "mcp__x", ReadOnly: true, Subjects: &Subjects{URL: []string{"/uri"}}}
	require.Equal(t, Deny, decide(t, deny("read(**/secrets/**)"), byURL, args{"uri": "file:///srv/app/secrets/a"}).Effect)
	require.Equal(t, Deny, decide(t, deny("read(secrets/*)"), byURL, args{"uri": "file:///srv/app/secrets/a"}).Effect)
	nested := Tool{Name: "mcp__y", ReadOnly: true, Subjects: &Subjects{Path: []string{"/a~1b/0/~0c"}}}
	require.Equal(t, Deny, decide(t, deny("read(x)"), nested, args{"a/b": []args{{"~c": "x"}}}).Effect)
}

func TestUnknownSubjectsAtLeastAsk(t *testing.T) {
	t.Parallel()
	r := deny("write(.git/**)", "read(.env)", "execute(rm *)", "fetch(https://evil/*)")
	for _, c := range []struct {
		tool Tool
		args args
	}{
		{edit, args{"filePath": ".git/x"}},
		{edit, args{"edits": []args{{"path": ".git/x"}}}},
		{edit, args{"args": []string{".git/x"}}},
		{edit, args{"path": []string{".git/x"}}},
		{edit, args{"path": 5}},
		{edit, args{"path": args{}}},
		{edit, args{"path": nil}},
		{edit, args{"path": ""}},
		{edit, args{"Path": ".git/x"}},
		{edit, args{"command": "create", "filePath": ".git/x"}},
		{edit, args{"path": "~/x"}},
		{edit, args{}},
		{readFile, args{"Path": ".env"}},
		{readFile, args{"path": "a\x00b"}},
		{manyPaths, args{"paths": []any{"a", 5}}},
		{manyPaths, args{"Paths": []string{".env"}}},
		{shell, args{"script": "rm x"}},
		{shell, args{"path": "x", "script": "rm x"}},
		{shell, args{"command": []string{"rm", "x"}}},
		{fetch, args{"uri": "https://evil/x"}},
		{fetch, args{"path": "/x", "uri": "https://evil/x"}},
	} {
		d := decide(t, r, c.tool, c.args)
		require.Equal(t, Ask, d.Effect, "%s %v: %+v", c.tool.Name, c.args, d)
		require.Equal(t, TierAsk, d.Tier)
		require.NotEmpty(t, d.Pattern)
		require.Equal(t, Allow, decide(t, allow("*"), c.tool, c.args).Effect, "without narrower rules it is the whole tool's")
		require.NotEqual(t, Deny, decide(t, deny("think(x)"), c.tool, c.args).Effect)
	}
	half := Tool{Name: "half", Kind: KindEdit, Subjects: &Subjects{Path: []string{"/edits/*/path"}}}
	require.Equal(t, Ask, decide(t, r, half, args{"edits": []args{{"path": "ok"}, {"Path": ".git/x"}}}).Effect)
}

func TestArgumentsThatAreNoObjectAreUnknown(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"", "null", "[]", `"x"`, "{", `{"path": "ok", "path": ".env"}`, `{"path": "\ud800"}`, "{\"path\": \"\xff\"}",
		`{"path": ".env"} x`, `{"path": ".env",}`, `{"path": "ok", "\u0070ath": ".env"}`,
	} {
		for _, tool := range []Tool{readFile, grep, lookup} {
			a := Analyse(Request{Tool: tool, Arguments: text, Cwd: cwd})
			requireAtLeastAsk(t, policy(t, deny("read(.env)")).Decide(a, ModeYolo))
			require.Equal(t, Ask, policy(t, deny("read(.env)")).Decide(a, ModeYolo).Effect, text)
		}
	}
	a := Analyse(Request{Tool: readFile, Arguments: `{"\u0070ath": ".e\u006ev"}`, Cwd: cwd})
	require.Equal(t, Deny, policy(t, deny("read(.env)")).Decide(a, ModeYolo).Effect)
}

func TestPathsBeyondTheLimitsAreNotSkipped(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a/../", 1000) + ".env"
	require.Equal(t, Deny, decide(t, deny("read(.env)"), readFile, args{"path": long}).Effect)
	many := make([]string, MaxSubjects+1)
	for i := range many {
		many[i] = "a"
	}
	many[MaxSubjects] = ".env"
	require.Equal(t, Deny, decide(t, deny("read(.env)"), manyPaths, args{"paths": many}).Effect)
	require.Equal(t, Deny, decide(t, deny("read(.env)"), manyPaths, args{"paths": []string{strings.Repeat("x", MaxSubjectBytes), ".env"}}).Effect)
	requireAtLeastAsk(t, decide(t, allow("*"), manyPaths, args{"paths": many}))
}

func TestSubjectsWithoutEndAreBounded(t *testing.T) {
	t.Parallel()
	everything := Tool{Name: "t", Kind: KindMove, Subjects: &Subjects{
		Path: []string{"/all/*"}, Command: []string{"/all/*"}, URL: []string{"/all/*"},
	}}
	all := make([]string, 100_000)
	a := analyse(t, everything, args{"all": all})
	require.LessOrEqual(t, len(a.facets), MaxSubjects+1)
	require.Equal(t, Deny, policy(t, deny("write(x)")).Decide(a, ModeYolo).Effect)
	require.Regexp(t, "^arguments:", a.Key())
}

func TestASearchWithoutAPathIsOnTheWorkingDirectory(t *testing.T) {
	t.Parallel()
	require.Equal(t, Deny, decide(t, deny("read(/srv/app)"), grep, args{"pattern": "x"}).Effect)
	require.Equal(t, Deny, decide(t, deny("read(.)"), grep, args{"pattern": "x", "path": ""}).Effect)
	require.Equal(t, Allow, decide(t, deny("read(.env)"), grep, args{"pattern": "x"}).Effect)
	require.Equal(t, Deny, decide(t, deny("read(.env)"), grep, args{"path": ".env"}).Effect)
}

func TestAWorkingDirectoryIsNoPattern(t *testing.T) {
	t.Parallel()
	text := []byte(`{"path": "x"}`)
	for _, dir := range []string{"/srv/[x]/{a,b}*", "/", "", "relative", "/srv/./app/"} {
		a := Analyse(Request{Tool: readFile, Arguments: string(text), Cwd: dir})
		require.Equal(t, Deny, policy(t, deny("read(x)")).Decide(a, ModeDefault).Effect, dir)
		require.Equal(t, Allow, policy(t, Rules{Ask: []string{"read(y)"}, Allow: []string{"read(./*)"}}).Decide(a, ModeDefault).Effect, dir)
	}
}

func TestURLsAreMatchedAsText(t *testing.T) {
	t.Parallel()
	for _, u := range []string{
		"https://evil.example/x", "HTTPS://EVIL.example/x", "https://u:p@evil.example/x", "https://evil.example:443/x",
		" https://evil.example/x", "https://evil.example./x", "https://evil.example/%78", "https://EVIL.EXAMPLE/x",
	} {
		require.Equal(t, Deny, decide(t, deny("fetch(https://evil.example/*)"), fetch, args{"url": u}).Effect, u)
		require.Equal(t, Deny, decide(t, deny("web_fetch(*evil.example*)"), fetch, args{"url": u}).Effect, u)
	}
	require.Equal(t, Deny, decide(t, deny("read(.env)"), fetch, args{"url": "file:///srv/app/.env"}).Effect)
	ok := allow("fetch(https://good.example/*)")
	require.Equal(t, Allow, decide(t, ok, fetch, args{"url": "https://good.example/x?q=1"}).Effect)
	for _, u := range []string{"https://good.example.evil/", "http://good.example/x", " https://good.example/x", "https://good.example", "https://a@good.example/x"} {
		require.Equal(t, Ask, decide(t, ok, fetch, args{"url": u}).Effect, u)
	}
}
