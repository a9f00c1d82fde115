package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/tenants"
)

// matrixColumns are who asks, as docs/security.md heads its table.
var matrixColumns = []string{"no key", "bad key", "viewer", "frontend", "host", "admin", "operator", "foreign", "narrowed"}

// TestWhoMayDoWhatIsExactlyWhatTheDocsSay walks every operation of the contract
// as everybody. An operation without a row fails, and so does a row too many.
func TestWhoMayDoWhatIsExactlyWhatTheDocsSay(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/security.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(text), "<!-- matrix: begin -->\n")
	require.True(t, found)
	table, _, found = strings.Cut(table, "<!-- matrix: end -->")
	require.True(t, found)

	rows := map[string][]string{}
	for _, column := range matrixColumns {
		m := newMatrix(t)
		for _, op := range m.operations(t) {
			rows[op.OperationID] = append(rows[op.OperationID], m.ask(t, op, column))
		}
	}
	var got strings.Builder
	for _, op := range apitest.LoadContract(t).Operations() {
		fmt.Fprintf(&got, "| `%s` | %s |\n", op.OperationID, strings.Join(rows[op.OperationID], " | "))
	}
	require.Equal(t, table, got.String())
}

// matrix is a gateway of its own for one column: what is asked changes it.
type matrix struct {
	*stand
	client *http.Client
}

func newMatrix(t *testing.T) *matrix {
	t.Helper()
	name := bootstrapFile(t)
	raw, err := os.ReadFile(name)
	require.NoError(t, err)
	var file struct {
		Tenants []object `json:"tenants"`
	}
	require.NoError(t, json.Unmarshal(raw, &file))
	key := func(id, role string, narrow object) object {
		k := object{"id": id, "subject": id, "roles": []string{role}, "sha256": tenants.DigestOf(keyOf(id)).String()}
		if narrow != nil {
			k["narrow"] = narrow
		}
		return k
	}
	for i, tenant := range file.Tenants {
		if tenant["id"] == "acme" {
			file.Tenants[i]["keys"] = append(tenant["keys"].([]any),
				key("narrow", "frontend", object{"session_id": "ses_b0000_elsewhere"}), key("ops", "operator", nil))
		}
	}
	raw, err = json.Marshal(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	m := &matrix{stand: standAt(t, start(t, "--bootstrap="+name).base), client: &http.Client{Transport: &http.Transport{}}}
	t.Cleanup(m.client.CloseIdleConnections)
	return m
}

// operations are all, with that which ends the tenant last.
func (m *matrix) operations(t *testing.T) []apitest.Operation {
	t.Helper()
	ops := apitest.LoadContract(t).Operations()
	slices.SortStableFunc(ops, func(a, b apitest.Operation) int {
		return strings.Compare(fmt.Sprint(a.OperationID == "deleteTenant"), fmt.Sprint(b.OperationID == "deleteTenant"))
	})
	return ops
}

// ask sends a good request for what acme has, and says how it was taken: let
// in, whatever the use case then said, or 401, 403, 404.
func (m *matrix) ask(t *testing.T, op apitest.Operation, column string) string {
	t.Helper()
	path := m.fill(t, apitest.GoodPath(op.OperationID, op.Path))
	req, err := http.NewRequestWithContext(t.Context(), op.Method, m.base+path, bytes.NewReader(goodBytes(t, op.OperationID)))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	keys := map[string]string{
		"bad key": "gwk_nobody", "viewer": keyOf("watcher"), "frontend": keyOf("alice"), "host": keyOf("agent-host"), "admin": keyOf("boss"),
		"operator": keyOf("ops"), "foreign": keyOf("mallory"), "narrowed": keyOf("narrow"),
	}
	if key, ok := keys[column]; ok {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := m.client.Do(req)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	require.Less(t, res.StatusCode, 500, "%s as %s", op.OperationID, column)
	outside := column == "foreign" || column == "narrowed"
	switch {
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden,
		outside && res.StatusCode == http.StatusNotFound:
		return fmt.Sprint(res.StatusCode)
	}
	return "may"
}

// goodBytes is a body that the contract takes.
func goodBytes(t *testing.T, operation string) []byte {
	t.Helper()
	switch body := apitest.GoodBody(operation).(type) {
	case nil:
		return nil
	case string:
		return []byte(body)
	default:
		raw, err := json.Marshal(body)
		require.NoError(t, err)
		return raw
	}
}

// fill makes what a path names, in acme, for each request anew.
func (m *matrix) fill(t *testing.T, path string) string {
	t.Helper()
	if !strings.Contains(path, "{") {
		return path
	}
	path = strings.NewReplacer("{tenant}", "acme", "{tid}", "trn_none", "{ref}", "out_none", "{host_id}", "host-1",
		"{key_id}", "watcher2", "{kid}", "watcher2", "{key}", "watcher2").Replace(path)
	if !strings.Contains(path, "{") {
		return path
	}
	admin := m.admin
	made, err := admin.CreateSession(t.Context(), []byte(`{"tools":[{"name":"write_file","kind":"edit"}]}`))
	require.NoError(t, err)
	batch, err := admin.Submit(t.Context(), made.ID, []byte(`{"calls":[{"id":"c1","name":"write_file","arguments":{"path":"/x"}}]}`))
	require.NoError(t, err)
	var session struct {
		OpenApprovals []string `json:"open_approvals"`
	}
	require.NoError(t, admin.Send(t.Context(), casetest.Call{Method: "GET", Path: "/v1/sessions/" + made.ID}, &session))
	return strings.NewReplacer("{sid}", made.ID, "{bid}", batch.ID, "{aid}", session.OpenApprovals[0]).Replace(path)
}
