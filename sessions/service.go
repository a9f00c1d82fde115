package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// Service is the use cases of sessions.
type Service struct{}

// Idempotency is a request's Idempotency-Key with what it is bound to. The
// zero value means that the caller gave none.
type Idempotency struct {
	Key      string
	Route    string // method and path
	BodyHash [32]byte
}

// Reply is the answer to a POST; Replayed says that it was stored before.
type Reply[T any] struct {
	Value    T
	Replayed bool
}

// Page is a page of a list.
type Page[T any] struct {
	Data       []T     `json:"data"`
	NextCursor *string `json:"next_cursor"`
}

// Spec is the body of POST /v1/sessions; nil fields take their defaults.
type Spec struct {
	Runtime            *scheduler.Runtime `json:"runtime"`
	SDK                *bool              `json:"sdk"`
	Agent              *string            `json:"agent"`
	ParentSessionID    *string            `json:"parent_session_id"`
	ApprovalMode       *permissions.Mode  `json:"approval_mode"`
	ApprovalModeLocked *bool              `json:"approval_mode_locked"`
	Cwd                *string            `json:"cwd"`
	Modules            *struct {
		PlanMode *bool `json:"plan_mode"`
	} `json:"modules"`
	Approvals        *string            `json:"approvals"`
	ApprovalTimeoutS *int               `json:"approval_timeout_s"`
	ClaimTimeoutS    *int               `json:"claim_timeout_s"`
	Tools            []ToolSpec         `json:"tools"`
	Rules            *permissions.Rules `json:"rules"`
	StructuredOutput *StructuredOutput  `json:"structured_output"`
	MaxToolCalls     *int               `json:"max_tool_calls"`
	Loop             *struct {
		IdenticalCalls *int `json:"identical_calls"`
		CallsPerTurn   *int `json:"calls_per_turn"`
	} `json:"loop"`
	Limits *struct {
		ToolOutputChars  *int `json:"tool_output_chars"`
		BatchOutputChars *int `json:"batch_output_chars"`
	} `json:"limits"`
	Labels   map[string]string `json:"labels"`
	IdleTTLS *int              `json:"idle_ttl_s"`
}

// ToolSpec is a tool declaration as it is sent; nil fields take their defaults.
type ToolSpec struct {
	Name           string                `json:"name"`
	Description    string                `json:"description"`
	Aliases        []string              `json:"aliases"`
	Kind           *permissions.Kind     `json:"kind"`
	ReadOnly       bool                  `json:"read_only"`
	InputSchema    json.RawMessage       `json:"input_schema"`
	Agent          bool                  `json:"agent"`
	TimeoutS       *int                  `json:"timeout_s"`
	MaxOutputChars *OutputLimit          `json:"max_output_chars"`
	Subjects       *permissions.Subjects `json:"subjects"`
}

// Submission is the body of POST …/batches, read by the format's parser.
type Submission struct {
	TurnID     *string
	HostID     *string
	ResponseID *string
	Format     string          // native, anthropic, …
	Message    json.RawMessage // as it came; nil for native
	Calls      []scheduler.Input
}

// ClaimRequest is the body of POST …/claims.
type ClaimRequest struct {
	HostID    string
	CallIDs   []string
	Positions []int
}

// HostResult is one result that a host reports.
type HostResult struct {
	CallID   *string // its first position
	Position *int
	Status   scheduler.Status // success or error
	Output   string
	Error    *string // message
}

// Report is the body of POST …/results.
type Report struct {
	HostID  *string
	Results []HostResult
}

// Response is the body of POST …/respond.
type Response struct {
	OptionID   string
	Feedback   *string
	PlanSHA256 *string
}

// PlanPatch is the body of PATCH …/plan; exactly one of Append and Text.
type PlanPatch struct {
	Append  *string
	Text    *string
	IfMatch *int64
}

