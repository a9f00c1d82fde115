package api_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/sessions"
)

func TestAnEntryIsExportedByteForByte(t *testing.T) {
	t.Parallel()
	b := start(t)
	const entry = `{"acts":[{"type":"call.decided","tool":"a<b>&c "}]}`
	b.service.audited = []audit.Line{{Log: "b0001", ID: "1-0", Entry: json.RawMessage(entry)}}
	a := b.Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/audit?since=2026-01-02T03:04:05Z"})
	require.Equal(t, http.StatusOK, a.Status)
	require.Equal(t, "application/x-ndjson", a.Header.Get("Content-Type"))
	require.True(t, bytes.Equal([]byte(`{"log":"b0001","id":"1-0","entry":`+entry+"}\n"), a.Body), "%s", a.Body)
}

func TestAnAdministratorsActIsWrittenBeforeItIsDone(t *testing.T) {
	t.Parallel()
	b := start(t)
	revoke := apitest.Call{Method: http.MethodDelete, Path: "/v1/admin/tenants/t1/keys/k1"}
	b.As("operator").Do(t, revoke)
	require.Contains(t, strings.Join(b.service.noted, "\n"), "t1: ")
	require.Contains(t, strings.Join(b.service.noted, "\n"), "admin.act revokeKey")

	b.service.noteErr = &sessions.Problem{Code: sessions.CodeUnavailable}
	require.Equal(t, http.StatusServiceUnavailable, b.As("operator").Do(t, revoke).Status)
}

func TestAnAdminWritesIntoNoOtherTenantsLog(t *testing.T) {
	t.Parallel()
	b := start(t)
	b.As("admin").Do(t, apitest.Call{Method: http.MethodDelete, Path: "/v1/admin/tenants/foreign/keys/k1"})
	require.Len(t, b.service.noted, 1)
	require.NotContains(t, b.service.noted[0], "foreign: ", "it would fill up, and what is old would go")
}

func TestAKeysRefusalsAreNotedOnceInAWhile(t *testing.T) {
	t.Parallel()
	b := start(t)
	for range 3 {
		require.Equal(t, http.StatusForbidden, b.As("host").Do(t, apitest.Call{Method: http.MethodGet, Path: "/v1/audit"}).Status)
	}
	require.Len(t, b.service.noted, 1)
	require.Contains(t, b.service.noted[0], "request.refused getAudit")
}
