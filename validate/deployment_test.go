package validate_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/client"
	"github.com/session-gateway/gateway/host"
	"github.com/session-gateway/gateway/host/model"
	"github.com/session-gateway/gateway/host/workspace"
	"github.com/session-gateway/gateway/internal/gatewaytest"
	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/validate"
)

// The keys of a deployment.
const (
	operatorKey = "operator-key-for-validations"
	approverKey = "approver-key-for-validations"
	hostOnlyKey = "host-only-key-for-validations"
)

// deployment is a running gateway with a session.
type deployment struct {
	*testing.T
	bases   []string
	http    *http.Client
	key     string
	session string
	dir     string
}

// connect makes a client of it with a key.
func (d *deployment) connect(key string) *client.Client {
	d.Helper()
	c, err := client.New(d.bases[0], key, client.WithHTTPClient(d.http))
	require.NoError(d, err)
	return c
}

// alone is one gateway with an embedded store.
func alone(t *testing.T) *deployment {
	t.Helper()
	return &deployment{T: t, bases: []string{gatewaytest.Start(t).Base}, http: transport(t), key: gatewaytest.Key}
}

// of is the same gateway for a part of the test, with a session of its own.
func (d *deployment) of(t *testing.T) *deployment {
	t.Helper()
	part := *d
	part.T = t
	return &part
}

// replicated is three gateways on one Redis, and a proxy before them. Its
// addresses are the proxy's, then the replicas'.
func replicated(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{T: t, http: transport(t), key: operatorKey}
	store, keys := "--redis="+redistest.Start(t).URL(), "--bootstrap="+bootstrap(t)
	var targets []*url.URL
	for range 3 {
		base := gatewaytest.Start(t, store, keys).Base
		target, err := url.Parse(base)
		require.NoError(t, err)
		targets, d.bases = append(targets, target), append(d.bases, base)
	}
	d.bases = append([]string{inTurn(t, targets)}, d.bases...)
	return d
}

// inTurn is a proxy that gives each request to the next of its targets.
func inTurn(t *testing.T, targets []*url.URL) string {
	t.Helper()
	var n atomic.Uint64
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(targets[n.Add(1)%uint64(len(targets))]) },
		FlushInterval: -1, Transport: transport(t).Transport,
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
	t.Cleanup(proxy.Close)
	return proxy.URL
}

func transport(t *testing.T) *http.Client {
	t.Helper()
	own := &http.Transport{}
	t.Cleanup(own.CloseIdleConnections)
	return &http.Client{Transport: own}
}

func bootstrap(t *testing.T) string {
	t.Helper()
	key := func(name, key string, roles ...string) map[string]any {
		sum := sha256.Sum256([]byte(key))
		return map[string]any{"id": name, "subject": name, "roles": roles, "sha256": hex.EncodeToString(sum[:])}
	}
	raw, err := json.Marshal(map[string]any{"tenants": []any{map[string]any{"id": "acme", "keys": []any{
		key("operator", operatorKey, "host", "frontend"), key("approver", approverKey, "frontend"), key("agent", hostOnlyKey, "host"),
	}}}})
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "bootstrap.yaml")
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

// serve makes a session and lets the reference host serve it, with a model that
// says what a script says.
func (d *deployment) serve(spec client.SessionSpec, steps ...model.Step) {
	d.Helper()
	work := d.workspace()
	spec.Cwd = new(work.Dir())
	if spec.Tools == nil {
		spec.Tools = new(host.Specs(work.Tools()))
	}
	d.create(spec)
	h := host.New(host.Config{
		Client: d.connect(d.key), Session: d.session, HostID: "reference", Tools: work.Tools(),
		Chat: model.NewScripted(&model.Script{Steps: steps}), Log: slog.New(slog.NewTextHandler(d.Output(), nil)),
	})
	d.beside(h.Run)
}

// workspace is a folder with a file in it.
func (d *deployment) workspace() *workspace.Workspace {
	d.Helper()
	d.dir = d.TempDir()
	require.NoError(d, os.WriteFile(filepath.Join(d.dir, "greet.txt"), []byte("hello\n"), 0o600))
	work, err := workspace.Open(d.dir, nil)
	require.NoError(d, err)
	d.Cleanup(func() { require.NoError(d, work.Close()) })
	return work
}

func (d *deployment) create(spec client.SessionSpec) {
	d.Helper()
	s, err := d.connect(d.key).CreateSession(d.Context(), spec)
	require.NoError(d, err)
	d.session = s.ID
}

// beside runs a host until the test is over, and waits until it is attached.
func (d *deployment) beside(run func(context.Context) error) {
	d.Helper()
	ctx, cancel := context.WithCancel(d.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	d.Cleanup(func() {
		cancel()
		require.ErrorIs(d, <-ended, context.Canceled)
	})
	until, done := context.WithTimeout(d.Context(), patience)
	defer done()
	for e, err := range d.connect(d.key).Events(until, d.session, client.StreamOptions{Types: []string{"host.attached"}}) {
		require.NoError(d, err)
		if e.Type == string(client.EventTypeHostAttached) {
			return
		}
	}
}

// patience is how long a test waits for what a host or a gateway does, and lets
// a validation wait. It is far over what it takes, for the sake of busy machines.
const patience = 90 * time.Second

// idleness is how long a validation waits for what does not come; what comes
// does so within it on a busy machine too.
const idleness = 5 * time.Second

// config is how the tests validate.
func (d *deployment) config() validate.Config {
	return validate.Config{
		Bases: d.bases, Key: d.key, Session: d.session, HTTP: d.http, Prompt: "Enter.",
		Patience: patience, TurnPatience: patience, ClaimWithin: patience,
	}
}

// now is the session as it is.
func (d *deployment) now() client.SessionDocument {
	d.Helper()
	s, err := d.connect(d.key).Session(d.Context(), d.session)
	require.NoError(d, err)
	return s
}

// entering is a model that enters plan mode beside a read and a write, and then
// is done.
func entering() []model.Step {
	call := func(id, name string, arguments map[string]any) model.StepCall {
		return model.StepCall{ID: id, Name: name, Arguments: arguments}
	}
	return []model.Step{
		{Calls: []model.StepCall{
			call("m1", "list_directory", map[string]any{"path": "."}),
			call("m2", "enter_plan_mode", map[string]any{"userRequested": true}),
			call("m3", "write_file", map[string]any{"file_path": "left.txt", "content": "left"}),
		}},
		{Text: "done"},
	}
}
