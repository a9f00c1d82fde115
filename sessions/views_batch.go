package sessions

import (
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
)

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

// Claim is the answer for one position of a claim.
type Claim struct {
	Position int     `json:"position"`
	Granted  bool    `json:"granted"`
	HeldBy   *string `json:"held_by,omitempty"`
	Call     Call    `json:"call"`
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
