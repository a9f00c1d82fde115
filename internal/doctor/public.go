package doctor

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"
)

// maxAnswer bounds what is read of an answer.
const maxAnswer = 4 << 20

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
	tls    *tls.ConnectionState // nil: in the clear
}

// ask sends a request to the public address, with the key unless there is none.
func (d *doctor) ask(ctx context.Context, method, path, key string, body any) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	resp, err := d.send(ctx, method, path, key, body)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return answer{}, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return answer{resp.StatusCode, resp.Header, text, resp.TLS}, nil
}

func (d *doctor) send(ctx context.Context, method, path, key string, body any) (*http.Response, error) {
	var payload io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		payload = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(d.cfg.PublicURL, "/")+path, payload)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	return d.http().Do(req)
}

// http follows no redirect: a client's POST would arrive as a GET.
func (d *doctor) http() *http.Client {
	c := *d.cfg.HTTP
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &c
}

// public looks at the way that clients take.
func (d *doctor) public(ctx context.Context) {
	ready, err := d.ask(ctx, http.MethodGet, "/readyz", "", nil)
	switch {
	case err != nil:
		d.fail("public address", err.Error(), "check name, certificate and proxy")
		return
	case ready.header.Get("Location") != "":
		d.fail("public address", "leads on to "+ready.header.Get("Location"), "give clients that address, and --public-url")
		return
	case ready.status != http.StatusOK:
		d.fail("public address", "/readyz says "+said(ready, nil), "look at the proxy where this is no answer of the gateway's, else at the replicas' logs")
		return
	}
	d.good("public address", "ready")
	d.state(ready)
	d.transport(ready)
	d.publicClock(ready.header)
	d.version(ctx)
	d.exposure(ctx)
	if d.cfg.Key == "" {
		d.warn("streams", "not looked at", "give --key, with the role host or frontend")
		return
	}
	d.streams(ctx)
}

// state is what the replica that answered says of its store.
func (d *doctor) state(ready answer) {
	var r struct{ Volatile bool }
	if err := json.Unmarshal(ready.body, &r); err != nil {
		d.fail("public address", "/readyz is no answer of the gateway's: "+err.Error(), "is something else at this address?")
		return
	}
	if r.Volatile {
		d.fail("store", "the replica keeps its state in its process: gone when it ends, unknown to others", "start replicas with --redis")
	}
}

// transport is how keys cross the network.
func (d *doctor) transport(a answer) {
	if a.tls == nil {
		if u, err := url.Parse(d.cfg.PublicURL); err == nil && !isLocal(u.Hostname()) {
			d.fail("tls", "keys cross the network in the clear", "serve the public address by https")
		}
		return
	}
	if left := time.Until(a.tls.PeerCertificates[0].NotAfter); left < certificateNotice {
		d.warn("tls", fmt.Sprintf("the certificate expires in %s", left.Round(time.Hour)), "renew it; a gateway with --tls-cert reads it again at SIGHUP")
		return
	}
	d.good("tls", "the certificate is good until %s", a.tls.PeerCertificates[0].NotAfter.Format(time.DateOnly))
}

// isLocal says that nobody is between here and a host.
func isLocal(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}

func (d *doctor) publicClock(h http.Header) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		return // proxies may leave it out
	}
	if off := time.Since(at); off.Abs() > maxPublicOffset {
		d.warn("public clock", fmt.Sprintf("differs by about %s", off.Round(time.Second)), "run NTP on all machines")
	}
}

// version compares contracts: they are what clients meet.
func (d *doctor) version(ctx context.Context) {
	theirs, err := d.ask(ctx, http.MethodGet, "/openapi.yaml", "", nil)
	switch {
	case err != nil || theirs.status != http.StatusOK:
		d.warn("version", "the contract is not to be had at the public address", "let the proxy pass /openapi.yaml on")
	case !bytes.Equal(theirs.body, d.cfg.Contract):
		d.warn("version", "the replica that answered has another contract than this program", "finish the rollout, or run the doctor of that version")
	default:
		d.good("version", "the same contract")
	}
}

func (d *doctor) exposure(ctx context.Context) {
	metrics, err := d.ask(ctx, http.MethodGet, "/metrics", "", nil)
	if err == nil && metrics.status == http.StatusOK {
		d.warn("metrics", "the public can read /metrics", "let the proxy refuse it; see deploy/nginx")
	}
}
