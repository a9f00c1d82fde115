package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

func TestTenantsAndKeysAreManagedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t).URL()
	g := start(t, "--redis="+redis)
	t.Run("scripts", func(t *testing.T) { // they are over before the gateway is
		testscript.Run(t, testscript.Params{Dir: "testdata/manage", Setup: func(e *testscript.Env) error {
			e.Setenv("REDIS", redis)
			e.Setenv("GATEWAY_URL", g.base)
			e.Setenv("GATEWAY_KEY", string(g.app.devKey))
			return nil
		}})
	})
}

func TestAKeyThatIsRevokedOnOneReplicaIsSoonDeadOnAnother(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t).URL()
	here, there := start(t, "--redis="+redis), start(t, "--redis="+redis)
	made := here.ask(http.StatusCreated, http.MethodPost, "/v1/admin/tenants/dev/keys",
		object{"id": "ci", "subject": "ci", "roles": []string{"viewer"}})
	key, ok := made["key"].(string)
	require.True(t, ok)
	require.Eventually(t, func() bool { return listing(t, there, key) == http.StatusOK }, e2eTimeout, 10*time.Millisecond)
	here.ask(http.StatusNoContent, http.MethodDelete, "/v1/admin/tenants/dev/keys/ci", nil)
	require.Equal(t, http.StatusUnauthorized, listing(t, here, key))
	require.Eventually(t, func() bool { return listing(t, there, key) == http.StatusUnauthorized }, e2eTimeout, 10*time.Millisecond)
}

// listing is how a replica answers a key that asks for its sessions.
func listing(t *testing.T, r *running, key string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.base+"/v1/sessions", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}
