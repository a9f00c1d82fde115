package main

import (
	"bytes"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
)

// exported is a tenant's audit log once all of it is sealed.
func exported(t *testing.T, base string) string {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	c, err := client.New(base, "a-key-of-auditors", client.WithHTTPClient(&http.Client{Transport: transport}))
	require.NoError(t, err)
	_, err = c.CreateSession(t.Context(), client.SessionSpec{})
	require.NoError(t, err)
	var log bytes.Buffer
	require.Eventually(t, func() bool {
		log.Reset()
		return c.Audit(t.Context(), time.Time{}, &log) == nil && strings.Contains(log.String(), `"seal"`)
	}, e2eTimeout, 100*time.Millisecond)
	return log.String()
}

func TestAnAuditLogIsVerifiedFromTheCommandLine(t *testing.T) {
	t.Parallel()
	secret := strings.Repeat("s", 32)
	log := exported(t, startProcess(t, "--dev-key=a-key-of-auditors", "--audit-key="+secret).base)
	for name, c := range map[string]struct {
		log, key string
		code     int
		says     string
	}{
		"as it was sealed":        {log, secret, 0, "every seal is signed with the key"},
		"without the key":         {log, "", 0, "signatures were not checked"},
		"with another key":        {log, strings.Repeat("x", 32), 1, "not signed with this key"},
		"with an entry changed":   {strings.Replace(log, `"to":"default"`, `"to":"yolo"`, 1), secret, 1, "the entry was changed"},
		"with a key that is weak": {log, "short", 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "audit.ndjson")
			require.NoError(t, os.WriteFile(file, []byte(c.log), 0o600))
			cmd := exec.Command("gateway", "audit", "verify", file)
			cmd.Env = append(cmd.Environ(), "GATEWAY_AUDIT_KEY="+c.key)
			out, err := cmd.Output()
			require.Equal(t, c.code == 0, err == nil, "%s%v", out, err)
			require.Equal(t, c.code, cmd.ProcessState.ExitCode())
			require.Contains(t, string(out), c.says)
		})
	}
}
