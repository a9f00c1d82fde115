package sessions

import (
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// The views are the API form of documents: what routes answer and what events
// carry. Stored forms are separate (stored.go).

// Modules are the switchable parts of a session.
type Modules struct {
	PlanMode bool `json:"plan_mode"`
}

// StructuredOutput is the schema of a structured answer.
type StructuredOutput struct {
	Schema scheduler.RawJSON `json:"schema"`
}

// Loop are the limits of loop detection; 0 disables one.
type Loop struct {
	IdenticalCalls int `json:"identical_calls"`
	CallsPerTurn   int `json:"calls_per_turn"`
}

// Limits are output limits in characters.
type Limits struct {
	ToolOutputChars  int `json:"tool_output_chars"`
	BatchOutputChars int `json:"batch_output_chars"`
}

// PlanState is a session's plan as the session document shows it.
type PlanState struct {
	Active    bool                 `json:"active"`
	Inherited bool                 `json:"inherited"`
	Text      string               `json:"text"`
	Revision  int64                `json:"revision"`
	EnteredBy *string              `json:"entered_by"`
	EnteredAt *scheduler.Timestamp `json:"entered_at"`
}

// Session is the session document. Tools and Rules are left out in events.
type Session struct {
	ID                 string               `json:"id"`
	Tenant             string               `json:"tenant"`
	Status             string               `json:"status"` // active | closed
	Runtime            scheduler.Runtime    `json:"runtime"`
	SDK                bool                 `json:"sdk"`
	Agent              string               `json:"agent"`
	ParentSessionID    *string              `json:"parent_session_id"`
	ApprovalMode       permissions.Mode     `json:"approval_mode"`
	EffectiveMode      permissions.Mode     `json:"effective_mode"`
	ApprovalModeLocked bool                 `json:"approval_mode_locked"`
	PlanShell          *tenants.PlanShell   `json:"plan_shell"` // null: the tenant's
	PreviousMode       *permissions.Mode    `json:"previous_mode"`
	ModeRevision       int64                `json:"mode_revision"`
	Cwd                string               `json:"cwd"`
	Modules            Modules              `json:"modules"`
	Approvals          string               `json:"approvals"` // frontend | none
	Approvers          *tenants.Approvers   `json:"approvers"` // its own policy; the tenant's and those above hold too
	ApprovalTimeoutS   int                  `json:"approval_timeout_s"`
	ClaimTimeoutS      int                  `json:"claim_timeout_s"`
	Tools              *ToolSet             `json:"tools,omitempty"`
	ToolsRevision      int64                `json:"tools_revision"`
	Rules              *permissions.Rules   `json:"rules,omitempty"`
	RulesRevision      int64                `json:"rules_revision"`
	StructuredOutput   *StructuredOutput    `json:"structured_output"`
	MaxToolCalls       *int                 `json:"max_tool_calls"`
	ToolCallsUsed      int                  `json:"tool_calls_used"`
	Loop               Loop                 `json:"loop"`
	Limits             Limits               `json:"limits"`
	Labels             map[string]string    `json:"labels"`
	IdleTTLS           int                  `json:"idle_ttl_s"`
	Plan               PlanState            `json:"plan"`
	OpenTurnID         *string              `json:"open_turn_id"`
	OpenBatchID        *string              `json:"open_batch_id"`
	OpenApprovals      []string             `json:"open_approvals"`
	Hosts              []string             `json:"hosts"`
	LastEventID        *string              `json:"last_event_id,omitempty"`
	CreatedAt          scheduler.Timestamp  `json:"created_at"`
	UpdatedAt          scheduler.Timestamp  `json:"updated_at"`
	ClosedAt           *scheduler.Timestamp `json:"closed_at,omitempty"`
}

// ToolSet is the declared tools, in declaration order.
type ToolSet []ToolDeclaration

// ToolDeclaration is a tool as its session declares it.
type ToolDeclaration struct {
	Name           string                `json:"name"`
	Description    string                `json:"description"`
	Aliases        []string              `json:"aliases"`
	Kind           permissions.Kind      `json:"kind"`
	ReadOnly       bool                  `json:"read_only"`
	InputSchema    scheduler.RawJSON     `json:"input_schema"`
	Agent          bool                  `json:"agent"`
	TimeoutS       int                   `json:"timeout_s"`
	MaxOutputChars *OutputLimit          `json:"max_output_chars,omitempty"`
	Subjects       *permissions.Subjects `json:"subjects,omitempty"`
}

// OutputLimit is a number of characters, or unlimited (negative; "unlimited" in JSON).
type OutputLimit int

// Batch is a batch of calls as routes answer it and events carry it.
type Batch struct {
	ID          string               `json:"id"`
	SessionID   string               `json:"session_id"`
	TurnID      *string              `json:"turn_id"`
	HostID      *string              `json:"host_id"`
	ResponseID  *string              `json:"response_id"`
	Format      string               `json:"format"`
	Status      string               `json:"status"` // running | completed | aborted
	Stop        *scheduler.Stop      `json:"stop"`
	Calls       []Call               `json:"calls"`
	CallsSHA256 string               `json:"calls_sha256"`
	Offloaded   []Offloaded          `json:"offloaded,omitempty"`
	RuntimeView scheduler.RawJSON    `json:"runtime_view,omitempty"` // while open, for hosts
	CreatedAt   scheduler.Timestamp  `json:"created_at"`
	CompletedAt *scheduler.Timestamp `json:"completed_at"`
}

// Offloaded names an output that the batch's limit put aside.
type Offloaded struct {
	Position  int    `json:"position"`
	OutputRef string `json:"output_ref"`
	Size      int    `json:"size"` // characters
}

// Call is one call of a batch.
type Call struct {
	Position         int                 `json:"position"`
	ID               string              `json:"id"`
	IDAssigned       bool                `json:"id_assigned"`
	Name             string              `json:"name"`
	Tool             string              `json:"tool"`
	Arguments        scheduler.RawJSON   `json:"arguments,omitempty"` // while open
	ArgumentsPreview bool                `json:"arguments_preview,omitempty"`
	TimeoutS         *int                `json:"timeout_s,omitempty"`    // while open
	RuntimeView      scheduler.RawJSON   `json:"runtime_view,omitempty"` // while open, for hosts
	Traceparent      string              `json:"traceparent,omitempty"`  // while open, of its execution
	State            scheduler.CallState `json:"state"`
	HostID           *string             `json:"host_id,omitempty"`
	ApprovalID       *string             `json:"approval_id,omitempty"`
	Decision         *scheduler.Decision `json:"decision"`
	Result           *scheduler.Result   `json:"result,omitempty"`
	Rendered         *Rendered           `json:"rendered,omitempty"`
}

// Rendered is what stands in the next request instead of a result's output.
type Rendered struct {
	Output    string `json:"output"`
	OutputRef string `json:"output_ref"`
}

// ApprovalPlan is the snapshot of a plan that a person is asked to approve.
type ApprovalPlan struct {
	Text         string           `json:"text"`
	SHA256       string           `json:"sha256"`
	Revision     int64            `json:"revision"`
	PreviousMode permissions.Mode `json:"previous_mode"`
}

// ApprovalOption is one answer that a person can give.
type ApprovalOption struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"` // allow_once | allow_always | reject_once
	Label string `json:"label"`
}

