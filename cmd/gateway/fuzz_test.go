package main

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
)

// foreignLabel is what another tenant's session is labelled with: nobody of
// acme may ever read it.
const foreignLabel = "FOREIGN-51c2"

// FuzzRequests sends anything to the whole program, as an admin of a tenant:
// nothing fails inside, and nothing of another tenant comes out.
func FuzzRequests(f *testing.F) {
	for _, op := range apitest.LoadContract(f).Operations() {
		f.Add(op.Method, op.Path, fuzzBody(op.OperationID))
	}
	f.Add("POST", "/v1/rpc", `{"jsonrpc":"2.0","id":1,"method":"x"}`)
	handler := fuzzed(f)
	f.Fuzz(func(t *testing.T, method, path, body string) {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://127.0.0.1", strings.NewReader(body))
		if err != nil {
			return // no request has such a method
		}
		req.RequestURI, req.URL.Path, req.Host = path, path, "127.0.0.1"
		req.Header.Set("Authorization", "Bearer "+keyOf("boss"))
		req.Header.Set("Content-Type", "application/json")
		if method == http.MethodGet && strings.HasSuffix(path, "/events") {
			return // a stream has no end
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, req)
		text, err := io.ReadAll(w.Result().Body)
		require.NoError(t, err)
		require.Less(t, w.Code, 500, "%s %s %s: %s", method, path, body, text)
		require.NotContains(t, string(text), foreignLabel)
	})
}

func fuzzBody(operation string) string {
	if body, ok := apitest.GoodBody(operation).(string); ok {
		return body
	}
	return ""
}

// fuzzed is the handler of a program that serves as long as the process fuzzes.
func fuzzed(f *testing.F) http.Handler {
	f.Helper()
	cfg := Config{
		Listen: "127.0.0.1:0", Redis: embedded, Bootstrap: bootstrapFile(f), LogFormat: "json", LogLevel: "info", EmbeddedMaxMB: 4096, // the heap of the whole test binary counts
		Retention: minRetention,
	}
	app, err := Open(f.Context(), cfg, slog.New(slog.DiscardHandler))
	require.NoError(f, err)
	foreign := httptest.NewRequest(http.MethodPost, "/v1/sessions", strings.NewReader(`{"labels":{"x":"`+foreignLabel+`"}}`))
	foreign.Host = "127.0.0.1"
	foreign.Header.Set("Authorization", "Bearer "+keyOf("mallory"))
	foreign.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	app.backend.handler.ServeHTTP(w, foreign)
	require.Equal(f, http.StatusCreated, w.Code, w.Body)
	f.Cleanup(func() { require.NoError(f, errors.Join(app.listener.Close(), app.backend.close())) })
	return app.backend.handler
}
