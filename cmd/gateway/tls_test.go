package main

import (
	"bufio"
	"crypto/tls"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/certs"
	"github.com/session-gateway/gateway/internal/certstest"
)

// trusting is a transport that trusts an authority, shows a certificate if
// there is one, and speaks HTTP/2.
func trusting(t *testing.T, ca *certstest.Authority, shown certstest.Pair) *http.Transport {
	t.Helper()
	cfg, err := certs.ClientConfig(certs.Files{CA: ca.File, Cert: shown.Cert, Key: shown.Key})
	require.NoError(t, err)
	tr := &http.Transport{TLSClientConfig: cfg, ForceAttemptHTTP2: true}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

// tlsFlags are those of a listener for loopback.
func tlsFlags(t *testing.T, ca *certstest.Authority) []string {
	t.Helper()
	p := ca.Issue(t, "127.0.0.1", "localhost")
	return []string{"--tls-cert=" + p.Cert, "--tls-key=" + p.Key}
}

func TestStreamsComeOverTLSAndHTTP2(t *testing.T) {
	t.Parallel()
	ca := certstest.NewAuthority(t)
	r := start(t, tlsFlags(t, ca)...)
	c := casetest.NewClient(r.base, string(r.app.devKey), trusting(t, ca, certstest.Pair{}))
	made, err := c.CreateSession(t.Context(), []byte(`{}`))
	require.NoError(t, err)

	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.base+"/v1/sessions/"+made.ID+"/events", nil)
	require.NoError(t, err)
	req.Header.Set("Authorization", "Bearer "+string(r.app.devKey))
	res, err := trusting(t, ca, certstest.Pair{}).RoundTrip(req)
	require.NoError(t, err)
	defer func() { require.NoError(t, res.Body.Close()) }()
	require.Equal(t, 2, res.ProtoMajor)
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "event: session.created") {
		continue
	}
	require.NoError(t, lines.Err())
}

func TestAHostIsHeldToItsCertificate(t *testing.T) {
	t.Parallel()
	ca, strange := certstest.NewAuthority(t), certstest.NewAuthority(t)
	r := start(t, append(tlsFlags(t, ca), "--bootstrap="+bootstrapFile(t), "--client-ca="+ca.File)...)
	as := func(name string, shown certstest.Pair) *casetest.Client {
		return casetest.NewClient(r.base, keyOf(name), trusting(t, ca, shown))
	}
	first, second := as("agent-host", ca.Issue(t, "host-1")), as("agent-host", ca.Issue(t, "host-2"))
	bare, person := as("agent-host", certstest.Pair{}), as("alice", certstest.Pair{})

	made, err := person.CreateSession(t.Context(), []byte(`{"tools":[{"name":"read_file","kind":"read"}]}`))
	require.NoError(t, err, "people need no certificate")
	path := "/v1/sessions/" + made.ID
	attach := casetest.Call{Method: "POST", Path: path + "/hosts", Body: object{"host_id": "host-1"}}
	for name, c := range map[string]*casetest.Client{
		"no certificate": bare, "another host's": second, "an admin without one": as("boss", certstest.Pair{}),
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, c.Send(t.Context(), attach, nil), http.StatusForbidden, "certificate_required")
		})
	}
	require.Error(t, as("agent-host", strange.Issue(t, "host-1")).Send(t.Context(), attach, nil), "nobody vouches for it")
	var attached struct{ Fence int64 }
	require.NoError(t, first.Send(t.Context(), attach, &attached))

	batch := "/batches/" + sendRead(t, first, path, attached.Fence)
	results := []object{{"position": 0, "status": "success", "output": "x"}}
	for name, call := range map[string]casetest.Call{
		"claims for the first":      {Method: "POST", Path: path + batch + "/claims", Body: object{"host_id": "host-1", "fence": attached.Fence, "positions": []int{0}}},
		"reports for the first":     {Method: "POST", Path: path + batch + "/results", Body: object{"host_id": "host-1", "fence": attached.Fence, "results": results}},
		"reports for nobody":        {Method: "POST", Path: path + batch + "/results", Body: object{"results": results}},
		"renews the first's lease":  {Method: "POST", Path: path + "/hosts/host-1/heartbeat", Body: object{"fence": attached.Fence}},
		"sends the first away":      {Method: "DELETE", Path: path + "/hosts/host-1?fence=1"},
		"streams with the lease":    {Method: "GET", Path: path + "/events?host_id=host-1&fence=1"},
		"speaks for the first":      {Method: "POST", Path: path + batch + "/progress", Body: object{"host_id": "host-1", "position": 0, "text": "x"}},
		"sends the first's batches": {Method: "POST", Path: path + "/batches", Body: object{"host_id": "host-1", "calls": []object{{"name": "read_file"}}}},
	} {
		t.Run("the second host "+name, func(t *testing.T) {
			refused(t, second.Send(t.Context(), call, nil), http.StatusForbidden, "certificate_required")
		})
	}
	require.NoError(t, first.Send(t.Context(), casetest.Call{
		Method: "POST", Path: path + batch + "/results", Body: object{"host_id": "host-1", "fence": attached.Fence, "results": results},
	}, nil))
}