// SessionFilter narrows a list of sessions.
type SessionFilter struct {
	Status string // active, closed; empty: any
	Label  string // key or key=value
	Parent string
	Limit  int
	Cursor string
}

// ApprovalFilter narrows a list of approvals.
type ApprovalFilter struct {
	Status    string
	SessionID string
	Limit     int
	Cursor    string
}

// FollowUp is what next-request is rendered from.
type FollowUp struct {
	Batch   Batch
	Message json.RawMessage
	Custom  []bool // per position: a custom tool call
	Notices []string
}

// Field is one thing that is wrong with a request.
type Field struct {
	Path   string // JSON pointer or parameter name
	Detail string
}

// Problem is a refusal with the code that the API answers.
type Problem struct {
	Code   Code
	Detail string         // for the client; no values of other tenants, no secrets
	Fields []Field        // for CodeInvalid
	Extra  map[string]any // further members of the problem document
}

// Error is the problem in one line.
func (p *Problem) Error() string { return string(p.Code) + ": " + p.Detail }

// Code is a problem code of the API.
type Code string

// The codes that use cases answer; api/problems.go maps each to its status.
const (
	CodeNotFound                Code = "not_found"                 // 404
	CodeForbidden               Code = "forbidden"                 // 403
	CodeModeLocked              Code = "mode_locked"               // 403
	CodeInvalid                 Code = "invalid_request"           // 422
	CodeBadCursor               Code = "invalid_cursor"            // 400
	CodeNoToolCalls             Code = "no_tool_calls"             // 422
	CodeTooManyCalls            Code = "too_many_calls"            // 422
	CodeBatchInProgress         Code = "batch_in_progress"         // 409
	CodeBatchIncomplete         Code = "batch_incomplete"          // 409
	CodeResultConflict          Code = "result_conflict"           // 409
	CodeCallNotDispatched       Code = "call_not_dispatched"       // 409
	CodeCallHeld                Code = "call_held"                 // 409
	CodeCallLate                Code = "call_late"                 // 409
	CodeApprovalAlreadyResolved Code = "approval_already_resolved" // 409
	CodeApprovalStale           Code = "approval_stale"            // 409
	CodeApprovalExpired         Code = "approval_expired"          // 410
	CodeSessionClosed           Code = "session_closed"            // 409
	CodePlanModeActive          Code = "plan_mode_active"          // 409
	CodePreconditionFailed      Code = "precondition_failed"       // 412
	CodeIdempotencyReused       Code = "idempotency_key_reused"    // 422
	CodeTooLarge                Code = "too_large"                 // 413
	CodeUnavailable             Code = "store_unavailable"         // 503, retryable
	CodeFull                    Code = "store_full"                // 503, retryable
	CodeBusy                    Code = "conflict_retry"            // 503, retryable: lost too many races
)

var errPending = errors.New("pending")

// Create makes a session.
func (s *Service) Create(ctx context.Context, c tenants.Caller, idem Idempotency, spec Spec) (Reply[Session], error) {
	return Reply[Session]{}, errPending
}

// Get is the session document.
func (s *Service) Get(ctx context.Context, c tenants.Caller, sid string) (Session, error) {
	return Session{}, errPending
}

// List is the tenant's sessions, newest first.
func (s *Service) List(ctx context.Context, c tenants.Caller, f SessionFilter) (Page[Session], error) {
	return Page[Session]{}, errPending
}

// SetLabels replaces the labels.
func (s *Service) SetLabels(ctx context.Context, c tenants.Caller, sid string, labels map[string]string) (Session, error) {
	return Session{}, errPending
}

// Close ends a session and its descendants.
func (s *Service) Close(ctx context.Context, c tenants.Caller, sid string) error { return errPending }

// Tools is the registry as the model should be told: declared tools and the
// gateway's own, with the revision.
func (s *Service) Tools(ctx context.Context, c tenants.Caller, sid string) (ToolSet, int64, error) {
	return nil, 0, errPending
}

