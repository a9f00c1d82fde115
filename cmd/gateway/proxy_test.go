package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/porttest"
)

// proxy is a real proxy in front of gateways, with the configuration that is
// shipped but for addresses and paths.
type proxy struct {
	t    *testing.T
	base string
	dir  string
	said lockedBuffer // standard output and error
	// request finds in the log the reads of sessions, and in each the session
	// and the replica.
	request *regexp.Regexp
}

// lockedBuffer is written by a process and read by the test.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// log is everything that the proxy has logged.
func (p *proxy) log() string {
	p.t.Helper()
	access, err := os.ReadFile(filepath.Join(p.dir, "access.log"))
	if !os.IsNotExist(err) {
		require.NoError(p.t, err)
	}
	return p.said.String() + string(access)
}

// servedAt are the replicas that served the requests of each session, by the log,
// once it has so many of them.
func (p *proxy) servedAt(requests int) map[string][]string {
	p.t.Helper()
	var lines [][]string
	require.Eventually(p.t, func() bool {
		lines = p.request.FindAllStringSubmatch(p.log(), -1)
		return len(lines) == requests
	}, e2eTimeout, 20*time.Millisecond, "requests are logged")
	at := map[string][]string{}
	for _, l := range lines {
		if sid, replica := l[1], l[2]; !slices.Contains(at[sid], replica) {
			at[sid] = append(at[sid], replica)
		}
	}
	return at
}

// edit is a change of a shipped file: a pattern and what takes its place.
type edit struct{ pattern, with string }

// shipped copies a file of deploy/ with edits, each of which has to find something.
func (p *proxy) shipped(name string, edits ...edit) {
	p.t.Helper()
	raw, err := os.ReadFile(filepath.Join("../../deploy", name))
	require.NoError(p.t, err)
	for _, e := range edits {
		pattern := regexp.MustCompile(e.pattern)
		require.True(p.t, pattern.Match(raw), "%s: %s", name, e.pattern)
		raw = pattern.ReplaceAll(raw, []byte(e.with))
	}
	require.NoError(p.t, os.WriteFile(filepath.Join(p.dir, filepath.Base(name)), raw, 0o600))
}

// run starts the proxy and waits until it passes requests on.
func (p *proxy) run(name string, args ...string) *proxy {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &p.said, &p.said
	require.NoError(p.t, cmd.Start())
	p.t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended
		_ = cmd.Wait()                          // however it ends
	})
	require.Eventually(p.t, func() bool { return reachable(p.base) }, e2eTimeout, 20*time.Millisecond, "%s: %s", name, &p.said)
	return p
}

// installed skips a test whose proxy is not there; in CI a skip fails.
func installed(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		t.Skipf("%s is not installed", name)
	}
}

// hostsOf are the addresses of gateways, without scheme.
func hostsOf(bases []string) []string {
	out := make([]string, len(bases))
	for i, base := range bases {
		out[i] = strings.TrimPrefix(base, "http://")
	}
	return out
}

// startNginx runs nginx in front of gateways. Edits are of locations.conf.
func startNginx(t *testing.T, bases []string, edits ...edit) *proxy {
	t.Helper()
	installed(t, "nginx")
	addr := porttest.Addr()
	p := &proxy{
		t: t, base: "http://" + addr, dir: t.TempDir(),
		request: regexp.MustCompile(`"GET /v1/sessions/(\w+) HTTP[^"]*" 200 \d+ [\d.]+ (\S+)`),
	}
	upstream := ""
	for _, host := range hostsOf(bases) {
		upstream += "server " + host + " max_fails=0;\n"
	}
	temp := ""
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		temp += fmt.Sprintf("%s_temp_path %s;\n", kind, filepath.Join(p.dir, kind))
	}
	p.shipped("nginx/http.conf")
	p.shipped("nginx/locations.conf", append(edits, edit{`/var/log/nginx/gateway\.log`, filepath.Join(p.dir, "access.log")})...)
	p.shipped(
		"nginx/nginx.conf", edit{`server gateway-1[^\n]*\n\s*server gateway-2[^\n]*\n`, upstream}, edit{`listen 8000`, "listen " + addr},
		edit{`/tmp/nginx\.pid`, filepath.Join(p.dir, "pid")}, edit{`worker_processes auto`, "worker_processes 1"},
		edit{`worker_connections 20000`, "worker_connections 500"}, edit{`include http\.conf;`, temp + "include http.conf;"},
	)
	directives := "daemon off;"
	if os.Geteuid() == 0 {
		directives += " user root;" // its workers have to write into the test's folder
	}
	return p.run("nginx", "-p", p.dir, "-c", filepath.Join(p.dir, "nginx.conf"), "-e", "stderr", "-g", directives)
}

// startHAProxy runs haproxy in front of gateways.
func startHAProxy(t *testing.T, bases []string, edits ...edit) *proxy {
	t.Helper()
	installed(t, "haproxy")
	addr := porttest.Addr()
	p := &proxy{
		t: t, base: "http://" + addr, dir: t.TempDir(),
		request: regexp.MustCompile(`"GET /v1/sessions/(\w+)" 200 \d+ \d+ (\S+)`),
	}
	servers := ""
	for i, host := range hostsOf(bases) {
		servers += "    server gateway-" + strconv.Itoa(i) + " " + host + "\n"
	}
	p.shipped("haproxy/haproxy.cfg", append(edits,
		edit{`    server gateway-1 [^\n]*\n    server gateway-2 [^\n]*\n`, servers}, edit{`bind :8000`, "bind " + addr},
		edit{`maxconn 40000`, "maxconn 500"})...)
	return p.run("haproxy", "-db", "-f", filepath.Join(p.dir, "haproxy.cfg"))
}

// proxies are the shipped ones. The idle edit is what makes them cut after 30 s.
var proxies = map[string]struct {
	start func(*testing.T, []string, ...edit) *proxy
	idle  edit
}{
	"nginx":   {startNginx, edit{`proxy_read_timeout 60s`, "proxy_read_timeout 30s"}},
	"haproxy": {startHAProxy, edit{`timeout server 60s`, "timeout server 30s"}},
}

func reachable(base string) bool {
	resp, err := http.Get(base + "/healthz")
	if err != nil {
		return false
	}
	return resp.Body.Close() == nil && resp.StatusCode == http.StatusOK
}
