package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// running is a gateway of the test's own, on a free port of loopback.
type running struct {
	t    *testing.T
	app  *App
	base string
	stop func() // as a signal does; the test's end waits for it
	end  func() // stop, and wait for it
}

// start runs `gateway serve --dev` with more flags until the test ends.
func start(t *testing.T, flags ...string) *running {
	t.Helper()
	cfg, err := parseServe(t, append([]string{"--dev", "--listen=127.0.0.1:0", "--drain=5s"}, flags...)...)
	require.NoError(t, err)
	app, err := Open(t.Context(), cfg, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- app.Run(ctx) }()
	end := sync.OnceFunc(func() {
		stop()
		require.NoError(t, <-done)
	})
	t.Cleanup(end)
	return &running{t: t, app: app, base: app.url(), stop: stop, end: end}
}

// object is any JSON object.
type object = map[string]any

// ask sends a request with the dev key and reads the JSON of the answer, which
// must have the status.
func (r *running) ask(status int, method, path string, body any) object {
	r.t.Helper()
	raw, err := json.Marshal(body)
	require.NoError(r.t, err)
	if body == nil {
		raw = nil
	}
	req, err := http.NewRequestWithContext(r.t.Context(), method, r.base+path, bytes.NewReader(raw))
	require.NoError(r.t, err)
	req.Header.Set("Authorization", "Bearer "+string(r.app.devKey))
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(r.t, err)
	defer func() { require.NoError(r.t, resp.Body.Close()) }()
	text, err := io.ReadAll(resp.Body)
	require.NoError(r.t, err)
	require.Equal(r.t, status, resp.StatusCode, "%s %s: %s", method, path, text)
	var out object
	if len(text) > 0 {
		require.NoError(r.t, json.Unmarshal(text, &out), "%s", text)
	}
	return out
}

// create makes a session and answers its path.
func (r *running) create(spec object) string {
	r.t.Helper()
	return "/v1/sessions/" + r.ask(http.StatusCreated, "POST", "/v1/sessions", spec)["id"].(string)
}

// submit sends calls of these tools, without arguments, and answers the batch
// as it stands then.
func (r *running) submit(session string, tools ...string) []object {
	r.t.Helper()
	calls := make([]object, len(tools))
	for i, tool := range tools {
		calls[i] = object{"id": "call_" + tool, "name": tool, "arguments": object{}}
	}
	batch := r.ask(http.StatusAccepted, "POST", session+"/batches", object{"calls": calls})
	out := make([]object, len(tools))
	for i, c := range batch["calls"].([]any) {
		out[i] = c.(object)
	}
	return out
}

// reason is why a call ended as it did; empty for an open call and a success.
func reason(call object) string {
	result, _ := call["result"].(object)
	text, _ := result["reason"].(string)
	return text
}
