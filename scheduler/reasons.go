package scheduler

// Reason says why a call ended as it did; absent for a plain success.
type Reason string

// The reasons of results.
const (
	ReasonPlanNotEnteredYolo         Reason = "plan_not_entered_yolo"
	ReasonPlanUnavailable            Reason = "plan_unavailable"
	ReasonPlanTransitionFailed       Reason = "plan_transition_failed"
	ReasonStructuredOutputPrecedence Reason = "structured_output_precedence"
	ReasonPlanNotOwned               Reason = "plan_not_owned"
	ReasonPlanBoundary               Reason = "plan_boundary"
	ReasonLoopDetected               Reason = "loop_detected"
	ReasonPermissionDenied           Reason = "permission_denied"
	ReasonPlanModeDenied             Reason = "plan_mode_denied"
	ReasonPlanNotActive              Reason = "plan_not_active"
	ReasonApprovalRejected           Reason = "approval_rejected"
	ReasonApprovalExpired            Reason = "approval_expired"
	ReasonApprovalUnavailable        Reason = "approval_unavailable"
	ReasonApprovalStale              Reason = "approval_stale"
	ReasonHookDenied                 Reason = "hook_denied"
	ReasonMaxToolCalls               Reason = "max_tool_calls"
	ReasonTurnStopped                Reason = "turn_stopped"
	ReasonDuplicateCall              Reason = "duplicate_call"
	ReasonInvalidToolParams          Reason = "invalid_tool_params"
	ReasonToolNotRegistered          Reason = "tool_not_registered"
	ReasonOutputTruncated            Reason = "output_truncated"
	ReasonHostError                  Reason = "host_error"
	ReasonHostTimeout                Reason = "host_timeout"
	ReasonHostLost                   Reason = "host_lost"
	ReasonHostUnavailable            Reason = "host_unavailable"
	ReasonAborted                    Reason = "aborted"
	ReasonSessionClosed              Reason = "session_closed"
)

// outcome is what a reason means for a result.
type outcome struct {
	status    Status
	execution ExecutionStatus
	err       ErrorType // empty: no error
}

// outcomes is the table of reasons. An execution status of unknown for
// aborted and session_closed is set by the state machine when the call was
// claimed.
var outcomes = map[Reason]outcome{
	ReasonPlanNotEnteredYolo:         {StatusSuccess, ExecutionSuccess, ""},
	ReasonPlanUnavailable:            {StatusSuccess, ExecutionSuccess, ""},
	ReasonPlanTransitionFailed:       {StatusSuccess, ExecutionSuccess, ""},
	ReasonStructuredOutputPrecedence: {StatusSuccess, ExecutionNotStarted, ""},
	ReasonPlanNotOwned:               {StatusError, ExecutionError, ErrorUnknown},
	ReasonPlanBoundary:               {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonLoopDetected:               {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonPermissionDenied:           {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonPlanModeDenied:             {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonPlanNotActive:              {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonApprovalRejected:           {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonApprovalExpired:            {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonApprovalUnavailable:        {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonApprovalStale:              {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonHookDenied:                 {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonMaxToolCalls:               {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonTurnStopped:                {StatusError, ExecutionNotStarted, ErrorExecutionDenied},
	ReasonDuplicateCall:              {StatusError, ExecutionNotStarted, ErrorExecutionFailed},
	ReasonInvalidToolParams:          {StatusError, ExecutionNotStarted, ErrorInvalidParams},
	ReasonToolNotRegistered:          {StatusError, ExecutionNotStarted, ErrorToolNotRegistered},
	ReasonOutputTruncated:            {StatusError, ExecutionNotStarted, ErrorOutputTruncated},
	ReasonHostError:                  {StatusError, ExecutionError, ErrorExecutionFailed},
	ReasonHostTimeout:                {StatusError, ExecutionUnknown, ErrorExecutionTimeout},
	ReasonHostLost:                   {StatusError, ExecutionUnknown, ErrorUnknown},
	ReasonHostUnavailable:            {StatusError, ExecutionNotStarted, ErrorExecutionFailed},
	ReasonAborted:                    {StatusCancelled, ExecutionNotStarted, ""},
	ReasonSessionClosed:              {StatusCancelled, ExecutionNotStarted, ""},
}
