package sessions

import (
	"encoding/json"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

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
	PlanShell        *tenants.PlanShell `json:"plan_shell"`
	Approvals        *string            `json:"approvals"`
	Approvers        *tenants.Approvers `json:"approvers"`
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
	Fence      *int64 // of HostID's lease
	ResponseID *string
	Format     string          // native, anthropic, …
	Message    json.RawMessage // as it came; nil for native
	Calls      []scheduler.Input
	// RuntimeView is a JSON document for whoever runs the calls; empty: none.
	RuntimeView string
	Trace       string // set by Submit
}

// ClaimRequest is the body of POST …/claims.
type ClaimRequest struct {
	HostID    string
	Fence     *int64
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
	Fence   *int64
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
	CodeTurnInProgress          Code = "turn_in_progress"          // 409
	CodeTurnMismatch            Code = "turn_mismatch"             // 409
	CodeTurnEnded               Code = "turn_ended"                // 409
	CodeBatchIncomplete         Code = "batch_incomplete"          // 409
	CodeResultConflict          Code = "result_conflict"           // 409
	CodeCallNotDispatched       Code = "call_not_dispatched"       // 409
	CodeCallHeld                Code = "call_held"                 // 409
	CodeCallLate                Code = "call_late"                 // 409
	CodeCallNotClaimed          Code = "call_not_claimed"          // 409
	CodeHostFenced              Code = "host_fenced"               // 409
	CodeApprovalAlreadyResolved Code = "approval_already_resolved" // 409
	CodeAlreadyVoted            Code = "already_voted"             // 409
	CodeNotApprover             Code = "not_an_approver"           // 403
	CodeApprovalStale           Code = "approval_stale"            // 409
	CodeApprovalExpired         Code = "approval_expired"          // 410
	CodeSessionClosed           Code = "session_closed"            // 409
	CodePlanModeActive          Code = "plan_mode_active"          // 409
	CodePreconditionFailed      Code = "precondition_failed"       // 412
	CodeIdempotencyReused       Code = "idempotency_key_reused"    // 422
	CodeTooLarge                Code = "too_large"                 // 413
	CodeUnavailable             Code = "store_unavailable"         // 503, retryable
	CodeNotReplicated           Code = "not_replicated"            // 503, retryable: it is done
	CodeFull                    Code = "store_full"                // 503, retryable
	CodeBusy                    Code = "conflict_retry"            // 503, retryable: lost too many races
)
