package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/tenants"
)

// promise is what a setup says about what it acknowledged.
type promise int

const (
	nothingLost   promise = iota // not even what was only shown
	ackedKept                    // shown may be lost, with a reset; acknowledged may not
	lossAnnounced                // acknowledged may be lost too, if clients that saw it are told
)

// replicas is how many gateways there are.
const replicas = 3

// The cast: each with a key that has no more than its own role.
const (
	tenant    = "acme"
	modelName = "model"
	viewer    = "viewer"
)

var (
	hostNames   = []string{"host-a", "host-b"}
	personNames = []string{"alice", "bob"}
)

// world is everything that a scenario needs: gateways, the ways to them, and
// what was recorded.
type world struct {
	t       *testing.T
	promise promise
	fleet   []*process
	wires   []*wire // one to each gateway; all clients use them
	clients *http.Transport
	rest    chan struct{} // closed when nobody begins anything new

	records
}

// records are what the parties wrote down.
type records struct {
	histories histories
	tally     tally
	laps      *laps // the scenario's alone

	mu         sync.Mutex // guards the rest
	violations []string
}

// maxViolations is how many are printed; the first say what is wrong.
const maxViolations = 40

// wrong notes that something was seen that must never be.
func (w *world) wrong(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.violations = append(w.violations, fmt.Sprintf(format, args...))
}

// newWorld starts the gateways, the i-th on the i-th URL.
func newWorld(t *testing.T, p promise, urls []string, flags ...string) *world {
	t.Helper()
	w := &world{t: t, promise: p, rest: make(chan struct{}), clients: &http.Transport{
		MaxIdleConnsPerHost: 64, ResponseHeaderTimeout: attemptWithin,
	}}
	t.Cleanup(w.clients.CloseIdleConnections)
	flags = append([]string{"--bootstrap=" + bootstrap(t), "--drain=6s", "--log-level=warn"}, flags...)
	var start errgroup.Group
	for i := range replicas {
		gateway := newProcess(t, append([]string{"--redis=" + urls[i%len(urls)]}, flags...)...)
		w.fleet = append(w.fleet, gateway)
		w.wires = append(w.wires, newWire(t, gateway.addr))
		start.Go(func() error { return gateway.up(t.Context()) })
	}
	if err := start.Wait(); err != nil {
		logs, _ := os.ReadFile(w.fleet[0].logs)
		t.Fatalf("%v\n%s", err, logs)
	}
	return w
}

// bootstrap writes the file of who may call.
func bootstrap(t *testing.T) string {
	t.Helper()
	roles := map[string]string{modelName: "host", viewer: "viewer"}
	for i := range hostNames {
		roles[hostNames[i]] = "host"
		roles[personNames[i]] = "frontend"
	}
	var keys []map[string]any
	for name, role := range roles {
		keys = append(keys, map[string]any{
			"id": name, "subject": name, "roles": []string{role},
			"sha256": tenants.DigestOf(keyOf(name)).String(),
		})
	}
	raw, err := json.Marshal(map[string]any{"tenants": []any{map[string]any{"id": tenant, "keys": keys}}}) // JSON is YAML
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "bootstrap.yaml")
	require.NoError(t, os.WriteFile(name, raw, 0o600))
	return name
}

func keyOf(name string) string { return "the-key-of-" + name }

// client speaks to one replica with somebody's key.
func (w *world) client(replica int, name string) *casetest.Client {
	return casetest.NewClient("http://"+w.wires[replica%replicas].addr, keyOf(name), w.clients)
}

// resting says whether it is time to begin nothing new.
func (w *world) resting() bool {
	select {
	case <-w.rest:
		return true
	default:
		return false
	}
}

// linger waits for a while, until everybody rests or ctx is over.
func (w *world) linger(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-w.rest:
	case <-timer.C:
	}
}
