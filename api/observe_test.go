package api_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/api"
	"github.com/session-gateway/gateway/sessions"
)

func TestEveryRequestIsObservedOnce(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var seen []api.Exchange
	b := start(t, func(c *api.Config) {
		c.Ready = func(context.Context) (api.Readiness, error) { panic("boom") }
		c.Observer = func(x api.Exchange) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, x)
		}
	})
	last := func(method, path string) api.Exchange {
		request(t, b, method, path, nil)
		mu.Lock()
		defer mu.Unlock()
		require.Len(t, seen, 1)
		x := seen[0]
		seen = nil
		assert.Positive(t, x.Took)
		assert.NotEmpty(t, x.RequestID)
		x.Took, x.RequestID = 0, ""
		return x
	}
	assert.Equal(t, api.Exchange{Route: "/v1/sessions/{sid}", Method: "GET", Status: 200}, last("GET", "/v1/sessions/"+sid))
	assert.Equal(t, api.Exchange{Route: "/v1/sessions/{sid}/events", Method: "GET", Status: 200, Stream: true},
		last("GET", "/v1/sessions/"+sid+"/events"))
	assert.Equal(t, api.Exchange{Method: "GET", Status: 404, Problems: []sessions.Code{"not_found"}}, last("GET", "/made/up"))
	assert.Equal(t, api.Exchange{Method: "OTHER", Status: 405, Problems: []sessions.Code{"method_not_allowed"}}, last("BREW", "/healthz"))

	assert.Equal(t, http.StatusInternalServerError, last("GET", "/readyz").Status, "a panic")
}
