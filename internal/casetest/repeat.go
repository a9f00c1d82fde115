package casetest

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// ErrNotReplayed says that a repeated request was not answered as the first.
var ErrNotReplayed = errors.New("the repeated request was not answered as the first")

// Repeating sends every POST twice, as a client does that lost the answer, and
// fails when the second answer is not the first one, marked as replayed.
type Repeating struct{ Next http.RoundTripper }

// RoundTrip sends the request.
func (r Repeating) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodPost {
		return r.Next.RoundTrip(req)
	}
	again := req.Clone(req.Context())
	key := rand.Text()
	req = req.Clone(req.Context())
	req.Header.Set("Idempotency-Key", key)
	again.Header.Set("Idempotency-Key", key)
	var err error
	if again.Body, err = req.GetBody(); err != nil {
		return nil, fmt.Errorf("repeat request: %w", err)
	}
	first, body, err := r.send(req)
	if err != nil {
		return nil, err
	}
	second, repeated, err := r.send(again)
	if err != nil {
		return nil, err
	}
	if first.StatusCode < http.StatusBadRequest &&
		(second.StatusCode != first.StatusCode || !bytes.Equal(body, repeated) || second.Header.Get("Idempotency-Replayed") != "true") {
		return nil, fmt.Errorf("%w: %d %s, then %d %s", ErrNotReplayed, first.StatusCode, body, second.StatusCode, repeated)
	}
	return first, nil
}

// send reads the answer to its end, so that it can be compared.
func (r Repeating) send(req *http.Request) (*http.Response, []byte, error) {
	res, err := r.Next.RoundTrip(req)
	if err != nil {
		return nil, nil, err
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, nil, fmt.Errorf("read answer: %w", err)
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, body, nil
}

// CloseIdleConnections lets go of connections that nobody uses.
func (r Repeating) CloseIdleConnections() {
	if t, ok := r.Next.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}
