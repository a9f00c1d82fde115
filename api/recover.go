package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// tracked is a response writer that knows whether the answer has begun.
type tracked struct {
	http.ResponseWriter
	begun  bool
	status int // of the answer, once it has begun
}

// WriteHeader notes that the answer begins.
func (t *tracked) WriteHeader(status int) {
	t.begin(status)
	t.ResponseWriter.WriteHeader(status)
}

// Write notes that the answer begins.
func (t *tracked) Write(p []byte) (int, error) {
	t.begin(http.StatusOK)
	return t.ResponseWriter.Write(p)
}

func (t *tracked) begin(status int) {
	if !t.begun {
		t.begun, t.status = true, status
	}
}

// Unwrap lets http.ResponseController flush and set deadlines.
func (t *tracked) Unwrap() http.ResponseWriter { return t.ResponseWriter }

// begun says whether it is too late for a problem.
func begun(w http.ResponseWriter) bool {
	t, ok := w.(*tracked)
	return ok && t.begun
}

// unwrap is the server's own writer, which closes the connection when it is
// told that a body is too large.
func unwrap(w http.ResponseWriter) http.ResponseWriter {
	if t, ok := w.(*tracked); ok {
		return t.ResponseWriter
	}
	return w
}

// rescue turns a panic into a 500 and a line in the log. A handler that panics
// after its first byte leaves a broken answer; its connection is cut so that
// the client can tell.
func (s *server) rescue(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t := &tracked{ResponseWriter: w}
		r, done := s.attend(t, r) //nolint:contextcheck // it makes the request's from the request's own
		defer done()              // it runs last, when a panic has its answer
		defer s.recovered(t, r)
		next.ServeHTTP(t, r)
	})
}

func (s *server) recovered(t *tracked, r *http.Request) {
	v := recover()
	if v == nil {
		return
	}
	if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(v)
	}
	s.log.LogAttrs(r.Context(), slog.LevelError, "handler panicked",
		slog.String("request_id", requestOf(r.Context()).id),
		slog.String("panic", fmt.Sprint(v)), slog.String("stack", string(debug.Stack())))
	if t.begun {
		panic(http.ErrAbortHandler)
	}
	s.writeProblem(t, r, kindsByCode[codeInternal], internalProblem())
}
