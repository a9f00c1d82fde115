package api

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/sessions"
)

const (
	// MaxBodyBytes bounds a request: 256 calls with room for a few arguments
	// of the largest size, or two of the largest outputs.
	MaxBodyBytes = 8 << 20
	// MaxArgumentBytes bounds the arguments of one call.
	MaxArgumentBytes = sessions.MaxArgumentBytes
	// MaxOutputBytes bounds the output of one result.
	MaxOutputBytes = sessions.MaxOutputBytes
)

// readBody reads the whole body, bounded in size and time, and remembers its
// hash for the idempotency record. Handlers get exactly the bytes that came.
func (s *server) readBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := receive(w, r)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		// A body may take long to come; who sends it may be nobody by now.
		if q := requestOf(r.Context()); !q.operation.public && !s.auth.StillValid(q.caller) {
			s.fail(w, r, errNobody())
			return
		}
		if err := acceptsMedia(r, len(body)); err != nil {
			s.fail(w, r, err)
			return
		}
		if body, err = emptied(r, body); err != nil {
			s.fail(w, r, err)
			return
		}
		requestOf(r.Context()).bodyHash = sha256.Sum256(body)
		r.Body = http.NoBody
		if len(body) > 0 {
			r.Body = io.NopCloser(bytes.NewReader(body))
		}
		r.ContentLength = int64(len(body))
		next.ServeHTTP(w, r)
	})
}

func receive(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength == 0 { // over HTTP/2 there is a body nevertheless
		return nil, nil
	}
	if err := setReadDeadline(w, time.Now().Add(bodyTimeout)); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(unwrap(w), r.Body, MaxBodyBytes))
	if err != nil {
		return nil, unreadable(err)
	}
	return body, setReadDeadline(w, time.Time{})
}

// unreadable tells a body that is too large from one that broke off.
func unreadable(err error) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return err
	}
	return refusal(codeMalformedBody, "The body broke off.")
}

// emptied is the body as it counts. An operation without one takes {} for
// none, since clients send that; whatever else stands there asks for something
// that would not happen. GET is left alone: there no body means anything.
func emptied(r *http.Request, body []byte) ([]byte, error) {
	if r.Method == http.MethodGet || requestOf(r.Context()).operation.route.Operation.RequestBody != nil {
		return body, nil
	}
	if rest, ok := bytes.CutPrefix(bytes.TrimSpace(body), []byte("{")); ok && string(bytes.TrimSpace(rest)) == "}" {
		return nil, nil
	}
	if len(body) > 0 {
		return nil, invalidField("", "this route takes no body, or {}")
	}
	return nil, nil
}

// acceptsMedia refuses bodies in another form than the contract's.
func acceptsMedia(r *http.Request, size int) error {
	if size == 0 || requestOf(r.Context()).operation.route.Operation.RequestBody == nil {
		return nil
	}
	if encoding := r.Header.Get("Content-Encoding"); encoding != "" && encoding != "identity" {
		return refusal(codeUnsupportedMedia, "Bodies are taken without a content encoding.")
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return refusal(codeUnsupportedMedia, "Send Content-Type: application/json.")
	}
	return nil
}
