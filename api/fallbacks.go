package api

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/sessions"
)

func (s *server) noRoute(w http.ResponseWriter, r *http.Request) {
	s.fail(w, r, refusal(sessions.CodeNotFound, "There is no such route."))
}

// noMethod answers 405 with the methods that the path takes.
func (s *server) noMethod(routes chi.Routes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var allowed []string
		for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE"} {
			if routes.Match(chi.NewRouteContext(), method, r.URL.Path) {
				allowed = append(allowed, method)
			}
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		s.fail(w, r, refusal(codeMethodNotAllowed, "The route takes "+strings.Join(allowed, ", ")+"."))
	}
}

// undecodable answers what passed the contract and still doesn't fit its Go
// type, such as the integer 1e2.
func (s *server) undecodable(w http.ResponseWriter, r *http.Request, err error) {
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		s.fail(w, r, invalidField(pointer(strings.Split(wrong.Field, ".")...), "has a form that is not taken"))
		return
	}
	s.fail(w, r, refusal(sessions.CodeInvalid, "A value has a form that is not taken."))
}
