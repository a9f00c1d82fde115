package api

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// rescue turns a panic into a 500 and a line in the log. A handler that panics
// after its first byte leaves a broken answer; its connection is closed so that
// the client can tell.
func (s *server) rescue(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
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
			w.Header().Set("Connection", "close")
			s.writeProblem(w, r, kindsByCode[codeInternal], internalProblem())
		}()
		next.ServeHTTP(w, r)
	})
}
