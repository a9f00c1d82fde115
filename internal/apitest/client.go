package apitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clientTimeout is longer than the longest wait that the contract knows.
const clientTimeout = 90 * time.Second

// Client sends requests and fails the test when an answer breaks the contract.
type Client struct {
	Base string // such as http://127.0.0.1:8080
	Key  string // empty: no Authorization header

	contract *Contract
	http     *http.Client
}

// NewClient makes a client for a gateway.
func NewClient(tb testing.TB, base, key string) *Client {
	tb.Helper()
	c := &Client{Base: base, Key: key, contract: LoadContract(tb), http: &http.Client{Timeout: clientTimeout}}
	tb.Cleanup(c.http.CloseIdleConnections)
	return c
}

// As is the same client with another key.
func (c *Client) As(key string) *Client {
	other := *c
	other.Key = key
	return &other
}

// Call is one request. Body is sent as it is when it is a string or bytes,
// else as JSON; nil sends none.
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

// Do sends a call and checks its answer against the contract.
func (c *Client) Do(tb testing.TB, call Call) Answer {
	tb.Helper()
	req := c.request(tb, call)
	res, err := c.http.Do(req)
	require.NoError(tb, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(tb, err)
	require.NoError(tb, res.Body.Close())
	assert.NotEmpty(tb, res.Header.Get("X-Request-Id"), "every answer names its request")
	assert.NoError(tb, c.contract.CheckAnswer(req, res.StatusCode, res.Header, body))
	return Answer{Status: res.StatusCode, Header: res.Header, Body: body}
}

// Get sends a GET.
func (c *Client) Get(tb testing.TB, path string) Answer {
	tb.Helper()
	return c.Do(tb, Call{Method: http.MethodGet, Path: path})
}

// Post sends a POST.
func (c *Client) Post(tb testing.TB, path string, body any) Answer {
	tb.Helper()
	return c.Do(tb, Call{Method: http.MethodPost, Path: path, Body: body})
}

// Put sends a PUT.
func (c *Client) Put(tb testing.TB, path string, body any) Answer {
	tb.Helper()
	return c.Do(tb, Call{Method: http.MethodPut, Path: path, Body: body})
}

func (c *Client) request(tb testing.TB, call Call) *http.Request {
	tb.Helper()
	body := encode(tb, call.Body)
	req, err := http.NewRequestWithContext(tb.Context(), call.Method, c.Base+call.Path, bytes.NewReader(body))
	require.NoError(tb, err)
	if call.Body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	for name, value := range call.Header {
		req.Header.Set(name, value)
	}
	if call.Host != "" {
		req.Host = call.Host
	}
	return req
}

func encode(tb testing.TB, body any) []byte {
	tb.Helper()
	switch b := body.(type) {
	case nil:
		return nil
	case string:
		return []byte(b)
	case []byte:
		return b
	}
	text, err := json.Marshal(body)
	require.NoError(tb, err)
	return text
}

// JSON decodes the answer's body.
func (a Answer) JSON(tb testing.TB, into any) {
	tb.Helper()
	require.NoError(tb, json.Unmarshal(a.Body, into), "%s", a.Body)
}

// Problem is the answer as a problem document.
type Problem struct {
	Code      string
	Status    int
	Detail    string
	RequestID string `json:"request_id"`
	Retryable bool
	Errors    []struct{ Field, Detail string }
}

// Problem decodes the answer as a problem.
func (a Answer) Problem(tb testing.TB) Problem {
	tb.Helper()
	require.Equal(tb, "application/problem+json", a.Header.Get("Content-Type"), "%s", a.Body)
	var p Problem
	a.JSON(tb, &p)
	return p
}

// Fields are the names of the wrong fields.
func (p Problem) Fields() []string {
	names := make([]string, 0, len(p.Errors))
	for _, e := range p.Errors {
		names = append(names, e.Field)
	}
	return names
}
