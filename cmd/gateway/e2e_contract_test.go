package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/session-gateway/gateway/internal/apitest"
)

// judged is a line on which every answer is held against openapi.yaml. One
// that doesn't fit fails the request.
type judged struct {
	next     *http.Transport
	contract *apitest.Contract
}

// RoundTrip sends a request. Streams are judged by who reads them.
func (j judged) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := j.next.RoundTrip(req)
	if err != nil || res.Header.Get("Content-Type") == "text/event-stream" {
		return res, err
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	if err := j.contract.CheckAnswer(req, res.StatusCode, res.Header, body); err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(body))
	return res, nil
}
