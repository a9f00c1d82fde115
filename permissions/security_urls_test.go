package permissions

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestDeniedURLsAreDeniedInEverySpelling(t *testing.T) {
	t.Parallel()
	for rule, urls := range map[string][]string{
		"fetch(http://evil.com/*)": {
			"http://evil.com", "http://evil.com?q=s", "http://evil.com#x", "http://evil.com:/x", "http://evil.com:080/x", "http://evil.com:80", "http:/evil.com/x", "http:///evil.com/x", "//evil.com/x", "http:evil.com/x",
			`http:\\evil.com\x`, `http:/\evil.com/x`, `http://evil.com\x`, "HTTP://EVIL.COM", "http://ｅｖｉｌ.com/x", "http://evil。com/x", "http://evil．com/x", "http://evil\u00ad.com/x", "http://ev\til.com/x", "http://u:p@evil.com:0080?x", "evil.com/x", "evil.com", "evil.com:80/x",
			"http://evil.com./x", "http://evil.com.:80/x", "http://%EF%BD%85vil.com/x", "\u00a0http://evil.com/x",
		},
		"fetch(http://evil.com/x)":               {"http://evil.com/a/../x", "http://evil.com/a/%2e%2e/x", "http://evil.com/./x", "http://evil.com/a/.%2E/x", "http://evil.com/x#y", "http://evil.com/%78", `http://evil.com/a\..\x`},
		"fetch(https://bücher.example/*)":        {"https://bücher.example/", "https://BÜCHER.example/x", "https://xn--bcher-kva.example/x"},
		"fetch(https://xn--bcher-kva.example/*)": {"https://bücher.example/x", "https://xn--bcher-kva.example"},
		"fetch(http://127.0.0.1/*)":              {"http://127.0.0.1", "http://[::ffff:127.0.0.1]/", "http://１２７.0.0.1/x"},
		"fetch(http://[::1]/*)":                  {"http://[0:0:0:0:0:0:0:1]/x", "http://[::1]:80"},
		"fetch(http://evil.com:8080/*)":          {"http://evil.com:08080/x", "http://evil.com:8080"},
	} {
		for _, u := range urls {
			require.Equal(t, Deny, decide(t, deny(rule), fetch, args{"url": u}).Effect, "%s: %q", rule, u)
		}
	}
}

func TestURLsWithoutAKnownHostAtLeastAsk(t *testing.T) {
	t.Parallel()
	for _, u := range []string{
		"http://", "http:", "https:///", "http://?x", "http://evil.com:x/y", "http://ev%69l.com/x", "http://evil.com:99999/x", "http://2130706433/", "http://127.1/", "http://0x7f.0.0.1/", "http://0177.0.0.1/", "/x", "x", "http://[::1", "http://" + strings.Repeat("é", 600) + ".com/", `http://good.example\@evil.com/`,
	} {
		require.NotEqual(t, Allow, decide(t, deny("fetch(http://x.example/*)"), fetch, args{"url": u}).Effect, "%q", u)
		require.Equal(t, Ask, decide(t, allow("fetch(http*)", "fetch(/*)"), fetch, args{"url": u}).Effect, "%q", u)
	}
}

func TestAllowTakesAURLThatClientsReadAsItIsWritten(t *testing.T) {
	t.Parallel()
	r := allow("fetch(https://good.example/docs/*)")
	for _, u := range []string{"https://good.example/docs/", "https://good.example/docs/a?b=../c#d", "https://good.example/docs/%41", "https://good.example/docs/a..b", "https://good.example/docs//a"} {
		require.Equal(t, Allow, decide(t, r, fetch, args{"url": u}).Effect, "%q", u)
	}
	for _, u := range []string{
		"https://good.example/docs/../x", "https://good.example/docs/%2e%2e/x", `https://good.example/docs/..\x`, "https:/good.example/docs/x", "https://good.example/docs\t/x", "https://good.example", "https://good.example:443/docs/x",
	} {
		require.Equal(t, Ask, decide(t, r, fetch, args{"url": u}).Effect, "%q", u)
	}
	require.Equal(t, Allow, decide(t, Rules{Ask: []string{"fetch(http://evil.com/*)"}, Allow: []string{"*"}}, fetch, args{"url": "http://evil.com.good.example/"}).Effect)
}