// SetTools replaces the declarations.
func (s *Service) SetTools(ctx context.Context, c tenants.Caller, sid string, tools []ToolSpec) (Session, error) {
	return Session{}, errPending
}

// SetRules replaces the session's rules.
func (s *Service) SetRules(ctx context.Context, c tenants.Caller, sid string, r permissions.Rules) (Session, error) {
	return Session{}, errPending
}

// SetMode is a person's change of the approval mode.
func (s *Service) SetMode(ctx context.Context, c tenants.Caller, sid string, m permissions.Mode) (Session, error) {
	return Session{}, errPending
}

// Plan is the plan with the reminder.
func (s *Service) Plan(ctx context.Context, c tenants.Caller, sid string) (Plan, error) {
	return Plan{}, errPending
}

// PatchPlan appends to or replaces the plan's text.
func (s *Service) PatchPlan(ctx context.Context, c tenants.Caller, sid string, p PlanPatch) (Plan, error) {
	return Plan{}, errPending
}

// Grants is what the session remembers to allow.
func (s *Service) Grants(ctx context.Context, c tenants.Caller, sid string) ([]Grant, error) {
	return nil, errPending
}

// RevokeGrants forgets one grant, or all with an empty id.
func (s *Service) RevokeGrants(ctx context.Context, c tenants.Caller, sid, grantID string) error {
	return errPending
}

// Submit takes the calls of one model response.
func (s *Service) Submit(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, in Submission) (Reply[Batch], error) {
	return Reply[Batch]{}, errPending
}

// Batches is the session's batches, newest first.
func (s *Service) Batches(ctx context.Context, c tenants.Caller, sid string, limit int, cursor string) (Page[Batch], error) {
	return Page[Batch]{}, errPending
}

// Batch is one batch; wait (at most 60 s) lets it end first.
func (s *Service) Batch(ctx context.Context, c tenants.Caller, sid, bid string, wait time.Duration) (Batch, error) {
	return Batch{}, errPending
}

// Claim takes dispatched calls for a host.
func (s *Service) Claim(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string, r ClaimRequest) (Reply[[]Claim], error) {
	return Reply[[]Claim]{}, errPending
}

// Report takes results from a host, all or none.
func (s *Service) Report(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string, r Report) (Reply[Batch], error) {
	return Reply[Batch]{}, errPending
}

// Abort cancels what of a batch is not terminal.
func (s *Service) Abort(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string) (Reply[Batch], error) {
	return Reply[Batch]{}, errPending
}

// FollowUp is a terminal batch with all that its next request needs.
func (s *Service) FollowUp(ctx context.Context, c tenants.Caller, sid, bid string) (FollowUp, error) {
	return FollowUp{}, errPending
}

// Approvals is the tenant's inbox, oldest first.
func (s *Service) Approvals(ctx context.Context, c tenants.Caller, f ApprovalFilter) (Page[Approval], error) {
	return Page[Approval]{}, errPending
}

// Approval is one approval.
func (s *Service) Approval(ctx context.Context, c tenants.Caller, aid string) (Approval, error) {
	return Approval{}, errPending
}

// Respond answers an approval.
func (s *Service) Respond(ctx context.Context, c tenants.Caller, idem Idempotency, aid string, r Response) (Reply[Approval], error) {
	return Reply[Approval]{}, errPending
}

// Output is a page of a stored output. limit 0 takes the default.
func (s *Service) Output(ctx context.Context, c tenants.Caller, sid, ref string, offset, limit int) (OutputPage, error) {
	return OutputPage{}, errPending
}

// Transcript yields the session's terminal batches, oldest first.
func (s *Service) Transcript(ctx context.Context, c tenants.Caller, sid string, yield func(TranscriptLine) error) error {
	return errPending
}

// Topic is the session's event log, after the caller's right to it was checked.
func (s *Service) Topic(ctx context.Context, c tenants.Caller, sid string) (stream.Topic, error) {
	return stream.Topic{}, errPending
}
