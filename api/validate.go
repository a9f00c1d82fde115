package api

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/go-chi/chi/v5"

	"github.com/session-gateway/gateway/sessions"
)

const (
	// maxErrors bounds how many wrong fields one problem names; a client that
	// has more of them is told so by the count in the detail.
	maxErrors = 32
	// maxDetail bounds what is said of one field.
	maxDetail = 512
)

// validate checks a request against the contract. The body that handlers read
// stays as it came; nothing is defaulted or written anew.
func (s *server) validate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.conforms(r); err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (s *server) conforms(r *http.Request) error {
	op := requestOf(r.Context()).operation
	query, err := queryValues(r, op)
	if err != nil {
		return err
	}
	probe, err := probeOf(r, op)
	if err != nil {
		return err
	}
	requestOf(r.Context()).query = query
	err = openapi3filter.ValidateRequest(r.Context(), &openapi3filter.RequestValidationInput{
		Request:     probe,
		PathParams:  pathParams(r),
		QueryParams: query,
		Route:       op.route,
		Options: &openapi3filter.Options{
			MultiError:          true,
			SkipSettingDefaults: true,
			ExcludeRequestBody:  op.readsBody,
			AuthenticationFunc:  openapi3filter.NoopAuthenticationFunc,
		},
	})
	if err != nil {
		return refusalOf(op, err)
	}
	return nil
}

// queryValues refuses parameters that don't exist: one that is misspelled would
// silently filter nothing.
func queryValues(r *http.Request, op *operation) (url.Values, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return nil, refusal(codeInvalidQuery, "The query string can't be read.")
	}
	var fields []sessions.Field
	for name, values := range query {
		switch {
		case !op.query[name]:
			fields = append(fields, sessions.Field{Path: pointerless(name), Detail: "is not a parameter of this route"})
		case len(values) > 1:
			fields = append(fields, sessions.Field{Path: name, Detail: "appears twice"})
		}
	}
	if len(fields) > 0 {
		return nil, invalidQuery(fields)
	}
	return query, nil
}

// pointerless is a name from a query string, fit to be told back.
func pointerless(name string) string { return pointer(name)[1:] }

// probeOf is the request as the validator sees it: its opaque parts emptied.
func probeOf(r *http.Request, op *operation) (*http.Request, error) {
	if op.route.Operation.RequestBody == nil || r.ContentLength == 0 || op.readsBody {
		return r, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	bones, err := skeleton(body, op.opaque)
	if err != nil {
		return nil, err
	}
	requestOf(r.Context()).bones = bones
	probe := r.Clone(r.Context())
	probe.Body = io.NopCloser(bytes.NewReader(bones))
	probe.ContentLength = int64(len(bones))
	return probe, nil
}

func pathParams(r *http.Request) map[string]string {
	params := chi.RouteContext(r.Context()).URLParams
	m := make(map[string]string, len(params.Keys))
	for i, key := range params.Keys {
		m[key] = params.Values[i]
	}
	return m
}

func invalidQuery(fields []sessions.Field) error {
	fields = byPath(fields)
	return &sessions.Problem{Code: codeInvalidQuery, Detail: count(len(fields), "parameter"), Fields: first(fields)}
}

func invalidFields(fields []sessions.Field) error {
	fields = byPath(fields)
	return &sessions.Problem{Code: sessions.CodeInvalid, Detail: count(len(fields), "field"), Fields: first(fields)}
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " is not valid."
	}
	return strconv.Itoa(n) + " " + noun + "s are not valid."
}

// byPath gives each field one entry, in an order that is the same for the same
// request.
func byPath(fields []sessions.Field) []sessions.Field {
	slices.SortStableFunc(fields, func(a, b sessions.Field) int { return strings.Compare(a.Path, b.Path) })
	var out []sessions.Field
	for _, f := range fields {
		if last := len(out) - 1; last < 0 || out[last].Path != f.Path {
			out = append(out, f)
		} else if len(out[last].Detail) < maxDetail {
			out[last].Detail += "; " + f.Detail
		}
	}
	return out
}

func first(fields []sessions.Field) []sessions.Field { return fields[:min(len(fields), maxErrors)] }
