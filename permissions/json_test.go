package permissions

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCanonicalJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{}`: `{}`, ` [ ] `: `[]`, `{"b":1,"a":2}`: `{"a":2,"b":1}`, `{"b":{"d":1,"c":[3, 2]},"a":null}`: `{"a":null,"b":{"c":[3,2],"d":1}}`,
		`1.0`: `1.0`, `1e2`: `1e2`, `-0`: `-0`, `12345678901234567890`: `12345678901234567890`, `0.10E+5`: `0.10E+5`,
		`"\u0041\/\n"`: `"A/\u000a"`, `"\""`: `"\""`, `"\ud83d\ude00"`: `"😀"`, `"\\u0041"`: `"\\u0041"`, `true`: `true`, `false`: `false`,
		`{"\u0062":1,"a":2}`: `{"a":2,"b":1}`, `{"":1}`: `{"":1}`, "\t\r\n1\n": `1`, `"\b\f\t\r"`: `"\u0008\u000c\u0009\u000d"`, "\"\u2028\"": "\"\u2028\"",
	} {
		got, err := CanonicalJSON(in)
		require.NoError(t, err, in)
		require.Equal(t, want, string(got), in)
	}
}

func TestBadJSONIsRefusedWithItsPlaceAndWithoutItsValue(t *testing.T) {
	t.Parallel()
	for in, path := range map[string]string{
		``: "", `{`: "/", `{"a"}`: "/a", `{"a":}`: "/a", `{"a":1,}`: "/a", `[1,]`: "/1", `nul`: "", `tru`: "", `01`: "", `1.`: "", `.5`: "",
		`+1`: "", `1e`: "", `-`: "", `"a`: "", "\"\n\"": "", `"\x"`: "", `"\u12"`: "", `"\u12g4"`: "", `{"a":1} x`: "", `'a'`: "", `{a:1}`: "/",
		`{"a":1,"a":2}`: "/a", `{"x":[{"b":1},{"a":1,"\u0061":2}]}`: "/x/1/a", "\"\xff\"": "", `"\ud800"`: "", `"\udc00"`: "", `"\ud800\ud800"`: "",
		`"\ud800x"`: "", `{"k":["\ud800secret"]}`: "/k/0", `NaN`: "", `{"a" 1}`: "/a", `[1 2]`: "/0", `{"a":1 "b":2}`: "/a", "\x00": "", "\ufeff{}": "",
		`{"a/b":{"~":x}}`: "/a~1b/~0", `"\`: "", `"a\u`: "", "\"\\n\x01\"": "",
	} {
		_, err := CanonicalJSON(in)
		var je *JSONError
		require.ErrorAs(t, err, &je, "%q", in)
		require.Equal(t, path, je.Path, "%q", in)
		require.NotContains(t, err.Error(), "secret")
	}
}

func TestNestingIsBounded(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	_, err := CanonicalJSON(deep(MaxJSONDepth))
	require.NoError(t, err)
	_, err = CanonicalJSON(deep(MaxJSONDepth + 1))
	require.ErrorContains(t, err, "nested too deeply")
	_, err = CanonicalJSON(deep(1_000_000))
	require.Error(t, err)
	require.LessOrEqual(t, len(err.Error()), 2*maxErrorPath)
}

func TestLongKeysAreCutInErrors(t *testing.T) {
	t.Parallel()
	_, err := CanonicalJSON(`{"` + strings.Repeat("ä", 10_000) + `": x}`)
	require.Error(t, err)
	require.Less(t, len(err.Error()), 3*maxErrorPath)
}

func TestKeysOfGrants(t *testing.T) {
	t.Parallel()
	same := func(tool Tool, a, b args) {
		t.Helper()
		require.Equal(t, analyse(t, tool, a).Key(), analyse(t, tool, b).Key())
	}
	other := func(tool Tool, a, b args) {
		t.Helper()
		require.NotEqual(t, analyse(t, tool, a).Key(), analyse(t, tool, b).Key())
	}
	same(edit, args{"path": "a"}, args{"file_path": "/srv/app/x/../a", "content": "other"})
	other(edit, args{"path": "a"}, args{"path": "b"})
	other(edit, args{"path": "~/a", "content": "x"}, args{"path": "~/a", "content": "y"})
	other(edit, args{"filePath": "a"}, args{"filePath": "b"})
	same(mystery, args{"a": 1, "b": 2}, args{"b": 2, "a": 1})
	other(shell, args{"command": "a"}, args{"command": "a "})
	other(shell, args{"command": "a"}, args{"command": "a", "directory": "/etc"})
	other(move, args{"from": "a", "to": "b"}, args{"from": "b", "to": "a"})
	other(move, args{"from": `a" path:"/srv/app/b`, "to": "c"}, args{"from": "a", "to": "b"})
	other(manyPaths, args{"paths": []string{"a", "b"}}, args{"paths": []string{`a" path:"/srv/app/b`}})
	require.Equal(t, `path:"/srv/app/a"`, analyse(t, edit, args{"path": "a"}).Key())
	require.Equal(t, `command:"ls"`, analyse(t, shell, args{"command": "ls"}).Key())
	require.Equal(t, `url:"https://x"`, analyse(t, fetch, args{"url": "https://x"}).Key())
	require.Regexp(t, "^arguments:[0-9a-f]{64}$", analyse(t, think, args{"path": nil}).Key())
	require.Regexp(t, "^text:[0-9a-f]{64}$", Analyse(Request{Tool: edit, Arguments: "x"}).Key())
}

func TestWhatAPersonIsShown(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\nb", analyse(t, move, args{"from": "a", "to": "b"}).Subject())
	a := analyse(t, shell, args{"command": "git log; A=1 rm 'x y' > z && (ls)"})
	require.Equal(t, "git log; A=1 rm 'x y' > z && (ls)", a.Subject())
	require.Equal(t, []string{"git log", "A=1 rm 'x y'", "ls"}, a.Parts())
	require.Empty(t, analyse(t, think, args{}).Subject())
	require.Equal(t, "https://x", analyse(t, fetch, args{"url": "https://x"}).Subject())
}
