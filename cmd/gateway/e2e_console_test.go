package main

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheConsoleIsServedToItsOwnNamesOnly(t *testing.T) {
	t.Parallel()
	g := start(t)
	for name, c := range map[string]struct {
		method, path, host string
		status             int
	}{
		"the page":                 {http.MethodGet, "/console", "", 200},
		"a view":                   {http.MethodGet, "/console/approvals/apr_1", "", 200},
		"a file that is gone":      {http.MethodGet, "/console/assets/console-00000000.js", "", 404},
		"without a body":           {http.MethodHead, "/console/", "", 200},
		"under a foreign name":     {http.MethodGet, "/console/", "rebound.example", 403},
		"a write":                  {http.MethodPost, "/console/", "", 405},
		"what only begins like it": {http.MethodGet, "/consoles", "", 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req, err := http.NewRequestWithContext(t.Context(), c.method, g.base+c.path, nil)
			require.NoError(t, err)
			req.Host = c.host
			res, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			defer res.Body.Close()
			_, err = io.Copy(io.Discard, res.Body)
			require.NoError(t, err)
			require.Equal(t, c.status, res.StatusCode)
		})
	}
}