// Approval is a question to a person and its answer.
type Approval struct {
	ID               string               `json:"id"`
	SessionID        string               `json:"session_id"`
	BatchID          string               `json:"batch_id"`
	CallID           string               `json:"call_id"`
	Position         int                  `json:"position"`
	Tool             string               `json:"tool"`
	Kind             string               `json:"kind"` // tool | plan_exit
	Subject          string               `json:"subject"`
	Arguments        scheduler.RawJSON    `json:"arguments"`
	ArgumentsPreview bool                 `json:"arguments_preview,omitempty"`
	Plan             *ApprovalPlan        `json:"plan,omitempty"`
	ModeRevision     int64                `json:"mode_revision"`
	Options          []ApprovalOption     `json:"options"`
	Status           string               `json:"status"`
	RequestedAt      scheduler.Timestamp  `json:"requested_at"`
	ExpiresAt        *scheduler.Timestamp `json:"expires_at"`
	ResolvedAt       *scheduler.Timestamp `json:"resolved_at"`
	ResolvedBy       *string              `json:"resolved_by"`
	OptionID         *string              `json:"option_id"`
	Feedback         *string              `json:"feedback"`
	Required         int                  `json:"required"` // people who have to approve
	Votes            []Vote               `json:"votes"`
}

// LastApproved is the plan that a person approved last.
type LastApproved struct {
	Text string              `json:"text"`
	By   string              `json:"by"`
	At   scheduler.Timestamp `json:"at"`
}

// Plan is the answer to GET …/plan.
type Plan struct {
	Active       bool          `json:"active"`
	Inherited    bool          `json:"inherited"`
	Text         string        `json:"text"`
	Revision     int64         `json:"revision"`
	Reminder     string        `json:"reminder"`
	LastApproved *LastApproved `json:"last_approved"`
}

// Grant is what an allow_session answer made the session remember.
type Grant struct {
	ID        string              `json:"id"`
	Tool      string              `json:"tool"`
	Subject   string              `json:"subject"`
	GrantedBy string              `json:"granted_by"`
	GrantedAt scheduler.Timestamp `json:"granted_at"`
}

// Claim is the answer for one position of a claim.
type Claim struct {
	Position int     `json:"position"`
	Granted  bool    `json:"granted"`
	HeldBy   *string `json:"held_by,omitempty"`
	Call     Call    `json:"call"`
}

// Host is an attached host.
type Host struct {
	HostID       string              `json:"host_id"`
	Fence        int64               `json:"fence"`
	Capabilities scheduler.RawJSON   `json:"capabilities"` // the host's own words, or null
	TTLS         int                 `json:"ttl_s"`
	AttachedAt   scheduler.Timestamp `json:"attached_at"`
	ExpiresAt    scheduler.Timestamp `json:"expires_at"`
}

// Renewal is until when a host's lease lasts now.
type Renewal struct {
	HostID    string              `json:"host_id"`
	Fence     int64               `json:"fence"`
	TTLS      int                 `json:"ttl_s"`
	ExpiresAt scheduler.Timestamp `json:"expires_at"`
}

// Progress is what came of a host's word about a call that it runs.
type Progress struct {
	Position int                  `json:"position"`
	CallID   string               `json:"call_id"`
	Deadline *scheduler.Timestamp `json:"deadline"` // null: the call has none
	Told     bool                 `json:"told"`     // the text was passed on
}

// OutputPage is a page of a stored output; offsets and totals in characters.
type OutputPage struct {
	Text       string `json:"text"`
	Offset     int    `json:"offset"`
	NextOffset *int   `json:"next_offset"`
	Total      int    `json:"total"`
}

// TranscriptLine is one batch of a transcript.
type TranscriptLine struct {
	BatchID string             `json:"batch_id"`
	TurnID  *string            `json:"turn_id"`
	Format  string             `json:"format"`
	Message scheduler.RawJSON  `json:"message"`
	Results []scheduler.Result `json:"results"`
	Notices []string           `json:"notices"`
}
