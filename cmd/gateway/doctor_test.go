package main

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/certstest"
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
	require.Contains(t, said, "the way there")
}

func TestTheDoctorSaysWhyRedisLetsNobodyIn(t *testing.T) {
	t.Parallel()
	server := soundRedis(t)
	admin := server.Client(t)
	for _, user := range [][]any{
		{"ACL", "SETUSER", "reader", "on", ">reads", "~*", "+@read", "+info", "+ping", "+hello", "+client"},
		{"ACL", "SETUSER", "least", "on", ">least", "~gw:*", "&gw:*", "+@all", "-@dangerous", "+info"},
	} {
		require.NoError(t, admin.Do(t.Context(), user...).Err())
	}
	as := func(user string) string { return strings.Replace(server.URL(), "redis://", "redis://"+user+"@", 1) }
	for address, change := range map[string]string{
		as("reader:hunter2"): "give user and password",
		as("reader:reads"):   "ACL SETUSER name ~gw:*",
		strings.Replace(server.URL(), "redis:", "rediss:", 1): "is TLS spoken at this port?",
	} {
		said, code := examine(t, "--redis="+address)
		require.Equal(t, exitFailures, code, said)
		require.Contains(t, said, change)
		require.NotContains(t, said, "hunter2")
	}

	// What it tells to change it to is enough.
	said, code := examine(t, "--redis="+as("least:least"))
	require.NotEqual(t, exitFailures, code, said)
	s := startStand(t, "--redis="+as("least:least"))
	newPlanning(t, s, nil).send(write)
}

func TestTheDoctorKnowsAReplicaFromAPrimary(t *testing.T) {
	t.Parallel()
	primary, replica := soundRedis(t), soundRedis(t)
	address, err := url.Parse(primary.URL())
	require.NoError(t, err)
	require.NoError(t, replica.Client(t).ReplicaOf(t.Context(), address.Hostname(), address.Port()).Err())
	said, code := examine(t, "--redis="+replica.URL())
	require.Equal(t, exitFailures, code)
	require.Contains(t, said, "FAIL redis role")
}

func TestTheDoctorNamesWhatIsWrongOnTheWay(t *testing.T) {
	t.Parallel()
	gateway := start(t, "--bootstrap="+bootstrapFile(t))
	said, code := examine(t, "--public-url="+gateway.base)
	require.Equal(t, exitFailures, code, "state in the process is no deployment")
	require.Contains(t, said, "FAIL store")
	require.Contains(t, said, "warn redis: not looked at")

	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"another address": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example"+r.URL.Path, http.StatusMovedPermanently)
		}, "leads on to https://elsewhere.example/readyz"},
		"another program": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "<html>")
		}, "is something else at this address?"},
		"nobody behind it": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "no upstream", http.StatusBadGateway)
		}, "502 no upstream"},
	} {
		proxy := httptest.NewServer(c.handler)
		t.Cleanup(proxy.Close)
		said, code := examine(t, "--public-url="+proxy.URL)
		require.Equal(t, exitFailures, code, name)
		require.Contains(t, said, c.want, name)
	}
}

func TestTheDoctorLooksAtTheCertificate(t *testing.T) {
	t.Parallel()
	ca := certstest.NewAuthority(t) // its certificates are good for an hour
	gateway := start(t, append(tlsFlags(t, ca), "--bootstrap="+bootstrapFile(t))...)
	said, _ := examine(t, "--public-url="+gateway.base, "--ca="+ca.File)
	require.Contains(t, said, "warn tls: the certificate expires in 1h")
	said, code := examine(t, "--public-url="+gateway.base)
	require.Equal(t, exitFailures, code)
	require.Contains(t, said, "FAIL public address")
	require.Contains(t, said, "certificate")
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
