package main

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// planted stands in everything that must never be told.
const planted = "PLANTED-7f3a"

// heard is a log that goroutines write while a test reads.
type heard struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps a line.
func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.buf.String()
}

// TestNoSecretIsToldInALogOrAnError plants secrets wherever requests have them,
// and looks for them in the whole log, down to debug, and in every refusal.
func TestNoSecretIsToldInALogOrAnError(t *testing.T) {
	t.Parallel()
	cfg, err := parseServe(t, "--dev", "--listen=127.0.0.1:0", "--drain=5s", "--dev-key="+planted+"-key", "--log-level=debug")
	require.NoError(t, err)
	log := &heard{}
	app, err := Open(t.Context(), cfg, slog.New(slog.NewJSONHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})))
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- app.Run(ctx) }()
	r := &running{t: t, app: app, base: app.url()}
	path := r.create(object{"tools": []object{{"name": "write_file", "kind": "edit"}}})
	token := "eyJhbGciOiJub25lIn0.eyJpc3MiOiJ4In0." + planted
	for _, q := range []struct {
		method, path, body string
		header             map[string]string
	}{
		{"GET", path, "", map[string]string{"Authorization": "Bearer " + planted + "-wrong"}},
		{"GET", path, "", map[string]string{"Authorization": "Bearer " + token}},
		{"GET", path, "", map[string]string{"Authorization": "Basic " + planted}},
		{"GET", path, "", map[string]string{"Cookie": "gateway_console=dev.p." + planted}},
		{"GET", path + "?key=" + planted, "", nil},
		{"GET", path + "?key=" + planted, "", map[string]string{"Authorization": "Bearer " + planted + "-key"}},
		{"GET", path + "/events?ticket=gwt_dev." + planted, "", nil},
		{"GET", "/v1/nowhere?ticket=" + planted, "", nil},
		{"PUT", path + "/approval-mode", `{"mode":"` + planted + `"}`, map[string]string{"Authorization": "Bearer " + planted + "-key"}},
		{"POST", path + "/batches", `{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"/x","password":"` + planted + `"}}],"x":1}`, map[string]string{"Authorization": "Bearer " + planted + "-key"}},
		{"POST", path + "/batches", `{"calls":[{"id":"c1","name":"write_file","arguments":"{\"` + planted + `\":"}]}`, map[string]string{"Authorization": "Bearer " + planted + "-key", "Idempotency-Key": planted + " x"}},
		{"PUT", "/v1/admin/tenants/dev/settings", `{"hooks":[{"id":"h","url":"ftp://x","events":["PreToolUse"],"secret":"` + planted + `"}]}`, map[string]string{"Authorization": "Bearer " + planted + "-key"}},
	} {
		req, err := http.NewRequestWithContext(t.Context(), q.method, r.base+q.path, strings.NewReader(q.body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		for name, value := range q.header {
			req.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		text, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		require.GreaterOrEqual(t, res.StatusCode, 400, "%s %s: %s", q.method, q.path, text)
		require.NotContains(t, string(text), planted, "%s %s", q.method, q.path)
	}
	r.submit(path, "write_file")
	stop()
	require.NoError(t, <-done)
	require.Contains(t, log.String(), "nobody let in")
	require.NotContains(t, log.String(), planted)
}
