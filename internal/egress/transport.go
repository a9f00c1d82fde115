package egress

import (
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Why a request or its answer is refused, beside ErrForbidden.
var (
	ErrScheme   = errors.New("address is neither https nor http")
	ErrTooLarge = errors.New("answer is larger than its limit")
)

// transport sends each request over the connections of its scheme and bounds
// the answer.
type transport struct {
	secure, plain *http.Transport
	maxBody       int64
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	over, err := t.over(r)
	if err != nil {
		return nil, err
	}
	answer, err := over.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &bounded{ReadCloser: answer.Body, left: t.maxBody}
	return answer, nil
}

func (t *transport) over(r *http.Request) (*http.Transport, error) {
	switch r.URL.Scheme {
	case "https":
		return t.secure, nil
	case "http":
		return t.plain, nil
	}
	if r.Body != nil {
		_ = r.Body.Close() // a RoundTripper closes it whatever happens
	}
	return nil, fmt.Errorf("send by %q: %w", r.URL.Scheme, ErrScheme)
}

// CloseIdleConnections is what http.Client's calls.
func (t *transport) CloseIdleConnections() {
	t.secure.CloseIdleConnections()
	t.plain.CloseIdleConnections()
}

// bounded is a body that ends in ErrTooLarge where it would go on beyond its
// limit: a cut answer must not be taken for a whole one.
type bounded struct {
	io.ReadCloser
	left int64 // below 0: there was more
}

// Read implements io.Reader.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, ErrTooLarge
	}
	if int64(len(p)) > b.left+1 { // one more than allowed, to see whether there is more
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n - 1, ErrTooLarge
	}
	return n, err
}
