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
