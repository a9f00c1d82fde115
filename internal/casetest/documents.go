package casetest

import "encoding/json"

// These are the gateway's documents as its contract names them, with the
// members that are looked at here. Raw forms are kept where whole documents
// are compared.

// Session is a session document.
type Session struct {
	ID            string    `json:"id"`
	Status        string    `json:"status"`
	Runtime       string    `json:"runtime"`
	ApprovalMode  string    `json:"approval_mode"`
	ModeRevision  int       `json:"mode_revision"`
	Plan          PlanState `json:"plan"`
	OpenBatchID   *string   `json:"open_batch_id"`
	OpenApprovals []string  `json:"open_approvals"`
	ToolCallsUsed int       `json:"tool_calls_used"`
	LastEventID   string    `json:"last_event_id"`
}

// PlanState is the plan as the session document shows it.
type PlanState struct {
	Active    bool   `json:"active"`
	Inherited bool   `json:"inherited"`
	Text      string `json:"text"`
}

// Plan is the plan's own document.
type Plan struct {
	Active       bool   `json:"active"`
	Inherited    bool   `json:"inherited"`
	Text         string `json:"text"`
	Revision     int    `json:"revision"`
	Reminder     string `json:"reminder"`
	LastApproved *struct {
		Text string `json:"text"`
		By   string `json:"by"`
	} `json:"last_approved"`
}

// The states of calls and batches that a client acts on.
const (
	StateAwaitingApproval = "awaiting_approval"
	StateDispatched       = "dispatched"
	StateClaimed          = "claimed"
	StateDone             = "done"
	StatusRunning         = "running"
)

// Batch is a batch document.
type Batch struct {
	ID        string     `json:"id"`
	SessionID string     `json:"session_id"`
	Format    string     `json:"format"`
	Status    string     `json:"status"`
	Stop      *Stop      `json:"stop"`
	Calls     []CallView `json:"calls"`
}

// Stop is why a batch ended a turn.
type Stop struct {
	Reason   string          `json:"reason"`
	Value    json.RawMessage `json:"value"`
	ExitCode *int            `json:"exit_code"`
}

// CallView is a call of a batch.
type CallView struct {
	Position   int             `json:"position"`
	ID         string          `json:"id"`
	IDAssigned bool            `json:"id_assigned"`
	Name       string          `json:"name"`
	Tool       string          `json:"tool"`
	State      string          `json:"state"`
	HostID     string          `json:"host_id"`
	ApprovalID string          `json:"approval_id"`
	Arguments  json.RawMessage `json:"arguments"`
	Result     *Result         `json:"result"`
	Rendered   *struct {
		Output    string `json:"output"`
		OutputRef string `json:"output_ref"`
	} `json:"rendered"`
}

// Result is the one result of a call.
type Result struct {
	Position        int    `json:"position"`
	CallID          string `json:"call_id"`
	Name            string `json:"name"`
	Status          string `json:"status"`
	ExecutionStatus string `json:"execution_status"`
	Reason          string `json:"reason"`
	Output          string `json:"output"`
	OutputPreview   bool   `json:"output_preview"`

	Raw json.RawMessage `json:"-"` // the whole, as it came
}

// UnmarshalJSON keeps the whole beside the members.
func (r *Result) UnmarshalJSON(raw []byte) error {
	type plain Result
	if err := json.Unmarshal(raw, (*plain)(r)); err != nil {
		return err
	}
	r.Raw = append([]byte(nil), raw...)
	return nil
}

// Approval is a question to a person.
type Approval struct {
	ID         string  `json:"id"`
	SessionID  string  `json:"session_id"`
	BatchID    string  `json:"batch_id"`
	CallID     string  `json:"call_id"`
	Position   int     `json:"position"`
	Kind       string  `json:"kind"`
	Status     string  `json:"status"`
	ExpiresAt  *string `json:"expires_at"`
	ResolvedBy *string `json:"resolved_by"`
	OptionID   *string `json:"option_id"`
	Plan       *struct {
		Text   string `json:"text"`
		SHA256 string `json:"sha256"`
	} `json:"plan"`
	Options []struct {
		ID   string `json:"id"`
		Kind string `json:"kind"`
	} `json:"options"`
}

// Claim is the answer to one call that a host asked for.
type Claim struct {
	Position int      `json:"position"`
	Granted  bool     `json:"granted"`
	HeldBy   string   `json:"held_by"`
	Call     CallView `json:"call"`
}
