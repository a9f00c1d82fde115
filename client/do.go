package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"
)

// maxAnswerBytes bounds an answer: a batch with its results at their limits.
const maxAnswerBytes = 1 << 30

// request is one call of the API.
type request struct {
	method string
	path   []string // segments below /v1
	query  url.Values
	body   any
	key    string // Idempotency-Key; made up for a POST without one
	header http.Header
}

type idempotencyKey struct{}

// WithIdempotencyKey makes the POSTs of ctx carry a key of the caller's own, so
// that a process that starts again can repeat what it may have done before.
func WithIdempotencyKey(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, key)
}

// call sends a request, repeats it where that is safe, and decodes the answer.
func call[T any](ctx context.Context, c *Client, r request) (T, error) {
	var out T
	err := c.retry(ctx, r, func(resp *http.Response) error {
		if resp.StatusCode == http.StatusNoContent {
			return nil
		}
		return json.NewDecoder(io.LimitReader(resp.Body, maxAnswerBytes)).Decode(&out)
	})
	return out, err
}

// retry sends a request until it is answered for good.
func (c *Client) retry(ctx context.Context, r request, read func(*http.Response) error) error {
	body, err := r.prepare(ctx)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		wait, err := c.once(ctx, r, body, read)
		if err == nil || n+1 >= c.attempts || wait < 0 {
			return err
		}
		if wait == 0 {
			wait = c.pause(n)
		}
		if sleep(ctx, wait) != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

// prepare encodes the body and settles the idempotency key.
func (r *request) prepare(ctx context.Context) ([]byte, error) {
	if r.method == http.MethodPost && r.key == "" {
		r.key = ulid.Make().String()
		if own, ok := ctx.Value(idempotencyKey{}).(string); ok {
			r.key = own
		}
	}
	if r.body == nil {
		return nil, nil
	}
	var buf bytes.Buffer
	e := json.NewEncoder(&buf)
	e.SetEscapeHTML(false)
	if err := e.Encode(r.body); err != nil {
		return nil, fmt.Errorf("encode request: %w", err)
	}
	return buf.Bytes(), nil
}

// final says that repeating a request would not help or would not be safe.
const final = time.Duration(-1)

// once sends a request. Beside an error it says how long to wait before the
// next try; 0 leaves that to the backoff.
func (c *Client) once(ctx context.Context, r request, body []byte, read func(*http.Response) error) (time.Duration, error) {
	req, err := c.newRequest(ctx, r, body)
	if err != nil {
		return final, err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		c.moveOn()
		return r.again(ctx), fmt.Errorf("%s %s: %w", r.method, req.URL.Path, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= http.StatusMultipleChoices {
		err := readProblem(resp)
		var p *ProblemError
		if !errors.As(err, &p) || !p.Problem.Retryable && resp.StatusCode != http.StatusTooManyRequests {
			return final, err
		}
		if r.method == http.MethodPatch { // it may stand although it was not confirmed
			return final, err
		}
		c.moveOn()
		return retryAfter(resp), err
	}
	if err := read(resp); err != nil {
		return r.again(ctx), fmt.Errorf("%s %s: read answer: %w", r.method, req.URL.Path, err)
	}
	return 0, nil
}

// again says whether a request whose outcome is not known may be repeated:
// reads, what carries a key, and a PUT, which replaces the whole. A PATCH may
// not: a paragraph would be appended twice.
func (r *request) again(ctx context.Context) time.Duration {
	if ctx.Err() != nil || r.method == http.MethodPatch {
		return final
	}
	return 0
}

func retryAfter(resp *http.Response) time.Duration {
	s, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if err != nil || s <= 0 {
		return 0
	}
	return time.Duration(s) * time.Second
}

func (c *Client) newRequest(ctx context.Context, r request, body []byte) (*http.Request, error) {
	u := c.base().JoinPath(append([]string{"v1"}, r.path...)...)
	u.RawQuery = r.query.Encode()
	req, err := http.NewRequestWithContext(ctx, r.method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	maps.Copy(req.Header, r.header)
	req.Header.Set("Authorization", "Bearer "+c.key)
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	return req, nil
}

// sleep waits, or ends with the context.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
