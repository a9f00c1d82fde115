package main

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/tenants"
)

// e2eTimeout is how long a test waits for one thing before it calls it lost.
// It is far over what anything takes, for the sake of busy machines.
const e2eTimeout = 90 * time.Second

// cast is who takes part in the tests of the whole program: each has a key
// with no more roles than it plays.
var cast = []struct{ tenant, name, roles string }{
	{"acme", "agent-host", "host"},
	{"acme", "alice", "frontend"},
	{"acme", "bob", "frontend"},
	{"acme", "watcher", "viewer"},
	{"acme", "boss", "admin"},
	{"acme", "inspector", "host frontend"},
	{"globex", "mallory", "admin"},
}

// keyOf is the key of one of the cast.
func keyOf(name string) string { return "key-of-" + name + "-for-tests" }

// bootstrapFile writes the cast's bootstrap file.
func bootstrapFile(t testing.TB) string {
	t.Helper()
	byTenant := map[string][]object{}
	for _, c := range cast {
		byTenant[c.tenant] = append(byTenant[c.tenant], object{
			"id": c.name, "subject": c.name, "roles": strings.Fields(c.roles),
			"sha256": tenants.DigestOf(keyOf(c.name)).String(),
		})
	}
	var list []object
	for tenant, keys := range byTenant {
		list = append(list, object{"id": tenant, "keys": keys})
	}
	raw, err := json.Marshal(object{"tenants": list}) // JSON is YAML
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "bootstrap.yaml")
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

// stand is a gateway with its cast.
type stand struct {
	casetest.Players
	base               string
	bob, viewer, admin *casetest.Client
	foreign, outsider  *casetest.Client // of another tenant; without a key
	transport          http.RoundTripper
}

// startStand runs the program in this process until the test ends. Without
// flags it is on the embedded store.
func startStand(t *testing.T, flags ...string) *stand {
	t.Helper()
	// The file must outlive the start only, but the stand's cleanup runs first.
	r := start(t, append([]string{"--bootstrap=" + bootstrapFile(t)}, flags...)...)
	return standAt(t, r.base)
}

// standAt is the cast at a gateway that runs already.
func standAt(t *testing.T, base string) *stand {
	t.Helper()
	transport := judged{&http.Transport{}, apitest.LoadContract(t)}
	t.Cleanup(transport.next.CloseIdleConnections)
	host := casetest.NewClient(base, keyOf("agent-host"), transport)
	return &stand{
		Players: casetest.Players{Host: host, Person: host.As(keyOf("alice"))},
		base:    base,
		bob:     host.As(keyOf("bob")), viewer: host.As(keyOf("watcher")), admin: host.As(keyOf("boss")),
		foreign: host.As(keyOf("mallory")), outsider: host.As(""),
		transport: transport,
	}
}

// session makes a session from JSON; `@standard` stands for the usual tools.
func (s *stand) session(t *testing.T, spec string) casetest.Session {
	t.Helper()
	spec = strings.ReplaceAll(spec, `"@standard"`, string(casetest.StandardTools()))
	made, err := s.Person.CreateSession(t.Context(), json.RawMessage(spec))
	require.NoError(t, err)
	return made
}

// submit sends a batch from JSON.
func (s *stand) submit(t *testing.T, sid, body string) casetest.Batch {
	t.Helper()
	b, err := s.Host.Submit(t.Context(), sid, json.RawMessage(body))
	require.NoError(t, err)
	return b
}

// refused wants an error to be a refusal with this status and code, and gives
// its problem document.
func refused(t *testing.T, err error, status int, code string) []byte {
	t.Helper()
	var r *casetest.Refusal
	require.ErrorAs(t, err, &r)
	require.Equal(t, status, r.Status, "%v", r)
	require.Equal(t, code, r.Code, "%v", r)
	return r.Body
}