// sendRead submits one call that is dispatched at once, and answers its batch.
func sendRead(t *testing.T, c *casetest.Client, path string, fence int64) string {
	t.Helper()
	var batch struct{ ID string }
	require.NoError(t, c.Send(t.Context(), casetest.Call{
		Method: "POST", Path: path + "/batches",
		Body: object{"host_id": "host-1", "fence": fence, "calls": []object{{"id": "c1", "name": "read_file", "arguments": object{"path": "/x"}}}},
	}, &batch))
	return batch.ID
}

func TestAHangupReadsTheCertificateAgain(t *testing.T) {
	t.Parallel()
	ca := certstest.NewAuthority(t)
	p := ca.Issue(t, "127.0.0.1", "old.example")
	program := exec.CommandContext(t.Context(), "gateway", "serve", "--dev", "--listen=127.0.0.1:0",
		"--tls-cert="+p.Cert, "--tls-key="+p.Key)
	stdout, err := program.StdoutPipe()
	require.NoError(t, err)
	stderr, err := program.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	said := bufio.NewScanner(stdout)
	addr := ""
	for addr == "" && said.Scan() {
		addr, _ = strings.CutPrefix(said.Text(), "gateway listens on https://")
		if addr == said.Text() {
			addr = ""
		}
	}
	logged := bufio.NewScanner(stderr)
	until := func(text string) {
		for logged.Scan() && !strings.Contains(logged.Text(), text) {
			continue
		}
		require.Contains(t, logged.Text(), text)
	}
	until(`"serving"`)
	require.Contains(t, namesAt(t, addr, ca), "old.example")

	ca.IssueTo(t, p, "127.0.0.1", "new.example")
	require.NoError(t, program.Process.Signal(syscall.SIGHUP))
	until("certificates read again")
	until("the certificate expires soon")
	require.Contains(t, namesAt(t, addr, ca), "new.example")

	require.NoError(t, program.Process.Signal(syscall.SIGTERM))
	_, err = io.Copy(io.Discard, stderr)
	require.NoError(t, err)
	require.NoError(t, program.Wait())
}

// namesAt are the names of the certificate that an address shows.
func namesAt(t *testing.T, addr string, ca *certstest.Authority) []string {
	t.Helper()
	dialer := &tls.Dialer{Config: &tls.Config{RootCAs: ca.Pool(), MinVersion: tls.VersionTLS12}}
	var c *tls.Conn
	require.Eventually(t, func() bool {
		conn, err := dialer.DialContext(t.Context(), "tcp", addr)
		if err != nil {
			return false
		}
		c = conn.(*tls.Conn)
		return true
	}, e2eTimeout, 10*time.Millisecond)
	defer func() { require.NoError(t, c.Close()) }()
	return c.ConnectionState().PeerCertificates[0].DNSNames
}
