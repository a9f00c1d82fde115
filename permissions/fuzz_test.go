package permissions

import (
	"bytes"
	"encoding/json"
	"net/url"
	"path"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func appendObjectForTest(a args) []byte {
	text, err := json.Marshal(a)
	if err != nil {
		panic(err) // only texts and lists of them are given
	}
	return text
}

// narrow are rules that every foggy call runs into.
var narrow = Rules{Deny: []string{"read(.env)", "write(.git/**)", "execute(rm *)"}, Allow: []string{"*"}}

func FuzzRule(f *testing.F) {
	for _, s := range []string{
		"bash", "bash(*)", "read(**/{a,b}/*.go)", "bash(", "bash)(*)", "()", "", "x({a,a}{a,a})", `x(\{\()`, "x([a-z])", "~/x", "x(~/a)", "x(../..)", "{a,b}(c)", "x(a{}b)",
	} {
		f.Add(s, "a/b", "rm x")
	}
	f.Fuzz(func(t *testing.T, pattern, path, command string) {
		p, err := Compile(Origin{Rules: Rules{Deny: []string{pattern}, Allow: []string{"*"}}})
		require.Equal(t, err == nil, Check(Rules{Allow: []string{pattern}}) == nil)
		if err != nil {
			return
		}
		whole, _, _ := strings.Cut(pattern, "(")
		wide, err := Compile(Origin{Rules: Rules{Deny: []string{whole}, Allow: []string{"*"}}})
		require.NoError(t, err, "a tool glob that is good with a subject is good without")
		for _, a := range []*Analysis{
			analyse(t, readFile, args{"path": path}), analyse(t, shell, args{"command": command}),
		} {
			narrow, all := p.Decide(a, ModeYolo), wide.Decide(a, ModeYolo)
			require.LessOrEqual(t, rank(narrow.Effect), max(rank(all.Effect), rank(Ask)))
		}
	})
}

func FuzzCommand(f *testing.F) {
	for _, s := range []string{
		"git log; x", "rm x", "a && b | c &", "$(rm x)", "cat <<E\nx\nE", "sh -c 'rm x'", "echo x > .git/config", "((1+2))", "[[ a ]]", "f() { x; }",
		"sudo -u u rm x", "find . -exec rm {} +", "env -S 'rm x'", "xargs rm", "dd of=x", "cp a b", "case a in a) b;; esac", "a=(1 2)", "${a:-$(b)}",
		"cat <(x)", "echo \"", "if if if", "$'\\x72m' x", "bash <<<'rm x'", "trap 'x' EXIT", "sed -i s/a/b/ f", "coproc x", "{fd}>x", "`a`", "a\x00b",
		"for x in a; do b; done", "for x; do b; done", "for ((i=0;;i++)); do b; done", "echo ${x@P} ${!x} ${a[b]} ${a:b:c}", "a[b]=c", "declare -i a=b",
		"[[ a -eq b ]]", "printf -v a[b] c", "sed -n 's/a/b/w c;1e d' f", "xargs -I{} {} x", "cp -rt a b", "sort -o a b", "awk -i inplace 1 a", ". /dev/stdin <<<a",
	} {
		f.Add(s)
	}
	rules, err := Compile(Origin{Rules: narrow})
	require.NoError(f, err)
	anchored, err := Compile(Origin{Rules: Rules{Allow: []string{"execute(git log*)"}}})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) > 4096 {
			return
		}
		rules.Decide(analyse(t, shell, args{"command": command}), ModeYolo)
		if anchored.Decide(analyse(t, shell, args{"command": command}), ModeDefault).Effect != Allow {
			return
		}
		more := anchored.Decide(analyse(t, shell, args{"command": command + "\nevil"}), ModeDefault)
		require.NotEqual(t, Allow, more.Effect, "%q", command)
	})
}

func FuzzPath(f *testing.F) {
	for _, s := range []string{
		".env", "a/../.env", "/srv/app/.env", "file:///srv/app/.env", "~/x", "a\x00b", " x ", `a\b`, "", "/", "..", "//", "file:%zz", strings.Repeat("a/", 3000),
	} {
		f.Add(s)
	}
	inside, err := Compile(Origin{Rules: Rules{Allow: []string{"write(/srv/app/**)"}}})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, p string) {
		a := analyse(t, edit, args{"path": p})
		if inside.Decide(a, ModeDefault).Effect != Allow {
			return
		}
		_, in := below(normalise(cwd, p), cwd)
		require.True(t, in, "%q", p)
		require.NotContains(t, p, "\x00")
	})
}

func FuzzURL(f *testing.F) {
	for _, s := range []string{
		"https://good.example/docs/a", "https://good.example/docs/../x", "http:/a/b", "//a/b", "http://a:080/x", `http:\\a\b`, "http://ａ。b/", "http://[::1]/", "http://1.2", "https://good.example/docs/%2e%2E/x#y?z", "",
	} {
		f.Add(s)
	}
	docs, err := Compile(Origin{Rules: Rules{Allow: []string{"fetch(https://good.example/docs/*)"}}})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, raw string) {
		if docs.Decide(analyse(t, fetch, args{"url": raw}), ModeDefault).Effect != Allow {
			return
		}
		u, err := url.Parse(raw)
		require.NoError(t, err)
		require.Equal(t, "good.example", u.Host)
		require.True(t, strings.HasPrefix(path.Clean(u.Path)+"/", "/docs/"), "%q", raw)
	})
}

func FuzzStreamProgram(f *testing.F) {
	for _, s := range []string{"s/a/b/g", "1,5p", "/a/!{s,b,c,;p}", "a text", "y/a/b/", "$!N;P;D", "s/[/]/x/", "\\,a,d", "w x", "#n", ":a;ba"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, program string) {
		if plainProgram(program) {
			require.False(t, plainProgram(program+"\nw x"), "%q", program)
		}
	})
}

func FuzzCanonicalJSON(f *testing.F) {
	for _, s := range []string{
		`{"b":1,"a":[true,null,"x\u00e9\ud83d\ude00"]}`, `[1.0e+5,-0]`, `{"a":1,"a":2}`, `"\ud800"`, `{`, `"\/"`, "\"\u2028\"", `{"":{"":{}}}`, "1 2",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		canonical, err := CanonicalJSON(string(text))
		if err != nil {
			return
		}
		require.True(t, json.Valid(text), "what we take, others take")
		again, err := CanonicalJSON(string(canonical))
		require.NoError(t, err)
		require.Equal(t, canonical, again)
		require.Equal(t, decode(t, text), decode(t, canonical))
	})
}

// decode reads JSON the usual way, numbers as they are written.
func decode(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	require.NoError(t, d.Decode(&v))
	return v
}
