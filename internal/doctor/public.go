package doctor

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
	return answer{resp.StatusCode, resp.Header, text}, nil
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
	return d.cfg.HTTP.Do(req)
}

// public looks at the way that clients take.
func (d *doctor) public(ctx context.Context) {
	ready, err := d.ask(ctx, http.MethodGet, "/readyz", "", nil)
	switch {
	case err != nil:
		d.fail("public address", err.Error(), "check name, certificate and proxy")
		return
	case ready.status != http.StatusOK:
		d.fail("public address", fmt.Sprintf("/readyz says %d", ready.status), "look at the replicas' logs")
		return
	}
	d.good("public address", "ready")
	d.publicClock(ready.header)
	d.version(ctx)
	d.exposure(ctx)
	if d.cfg.Key == "" {
		d.warn("streams", "not looked at", "give --key, with the role host or frontend")
		return
	}
	d.streams(ctx)
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
