package api

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"strconv"

	"github.com/session-gateway/gateway/sessions"
)

// The codes of JSON-RPC itself.
const (
	rpcParseError     = -32700
	rpcInvalidRequest = -32600
	rpcMethodNotFound = -32601
	rpcInvalidParams  = -32602
	rpcInternal       = -32603
)

// rpcRefused stands for a problem that has no code of its own.
const rpcRefused = -32000

// rpcCodes are the codes of problems; docs/rpc.md lists them.
var rpcCodes = map[sessions.Code]int{
	sessions.CodeNotFound:                -32001,
	sessions.CodeApprovalAlreadyResolved: -32002,
	sessions.CodeApprovalStale:           -32003,
	sessions.CodeApprovalExpired:         -32004,
	sessions.CodeForbidden:               -32005,
	sessions.CodeModeLocked:              -32005,
	sessions.CodeNotApprover:             -32005,
	sessions.CodeAlreadyVoted:            -32008,
	sessions.CodeSessionClosed:           -32006,
	sessions.CodeIdempotencyReused:       -32007,
	sessions.CodeUnavailable:             -32010,
	sessions.CodeNotReplicated:           -32010,
	sessions.CodeFull:                    -32010,
	sessions.CodeBusy:                    -32010,
	sessions.CodeInvalid:                 rpcInvalidParams,
	sessions.CodeBadCursor:               rpcInvalidParams,
	sessions.CodeTooLarge:                rpcInvalidParams,
	codeRateLimited:                      -32011,
	codeQuotaExceeded:                    -32011,
	codeInternal:                         rpcInternal,
}

// rpcError is the error of a JSON-RPC response.
type rpcError struct {
	Code    int            `json:"code"`
	Message string         `json:"message"`
	Data    map[string]any `json:"data,omitempty"`
}

// Error is the message; errors of JSON-RPC itself pass through use cases' way.
func (e *rpcError) Error() string { return e.Message }

func rpcRefusal(code int, message string) *rpcError { return &rpcError{Code: code, Message: message} }

// unreadableRPC tells a body that is no JSON from one that is too much.
func unreadableRPC(err error) *rpcError {
	if p := problemOf(err); p.Code != codeMalformedBody {
		return rpcRefusal(rpcInvalidRequest, p.Detail)
	}
	return rpcRefusal(rpcParseError, "The body can't be read as JSON")
}

// rpcErrorOf is a use case's error: the code says what kind it is, data holds
// what the HTTP problem would, and when to come back, which of a list's answer
// the header can say once only.
func (s *server) rpcErrorOf(ctx context.Context, h http.Header, err error) *rpcError {
	if own, ok := errors.AsType[*rpcError](err); ok {
		return own
	}
	p := problemOf(err)
	kind, known := kindsByCode[p.Code]
	if !known {
		p, kind = internalProblem(), kindsByCode[codeInternal]
	}
	s.noteFailure(ctx, kind, err)
	requestOf(ctx).tell(kind.Code)
	code, own := rpcCodes[kind.Code]
	if !own {
		code = rpcRefused
	}
	data := rpcData(kind, p, requestOf(ctx).id)
	if kind.Retryable {
		data["retry_after"] = retryAfterOf(err)
		h.Set("Retry-After", strconv.Itoa(retryAfterOf(err)))
	}
	return &rpcError{Code: code, Message: kind.Title, Data: data}
}

// rpcData is a problem document without what JSON-RPC says elsewhere.
func rpcData(kind ProblemKind, p *sessions.Problem, requestID string) map[string]any {
	data := document(kind, p, requestID)
	maps.DeleteFunc(data, func(name string, _ any) bool {
		return name == "type" || name == "title" || name == "status"
	})
	return data
}
