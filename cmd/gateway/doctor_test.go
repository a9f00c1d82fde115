package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// examine runs `gateway doctor` and gives what it says and its exit code.
func examine(t *testing.T, flags ...string) (said string, code int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "gateway", append([]string{"doctor", "--quick"}, flags...)...)
	cmd.Env = append(cmd.Environ(), "GATEWAY_KEY="+keyOf("alice"))
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else {
		require.NoError(t, err)
	}
	return string(out), code
}

// soundRedis is a Redis that the doctor has nothing to say of.
func soundRedis(t *testing.T) *redistest.Server {
	t.Helper()
	server := redistest.Start(t)
	admin := server.Client(t)
	for setting, value := range map[string]string{"appendonly": "yes", "maxmemory": "200mb", "maxmemory-policy": "noeviction"} {
		require.NoError(t, admin.ConfigSet(t.Context(), setting, value).Err())
	}
	return server
}

func TestTheDoctorHasNothingToSayOfASoundDeployment(t *testing.T) {
	t.Parallel()
	redis := "--redis=" + soundRedis(t).URL()
	gateway := start(t, "--bootstrap="+bootstrapFile(t), redis)
	for name, kind := range proxies {
		p := kind.start(t, []string{gateway.base})
		said, code := examine(t, redis, "--public-url="+p.base)
		if code == exitWarnings { // a loaded machine: a round trip may be slow
			require.Contains(t, said, "redis distance", "%s: %s", name, said)
		}
		require.NotEqual(t, exitFailures, code, "%s: %s", name, said)
		for _, part := range []string{"eviction", "persistence", "clock", "public address", "version", "stream", "ticket"} {
			require.Contains(t, said, "ok   "+part+":", "%s: %s", name, said)
		}
		require.NotContains(t, said, keyOf("alice"))
	}
	require.Empty(t, openSessions(t, gateway), "what it made is closed")
}

// openSessions are the open sessions.
func openSessions(t *testing.T, gateway *running) []any {
	t.Helper()
	var page struct{ Data []any }
	require.NoError(t, standAt(t, gateway.base).admin.Send(t.Context(), casetest.Call{Method: http.MethodGet, Path: "/v1/sessions?status=active"}, &page))
	return page.Data
}

func TestTheDoctorNamesWhatIsWrongWithRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	admin := server.Client(t)
	for setting, value := range map[string]string{"appendonly": "no", "maxmemory-policy": "allkeys-lru"} {
		require.NoError(t, admin.ConfigSet(t.Context(), setting, value).Err())
	}
	said, code := examine(t, "--redis="+server.URL(), "--durability=replicated=1")
	require.Equal(t, exitFailures, code)
	for _, part := range []string{"FAIL eviction", "CONFIG SET maxmemory-policy noeviction", "FAIL persistence", "FAIL replicas", "warn memory"} {
		require.Contains(t, said, part)
	}
	server.Kill()
	said, code = examine(t, "--redis="+server.URL())
	require.Equal(t, exitFailures, code)
	require.Contains(t, said, "FAIL redis:")
}

func TestTheDoctorFindsAProxyThatBuffersAndOneThatShowsMetrics(t *testing.T) {
	t.Parallel()
	redis := "--redis=" + soundRedis(t).URL()
	gateway := start(t, "--bootstrap="+bootstrapFile(t), redis)
	buffering := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req, err := http.NewRequestWithContext(r.Context(), r.Method, gateway.base+r.URL.RequestURI(), r.Body)
		if err != nil {
			return
		}
		req.Header = r.Header.Clone()
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			return
		}
		defer func() { _ = resp.Body.Close() }()
		w.Header().Set("Content-Type", resp.Header.Get("Content-Type"))
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(struct{ io.Writer }{w}, resp.Body) // it never flushes
	}))
	t.Cleanup(buffering.Close)
	said, code := examine(t, redis, "--public-url="+buffering.URL)
	require.Equal(t, exitFailures, code)
	require.Contains(t, said, "FAIL stream")
	require.Contains(t, said, "buffering")
	require.Contains(t, said, "warn metrics")

	said, code = examine(t, redis, "--public-url=http://127.0.0.1:1")
	require.Equal(t, exitFailures, code)
	require.Contains(t, said, "FAIL public address")
}
