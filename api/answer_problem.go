package api

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"strconv"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/stream"
)

const (
	// problemType is the prefix of a problem's type; the code follows.
	problemType = "urn:session-gateway:problem:"
	// retryAfter is how long a client is asked to wait after a retryable
	// problem: long enough for a failover to get somewhere, short for a person.
	retryAfter = 2
)

type problemField struct {
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

// fail answers err as a problem. Errors that are not refusals are logged here,
// once, and the client learns no more than the request's id. An answer that has
// begun can only be cut off.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if begun(w) {
		s.log.LogAttrs(r.Context(), slog.LevelInfo, "answer broke off",
			slog.String("request_id", requestOf(r.Context()).id), slog.Any("error", err))
		panic(http.ErrAbortHandler)
	}
	p := problemOf(err)
	kind, known := kindsByCode[p.Code]
	if !known {
		p, kind = internalProblem(), kindsByCode[codeInternal]
	}
	s.noteFailure(r.Context(), kind, err)
	if kind.Retryable {
		w.Header().Set("Retry-After", strconv.Itoa(retryAfterOf(err)))
	}
	s.writeProblem(w, r, kind, p)
}

// noteFailure logs what was not the client's fault. What will pass by itself,
// as an outage does, is a warning and tells the same with each request; the rest
// are mistakes.
func (s *server) noteFailure(ctx context.Context, kind ProblemKind, err error) {
	if kind.Status < http.StatusInternalServerError || ctx.Err() != nil {
		return
	}
	level, message := slog.LevelError, "request failed"
	if kind.Retryable {
		level, message = slog.LevelWarn, "request refused for a while"
	}
	s.log.LogAttrs(ctx, level, message, slog.String("request_id", requestOf(ctx).id), //nolint:sloglint // one of two constants
		slog.String("code", string(kind.Code)), slog.Any("error", err))
}

// problemOf finds the refusal in err; everything else is internal.
func problemOf(err error) *sessions.Problem {
	var p *sessions.Problem
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &p):
		return p
	case errors.As(err, &tooLarge):
		return refusal(sessions.CodeTooLarge, "The body is over "+strconv.FormatInt(tooLarge.Limit, 10)+" bytes.")
	case errors.Is(err, stream.ErrBadCursor):
		return refusal(sessions.CodeBadCursor, "The cursor must be an event's id, 0-00000000 or latest.")
	case errors.Is(err, stream.ErrBusy):
		return refusal(codeTooManyStreams, "Come back in a moment, with the same cursor.")
	case errors.Is(err, stream.ErrDraining):
		return refusal(codeDraining, "Come back in a moment, with the same cursor; another replica will answer.")
	case errors.Is(err, stream.ErrNoLog):
		return refusal(sessions.CodeNotFound, "There is no such session.")
	case errors.Is(err, stream.ErrUnreadable):
		return refusal(sessions.CodeUnavailable, "Come back in a moment, with the same cursor.")
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return refusal(sessions.CodeUnavailable, "The request was given up before it was answered.")
	}
	return internalProblem()
}

func internalProblem() *sessions.Problem {
	return refusal(codeInternal, "The request failed; the log has more under its request id.")
}

// document is the problem's JSON: a refusal's further members never replace
// those of the standard.
func document(kind ProblemKind, p *sessions.Problem, requestID string) map[string]any {
	doc := make(map[string]any, len(p.Extra)+8)
	maps.Copy(doc, p.Extra)
	doc["type"] = problemType + string(kind.Code)
	doc["title"] = kind.Title
	doc["status"] = kind.Status
	doc["detail"] = p.Detail
	doc["code"] = kind.Code
	doc["request_id"] = requestID
	doc["retryable"] = kind.Retryable
	if fields := problemFields(p.Fields); len(fields) > 0 {
		doc["errors"] = fields
	}
	return doc
}

func problemFields(fields []sessions.Field) []problemField {
	out := make([]problemField, 0, len(fields))
	for _, f := range fields {
		out = append(out, problemField{Field: f.Path, Detail: f.Detail})
	}
	return out
}

func (s *server) writeProblem(w http.ResponseWriter, r *http.Request, kind ProblemKind, p *sessions.Problem) {
	requestOf(r.Context()).tell(kind.Code)
	body, err := json.Marshal(document(kind, p, requestOf(r.Context()).id))
	if err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelError, "encode problem", slog.Any("error", err))
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/problem+json")
	if kind.Status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="session gateway"`)
	}
	w.WriteHeader(kind.Status)
	if _, err := w.Write(body); err != nil {
		s.log.LogAttrs(r.Context(), slog.LevelDebug, "client left before its problem was written", slog.Any("error", err))
	}
}
