package console

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path"
	"regexp"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// firstLoad is how much a browser fetches to show the console for the first
// time, compressed: it opens at once on a phone's line.
const firstLoad = 150 << 10

var built = fstest.MapFS{
	"index.html":      {Data: []byte("<!doctype html>the page")},
	"favicon.svg":     {Data: []byte("<svg/>")},
	"assets/app-1.js": {Data: []byte("app()")},
}

func get(t *testing.T, h http.Handler, path string) *http.Response {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	return w.Result()
}

func bodyOf(t *testing.T, res *http.Response) string {
	t.Helper()
	var b bytes.Buffer
	_, err := b.ReadFrom(res.Body)
	require.NoError(t, err)
	return b.String()
}

func TestEveryAddressWithoutAFileIsThePage(t *testing.T) {
	t.Parallel()
	h, err := handler(built)
	require.NoError(t, err)
	for address, want := range map[string]struct {
		status            int
		kind, cache, body string
	}{
		"/console":                  {200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		"/console/":                 {200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		"/console/approvals/apr_1":  {200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		"/console/../../etc/passwd": {200, "text/html; charset=utf-8", "no-cache", "<!doctype html>the page"},
		"/console/favicon.svg":      {200, "image/svg+xml", "no-cache", "<svg/>"},
		"/console/assets/app-1.js":  {200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "app()"},
		"/console/assets/app-0.js":  {404, "text/plain; charset=utf-8", "", "404 page not found\n"},
	} {
		res := get(t, h, address)
		assert.Equal(t, want.status, res.StatusCode, address)
		assert.Equal(t, want.kind, res.Header.Get("Content-Type"), address)
		assert.Equal(t, want.cache, res.Header.Get("Cache-Control"), address)
		assert.Equal(t, want.body, bodyOf(t, res), address)
	}
}

func TestAPageMayUseNothingButItsOwnOrigin(t *testing.T) {
	t.Parallel()
	h, err := Handler()
	require.NoError(t, err)
	header := get(t, h, "/console/").Header
	csp := header.Get("Content-Security-Policy")
	assert.Contains(t, csp, "default-src 'none'")
	assert.Contains(t, csp, "require-trusted-types-for 'script'")
	assert.NotContains(t, csp, "unsafe")
	assert.NotRegexp(t, `https?:|data:|\*`, csp)
	assert.Equal(t, "DENY", header.Get("X-Frame-Options"))
	assert.Equal(t, "no-referrer", header.Get("Referrer-Policy"))
}

func TestWithoutAPageThereIsNoConsole(t *testing.T) {
	t.Parallel()
	_, err := handler(fstest.MapFS{"assets/app-1.js": built["assets/app-1.js"]})
	require.ErrorIs(t, err, fs.ErrNotExist)
}

var (
	inline = regexp.MustCompile(`(?i)<script>|<style|\son\w+=|\sstyle=`)
	loads  = regexp.MustCompile(`(?:src|href)="([^"]*)"`)
)

func TestThePageHasNothingInlineAndLoadsItsOwnFilesOnly(t *testing.T) {
	t.Parallel()
	html, err := dist.ReadFile("dist/" + page)
	require.NoError(t, err)
	require.NotRegexp(t, inline, string(html))
	total := packed(t, html)
	for _, m := range loads.FindAllSubmatch(html, -1) {
		name := string(m[1])
		require.Regexp(t, `^/console/`, name, "the page loads something from elsewhere")
		body, err := dist.ReadFile("dist/" + name[len(Prefix)+1:])
		require.NoError(t, err, "the page loads what isn't there")
		total += packed(t, body)
	}
	t.Logf("first load: %d bytes compressed", total)
	require.Less(t, total, firstLoad)
}

func TestAllFilesThatNeverChangeAreNamedForTheirContent(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(dist, "dist/assets/*")
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		require.Regexp(t, `^[a-z]+-[A-Za-z0-9_-]{8}\.(js|css)$`, path.Base(name))
	}
}

func packed(t *testing.T, body []byte) int {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, err := w.Write(body)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Len()
}
