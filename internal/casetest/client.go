package casetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// requestTimeout is longer than the longest wait that the contract knows.
const requestTimeout = 90 * time.Second

// Client speaks to a gateway with one key. It is safe for concurrent use.
type Client struct {
	base, key string
	transport http.RoundTripper
}

// NewClient makes a client of the gateway at base, such as
// http://127.0.0.1:8080. A nil transport is a new one of its own.
func NewClient(base, key string, transport http.RoundTripper) *Client {
	if transport == nil {
		transport = &http.Transport{}
	}
	return &Client{base: base, key: key, transport: transport}
}

// As is the same client with another key.
func (c *Client) As(key string) *Client {
	return &Client{base: c.base, key: key, transport: c.transport}
}

// At is the same client at another replica.
func (c *Client) At(base string) *Client {
	return &Client{base: base, key: c.key, transport: c.transport}
}

// Call is one request. A body that is bytes is sent as it is, else as JSON;
// nil sends none.
type Call struct {
	Method, Path string
	Body         any
	Header       map[string]string
	Host         string // empty: the base's
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// Refusal is an answer that is a problem document.
type Refusal struct {
	Status int    `json:"status"`
	Code   string `json:"code"`
	Detail string `json:"detail"`
	Call   string `json:"-"` // the request: method and path
	Body   []byte `json:"-"`
}

// Error says what was refused and why.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s: %d %s: %s", r.Call, r.Status, r.Code, r.Body)
}

// Do sends a request; a refusal is an answer like any other.
func (c *Client) Do(ctx context.Context, call Call) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	req, err := c.request(ctx, call)
	if err != nil {
		return Answer{}, err
	}
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: %w", call.Method, call.Path, err)
	}
	defer func() { _ = res.Body.Close() }() // it was read, or reading it failed
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return Answer{}, fmt.Errorf("%s %s: read answer: %w", call.Method, call.Path, err)
	}
	return Answer{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}

// Send sends a request and decodes its answer into a value, if there is one
// to decode into; a problem is a [*Refusal].
func (c *Client) Send(ctx context.Context, call Call, into any) error {
	a, err := c.Do(ctx, call)
	if err != nil {
		return err
	}
	if a.Status >= http.StatusBadRequest {
		return refusal(call, a)
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		return fmt.Errorf("%s %s: decode %s: %w", call.Method, call.Path, a.Body, err)
	}
	return nil
}

func refusal(call Call, a Answer) error {
	r := &Refusal{}
	if err := json.Unmarshal(a.Body, r); err != nil {
		return fmt.Errorf("%s %s: %d without a problem: %s", call.Method, call.Path, a.Status, a.Body)
	}
	r.Status, r.Call, r.Body = a.Status, call.Method+" "+call.Path, a.Body
	return r
}

func (c *Client) request(ctx context.Context, call Call) (*http.Request, error) {
	body, err := encode(call.Body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, call.Method, c.base+call.Path, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	if call.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.key != "" {
		req.Header.Set("Authorization", "Bearer "+c.key)
	}
	for name, value := range call.Header {
		req.Header.Set(name, value)
	}
	req.Host = call.Host
	return req, nil
}

func encode(body any) ([]byte, error) {
	switch b := body.(type) {
	case nil:
		return nil, nil
	case []byte:
		return b, nil
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil, fmt.Errorf("encode body: %w", err)
	}
	return text, nil
}

// CloseIdleConnections lets go of connections that nobody uses.
func (c *Client) CloseIdleConnections() {
	if t, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
