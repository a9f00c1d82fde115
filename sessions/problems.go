package sessions

import (
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/sessions/store"
)

// maxFields is how many faults of one request are named.
const maxFields = 32

// fields collects what is wrong with a request.
type fields []Field

func (f *fields) add(path, format string, args ...any) {
	if len(*f) < maxFields {
		*f = append(*f, Field{Path: path, Detail: fmt.Sprintf(format, args...)})
	}
}

func (f fields) any() bool { return len(f) > 0 }

// problem is nil when nothing is wrong.
func (f fields) problem() *Problem {
	if !f.any() {
		return nil
	}
	return &Problem{Code: CodeInvalid, Detail: "the request has invalid values", Fields: f}
}

func refuse(code Code, format string, args ...any) *Problem {
	return &Problem{Code: code, Detail: fmt.Sprintf(format, args...)}
}

func (p *Problem) with(name string, value any) *Problem {
	if p.Extra == nil {
		p.Extra = map[string]any{}
	}
	p.Extra[name] = value
	return p
}

// errNotFound is the same for what never was, what is gone and what is another
// tenant's.
func errNotFound(what string) *Problem { return refuse(CodeNotFound, "no such %s", what) }

// errKeyReused: a key stands for one request.
func errKeyReused() *Problem {
	return refuse(CodeIdempotencyReused, "this Idempotency-Key was used with another body")
}

// ruleProblem names the rules that are malformed.
func ruleProblem(at string, err error) *Problem {
	if err == nil {
		return nil
	}
	var wrong fields
	var list *permissions.RuleErrors
	if !errors.As(err, &list) {
		wrong.add(at, "%s", err)
		return wrong.problem()
	}
	for _, e := range *list {
		wrong.add(fmt.Sprintf("%s/%s/%d", at, e.Tier, e.Index), "%s", e.Problem)
	}
	return wrong.problem()
}

// storeProblem is what a caller is told of the store's errors; others pass.
func storeProblem(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrFull):
		return refuse(CodeFull, "the store is full; nothing new is taken on")
	case errors.Is(err, store.ErrPosition):
		return errBadCursor()
	case errors.Is(err, store.ErrNotFound):
		return errNotFound("session")
	case errors.Is(err, store.ErrNotReplicated):
		return &storeError{err, refuse(CodeNotReplicated, "it is done, but too few replicas of the store have it yet; "+
			"repeat the request with the same Idempotency-Key")}
	case errors.Is(err, store.ErrNewerSchema):
		return &storeError{err, refuse(CodeUnavailable, "a newer build of the gateway wrote this session; "+
			"a replica of that build takes the request")}
	case errors.Is(err, store.ErrUnavailable), errors.Is(err, store.ErrClockSkew):
		return &storeError{err, refuse(CodeUnavailable, "the store does not answer; nothing was acknowledged")}
	default:
		return err
	}
}

// storeError tells the client that the store fails, and the log why.
type storeError struct {
	cause error
	told  *Problem
}

func (e *storeError) Error() string { return e.cause.Error() }

// Unwrap gives the cause and what a client is told of it.
func (e *storeError) Unwrap() []error {
	return []error{e.cause, e.told}
}

// isClosed says that a session takes no more commands.
func isClosed(err error) bool {
	var p *Problem
	return errors.As(err, &p) && p.Code == CodeSessionClosed
}

func isNotFound(err error) bool {
	var p *Problem
	return errors.As(err, &p) && p.Code == CodeNotFound
}
