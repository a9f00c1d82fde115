package scheduler

import (
	"time"

	"github.com/session-gateway/gateway/permissions"
)

// Runtime is the kind of process behind a session; it picks the stages.
type Runtime string

// The runtimes.
const (
	RuntimeCore     Runtime = "core"
	RuntimeACP      Runtime = "acp"
	RuntimeHeadless Runtime = "headless"
)

// CallState is where a call stands.
type CallState string

// The states of a call; done is the only terminal one.
const (
	StateQueued           CallState = "queued"
	StateAwaitingHook     CallState = "awaiting_hook"
	StateAwaitingApproval CallState = "awaiting_approval"
	StateDispatched       CallState = "dispatched"
	StateClaimed          CallState = "claimed"
	StateDone             CallState = "done"
)

// Status is the outcome of a call as the model is told.
type Status string

// The statuses of a result.
const (
	StatusSuccess   Status = "success"
	StatusError     Status = "error"
	StatusCancelled Status = "cancelled"
)

// ExecutionStatus says what is known of the execution itself.
type ExecutionStatus string

// Execution statuses; unknown means started, outcome not known.
const (
	ExecutionSuccess    ExecutionStatus = "success"
	ExecutionError      ExecutionStatus = "error"
	ExecutionNotStarted ExecutionStatus = "not_started"
	ExecutionUnknown    ExecutionStatus = "unknown"
)

// ErrorType is the class of a result's error.
type ErrorType string

// The error types of results.
const (
	ErrorUnknown           ErrorType = "UNKNOWN"
	ErrorExecutionDenied   ErrorType = "EXECUTION_DENIED"
	ErrorExecutionFailed   ErrorType = "EXECUTION_FAILED"
	ErrorExecutionTimeout  ErrorType = "EXECUTION_TIMEOUT"
	ErrorInvalidParams     ErrorType = "INVALID_TOOL_PARAMS"
	ErrorToolNotRegistered ErrorType = "TOOL_NOT_REGISTERED"
	ErrorOutputTruncated   ErrorType = "OUTPUT_TRUNCATED"
)

// Fault is what a provider parser already knows to be wrong with a call.
type Fault string

// Faults of a call as it came in.
const (
	FaultNone      Fault = ""
	FaultTruncated Fault = "truncated" // the model's output was cut in this call
)

// Input is a call as the model made it.
type Input struct {
	ID         string // the model's id, or one that the gateway assigned
	IDAssigned bool   // the model gave none
	Name       string // as the model wrote it
	// Arguments is the arguments' text, byte for byte. It may be any text:
	// whether it is a JSON object is judged by the pipeline. Absent or empty
	// arguments on a normal finish are already "{}" here.
	Arguments string
	Custom    bool // a provider's custom (free text) tool call; Arguments is {"input": text}
	Fault     Fault
	// RuntimeView is a document for whoever runs the call, as it came; empty if
	// there is none, and once the call has ended.
	RuntimeView string
}

// CallError is the error of a result.
type CallError struct {
	Type    ErrorType `json:"type"`
	Message string    `json:"message"`
}

// Decision is the permission decision that a call was given.
type Decision struct {
	Effect       permissions.Effect `json:"effect"`
	Tier         permissions.Tier   `json:"tier"`
	Pattern      *string            `json:"pattern"`
	Source       permissions.Source `json:"source"`
	ModeRevision int64              `json:"mode_revision"`
}

// Result is the one terminal result of a call.
type Result struct {
	Position         int             `json:"position"`
	CallID           string          `json:"call_id"`
	Name             string          `json:"name"` // as the model wrote it
	Tool             string          `json:"tool"` // canonical
	Status           Status          `json:"status"`
	ExecutionStatus  ExecutionStatus `json:"execution_status"`
	Reason           *Reason         `json:"reason"`
	Error            *CallError      `json:"error"`
	Output           string          `json:"output"` // what the model reads
	OutputRef        *string         `json:"output_ref"`
	Truncated        bool            `json:"truncated"`
	DuplicateOf      *int            `json:"duplicate_of"`
	DuplicateOfBatch *string         `json:"duplicate_of_batch"`
	Decision         *Decision       `json:"decision"`
	StartedAt        *Timestamp      `json:"started_at"`
	FinishedAt       Timestamp       `json:"finished_at"`
}

// Timestamp is a time written as RFC 3339, UTC, with milliseconds.
type Timestamp struct{ time.Time }

const timestampFormat = "2006-01-02T15:04:05.000Z"

// MarshalJSON writes the timestamp.
func (t Timestamp) MarshalJSON() ([]byte, error) {
	return []byte(`"` + t.Text() + `"`), nil
}

// Text is the timestamp as it is written.
func (t Timestamp) Text() string { return t.UTC().Format(timestampFormat) }

// Stop says why a batch ended a turn.
type Stop struct {
	Reason   string  `json:"reason"`
	Value    RawJSON `json:"value,omitempty"`
	ExitCode *int    `json:"exit_code,omitempty"`
}

// RawJSON is a JSON text kept as it came.
type RawJSON []byte

// MarshalJSON gives the text itself.
func (r RawJSON) MarshalJSON() ([]byte, error) {
	if len(r) == 0 {
		return []byte("null"), nil
	}
	return r, nil
}

// UnmarshalJSON keeps the text.
func (r *RawJSON) UnmarshalJSON(b []byte) error {
	*r = append((*r)[:0], b...)
	return nil
}
