package main

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
)

// trusted is a gateway whose every credential is good, with all that it tells.
type trusted struct {
	*running
	log     *heard
	spans   *otlp
	secrets []string // that must never be told
}

// startTrusted runs a gateway with a password at its Redis, an audit key, an
// identity provider, hooks and traces.
func startTrusted(t *testing.T, bootstrap string) *trusted {
	t.Helper()
	password, auditKey := planted+"-redis-password", planted+"-audit-key-of-32-characters"
	x := &trusted{log: &heard{}, spans: startOTLP(t), secrets: []string{planted, keyOf("boss"), keyOf("alice"), hookSecret}}
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr()})
	require.NoError(t, client.ConfigSet(t.Context(), "requirepass", password).Err())
	require.NoError(t, client.Close())
	cfg, err := parseServe(t, "--listen=127.0.0.1:0", "--drain=5s", "--log-level=debug", "--bootstrap="+bootstrap,
		"--redis=redis://:"+password+"@"+server.Addr(), "--audit-key="+auditKey, "--egress-allow=127.0.0.0/8", "--trace-endpoint="+x.spans.url)
	require.NoError(t, err)
	log := slog.New(slog.NewJSONHandler(x.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	log.LogAttrs(t.Context(), slog.LevelInfo, "configured", slog.Any("config", cfg))
	app, err := Open(t.Context(), cfg, log)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- app.Run(ctx) }()
	x.running = &running{t: t, app: app, base: app.url(), end: sync.OnceFunc(func() {
		stop()
		require.NoError(t, <-done)
	})}
	t.Cleanup(x.end)
	return x
}

// answered is what a request got: its status, its fields and its text.
type answered struct {
	status int
	header http.Header
	text   string
}

func (x *trusted) send(method, path, body string, header ...string) answered {
	x.t.Helper()
	req, err := http.NewRequestWithContext(x.t.Context(), method, x.base+path, strings.NewReader(body))
	require.NoError(x.t, err)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(x.t, err)
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	require.NoError(x.t, err)
	require.NoError(x.t, res.Body.Close())
	return answered{res.StatusCode, res.Header, string(text)}
}

// TestNoValidCredentialIsTold uses every kind of credential that works, and
// looks for each in the log, in refusals, in metrics and in traces.
func TestNoValidCredentialIsTold(t *testing.T) {
	t.Parallel()
	g, p := newGatekeeper(t), newProvider(t)
	x := startTrusted(t, g.into(t, p.bootstrap(t)))
	boss, alice := "Bearer "+keyOf("boss"), "Bearer "+keyOf("alice")
	created := x.send("POST", "/v1/sessions", `{"tools":[{"name":"run_shell_command","kind":"execute"}]}`, "Authorization", boss)
	require.Equal(t, 201, created.status, created.text)
	var session struct{ ID string }
	require.NoError(t, json.Unmarshal([]byte(created.text), &session))
	path := "/v1/sessions/" + session.ID

	token := p.token(t, object{})
	require.Equal(t, 200, x.send("GET", path, "", "Authorization", "Bearer "+token).status)
	signedIn := x.send("POST", "/v1/console/session", "", "Authorization", alice)
	require.Equal(t, 201, signedIn.status, signedIn.text)
	cookie, _, _ := strings.Cut(signedIn.header.Get("Set-Cookie"), ";")
	_, pass, _ := strings.Cut(cookie, "=")
	require.Equal(t, 200, x.send("GET", path, "", "Cookie", cookie).status)
	made := x.send("POST", path+"/stream-tickets", "", "Authorization", alice)
	require.Equal(t, 201, made.status, made.text)
	var ticket struct{ Ticket, URL string }
	require.NoError(t, json.Unmarshal([]byte(made.text), &ticket))
	x.secrets = append(x.secrets, token, pass, ticket.Ticket)
	ctx, leave := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, x.base+ticket.URL, nil)
	require.NoError(t, err)
	stream, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	require.Equal(t, 200, stream.StatusCode)
	leave()
	require.NoError(t, stream.Body.Close())

	// The tool's arguments reach the hook, and nobody else who only watches.
	batch := x.send("POST", path+"/batches",
		`{"calls":[{"id":"c1","name":"run_shell_command","arguments":{"command":"login `+planted+`"}}]}`, "Authorization", boss)
	require.Equal(t, 202, batch.status, batch.text)
	require.Eventually(t, func() bool { return g.heard("PreToolUse") }, e2eTimeout, 5*time.Millisecond)

	for _, refused := range []answered{
		x.send("GET", ticket.URL, ""),
		x.send("GET", "/v1/sessions/none", "", "Authorization", boss),
		x.send("PUT", path+"/approval-mode", `{"mode":"plan"}`, "Cookie", cookie),
		x.send("GET", "/v1/admin/tenants", "", "Authorization", "Bearer "+token),
		x.send("POST", path+"/batches", `{"calls":[{"name":"x","arguments":{}}],"x":1}`, "Authorization", alice),
	} {
		require.GreaterOrEqual(t, refused.status, 400, refused.text)
		x.silent("an error", refused.text)
	}
	x.silent("metrics", x.send("GET", "/metrics", "").text)
	x.silent("settings", x.send("GET", "/v1/admin/tenants/acme/settings", "", "Authorization", boss).text)
	x.end()
	require.Contains(t, x.log.String(), `"msg":"configured"`)
	x.silent("the log", x.log.String())
	x.spans.saysNothingSecret(t, x.secrets...)
}

// silent says that a text has none of the secrets.
func (x *trusted) silent(where, text string) {
	x.t.Helper()
	require.NotEmpty(x.t, text, where)
	for _, secret := range x.secrets {
		require.NotContains(x.t, text, secret, where)
	}
}
