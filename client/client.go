package client

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// The defaults of retries. They span about half a minute, which covers the
// restart of a replica and a failover of the store.
const (
	DefaultAttempts = 8
	DefaultBackoff  = 200 * time.Millisecond // doubled each time, with full jitter
	DefaultMaxDelay = 10 * time.Second
)

// Client is a caller of one deployment. It may be used concurrently.
type Client struct {
	bases    []*url.URL
	at       atomic.Uint64 // which base is used; moved on by a failed connection
	key      string
	http     *http.Client
	attempts int
	backoff  time.Duration
	maxDelay time.Duration
	jitter   func() float64
}

// Option changes a client.
type Option func(*Client) error

// WithReplica adds an address of the same deployment. A request or a stream
// whose connection fails goes on at the next address.
func WithReplica(base string) Option {
	return func(c *Client) error {
		u, err := parseBase(base)
		c.bases = append(c.bases, u)
		return err
	}
}

// WithHTTPClient uses another HTTP client. It must not have a Timeout, which
// would end streams.
func WithHTTPClient(h *http.Client) Option {
	return func(c *Client) error {
		c.http = h
		return nil
	}
}

// WithRetries changes how often a request is tried and how long the first
// pause may be. One attempt turns retries off.
func WithRetries(attempts int, backoff time.Duration) Option {
	return func(c *Client) error {
		c.attempts, c.backoff = attempts, backoff
		return nil
	}
}

// New makes a client of the deployment at base (https://host[:port]) with an
// API key.
func New(base, key string, options ...Option) (*Client, error) {
	u, err := parseBase(base)
	if err != nil {
		return nil, err
	}
	c := &Client{
		bases: []*url.URL{u}, key: key, http: http.DefaultClient,
		attempts: DefaultAttempts, backoff: DefaultBackoff, maxDelay: DefaultMaxDelay, jitter: rand.Float64,
	}
	for _, o := range options {
		if err := o(c); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// errBase says that an address is none.
var errBase = errors.New("the address of a gateway is http(s)://host[:port]")

func parseBase(base string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSuffix(base, "/"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBase, err)
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errBase
	}
	return u, nil
}

// base is the address that is used now.
func (c *Client) base() *url.URL { return c.bases[c.at.Load()%uint64(len(c.bases))] }

// moveOn turns to the next address.
func (c *Client) moveOn() { c.at.Add(1) }

// pause is how long to wait before the n-th repetition (from 0), with full jitter.
func (c *Client) pause(n int) time.Duration {
	limit := c.maxDelay
	if n < 20 {
		limit = min(limit, c.backoff<<n)
	}
	return time.Duration(c.jitter() * float64(limit))
}
