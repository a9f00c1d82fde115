package api

import (
	"net/http"
	"slices"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants/admin"
)

// Codes that are answered before a use case is reached.
const (
	codeInvalidQuery     sessions.Code = "invalid_query"
	codeUnauthenticated  sessions.Code = "unauthenticated"
	codeHostRefused      sessions.Code = "host_refused"
	codeOriginRefused    sessions.Code = "origin_refused"
	codeMethodNotAllowed sessions.Code = "method_not_allowed"
	codeUnsupportedMedia sessions.Code = "unsupported_media_type"
	codeMalformedBody    sessions.Code = "malformed_body"
	codeInternal         sessions.Code = "internal"
	codeTooManyStreams   sessions.Code = "too_many_streams"
	codeDraining         sessions.Code = "draining"

	codeCertificateRequired sessions.Code = "certificate_required"
	codeRateLimited         sessions.Code = "rate_limited"
	codeQuotaExceeded       sessions.Code = "quota_exceeded"
	codeCSRFRefused         sessions.Code = "csrf_refused"
)

// ProblemKind is what a code means on the wire.
type ProblemKind struct {
	Code      sessions.Code
	Status    int
	Title     string
	Retryable bool // the same request may succeed later; answered with Retry-After
}

// problemKinds is the one table between codes and statuses.
var problemKinds = []ProblemKind{
	{codeInvalidQuery, http.StatusBadRequest, "The query is not valid", false},
	{sessions.CodeBadCursor, http.StatusBadRequest, "The cursor is not one of ours", false},
	{codeUnauthenticated, http.StatusUnauthorized, "A valid key is needed", false},
	{sessions.CodeForbidden, http.StatusForbidden, "The key's roles don't allow this", false},
	{sessions.CodeModeLocked, http.StatusForbidden, "The mode is locked; an admin may change it", false},
	{codeHostRefused, http.StatusForbidden, "The Host header names somebody else", false},
	{codeOriginRefused, http.StatusForbidden, "Pages of other origins can't write here", false},
	{codeCertificateRequired, http.StatusForbidden, "Hosts show a client certificate here", false},
	{codeCSRFRefused, http.StatusForbidden, "A write with a cookie needs its X-CSRF-Token", false},
	{sessions.CodeNotFound, http.StatusNotFound, "There is no such thing", false},
	{codeMethodNotAllowed, http.StatusMethodNotAllowed, "The route doesn't take this method", false},
	{sessions.CodeBatchInProgress, http.StatusConflict, "A batch is open", false},
	{sessions.CodeTurnInProgress, http.StatusConflict, "A turn is open", false},
	{sessions.CodeTurnMismatch, http.StatusConflict, "Another turn is open, or none is any more", false},
	{sessions.CodeTurnEnded, http.StatusConflict, "The turn has ended", false},
	{sessions.CodeBatchIncomplete, http.StatusConflict, "The batch has not ended", false},
	{sessions.CodeResultConflict, http.StatusConflict, "The call has another result already", false},
	{sessions.CodeCallNotDispatched, http.StatusConflict, "The call was not dispatched", false},
	{sessions.CodeCallHeld, http.StatusConflict, "Another host holds the call", false},
	{sessions.CodeCallLate, http.StatusConflict, "The call had ended before its result came", false},
	{sessions.CodeCallNotClaimed, http.StatusConflict, "Nobody has claimed the call", false},
	{sessions.CodeHostFenced, http.StatusConflict, "The host is not the attached one", false},
	{sessions.CodeApprovalAlreadyResolved, http.StatusConflict, "The approval is resolved already", false},
	{sessions.CodeAlreadyVoted, http.StatusConflict, "You have answered the approval already", false},
	{sessions.CodeNotApprover, http.StatusForbidden, "The approval is for others to answer", false},
	{sessions.CodeApprovalStale, http.StatusConflict, "The approval asks about something that changed", false},
	{sessions.CodeApprovalExpired, http.StatusGone, "The approval expired", false},
	{sessions.CodeSessionClosed, http.StatusConflict, "The session is closed", false},
	{sessions.CodePlanModeActive, http.StatusConflict, "Plan mode forbids this change", false},
	{admin.CodeTenantExists, http.StatusConflict, "There is a tenant with this id", false},
	{admin.CodeTenantErasing, http.StatusConflict, "The tenant is being erased", false},
	{admin.CodeTooManyTenants, http.StatusConflict, "There are as many tenants as there may be", false},
	{admin.CodeKeyExists, http.StatusConflict, "There is, or was, a key with this id", false},
	{admin.CodeKeyDead, http.StatusConflict, "The key was revoked or has expired", false},
	{admin.CodeTooManyKeys, http.StatusConflict, "The tenant has as many keys as it may", false},
	{sessions.CodePreconditionFailed, http.StatusPreconditionFailed, "The document has another revision", false},
	{sessions.CodeTooLarge, http.StatusRequestEntityTooLarge, "The request is too large", false},
	{codeUnsupportedMedia, http.StatusUnsupportedMediaType, "The body must be application/json", false},
	{codeMalformedBody, http.StatusUnprocessableEntity, "The body can't be read as JSON", false},
	{sessions.CodeInvalid, http.StatusUnprocessableEntity, "The request is not valid", false},
	{sessions.CodeNoToolCalls, http.StatusUnprocessableEntity, "There are no tool calls", false},
	{sessions.CodeTooManyCalls, http.StatusUnprocessableEntity, "There are too many tool calls", false},
	{sessions.CodeIdempotencyReused, http.StatusUnprocessableEntity, "The idempotency key was used with another body", false},
	{codeRateLimited, http.StatusTooManyRequests, "A limit a minute is used up", true},
	{codeQuotaExceeded, http.StatusTooManyRequests, "A limit is reached", true},
	{codeInternal, http.StatusInternalServerError, "Something is wrong here", false},
	{sessions.CodeUnavailable, http.StatusServiceUnavailable, "The store does not answer", true},
	{sessions.CodeNotReplicated, http.StatusServiceUnavailable, "It is done, but not replicated yet", true},
	{sessions.CodeFull, http.StatusServiceUnavailable, "The store is full", true},
	{sessions.CodeBusy, http.StatusServiceUnavailable, "Too many writers at once", true},
	{codeTooManyStreams, http.StatusServiceUnavailable, "This replica serves as many streams as it may", true},
	{codeDraining, http.StatusServiceUnavailable, "This replica is shutting down", true},
}

var kindsByCode = func() map[sessions.Code]ProblemKind {
	m := make(map[sessions.Code]ProblemKind, len(problemKinds))
	for _, k := range problemKinds {
		m[k.Code] = k
	}
	return m
}()

// ProblemKinds lists every code that the API answers, by status.
func ProblemKinds() []ProblemKind { return slices.Clone(problemKinds) }

// refusal is a problem with a code and one sentence for the client.
func refusal(code sessions.Code, detail string) *sessions.Problem {
	return &sessions.Problem{Code: code, Detail: detail}
}

// invalidField is a refusal of one field of the body, by JSON pointer.
func invalidField(pointer, detail string) *sessions.Problem {
	return &sessions.Problem{
		Code:   sessions.CodeInvalid,
		Detail: count(1, "field"),
		Fields: []sessions.Field{{Path: pointer, Detail: detail}},
	}
}
