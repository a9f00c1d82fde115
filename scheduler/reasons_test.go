package scheduler_test

import "github.com/session-gateway/gateway/scheduler"

type meaning struct {
	status    scheduler.Status
	execution scheduler.ExecutionStatus
	err       scheduler.ErrorType
}

var (
	fine   = meaning{scheduler.StatusSuccess, scheduler.ExecutionSuccess, ""}
	denied = meaning{scheduler.StatusError, scheduler.ExecutionNotStarted, scheduler.ErrorExecutionDenied}
)

// meanings is the table of reasons as hosts and models rely on it, written out
// a second time: a change of the code's table is a change of the contract. A
// cancelled call's execution is not started, or unknown when it was claimed.
var meanings = map[scheduler.Reason]meaning{
	"":                             fine,
	"plan_not_entered_yolo":        fine,
	"plan_unavailable":             fine,
	"plan_transition_failed":       fine,
	"structured_output_precedence": {scheduler.StatusSuccess, scheduler.ExecutionNotStarted, ""},
	"plan_not_owned":               {scheduler.StatusError, scheduler.ExecutionError, scheduler.ErrorUnknown},
	"plan_boundary":                denied,
	"loop_detected":                denied,
	"permission_denied":            denied,
	"plan_mode_denied":             denied,
	"plan_not_active":              denied,
	"approval_rejected":            denied,
	"approval_expired":             denied,
	"approval_unavailable":         denied,
	"approval_stale":               denied,
	"hook_denied":                  denied,
	"max_tool_calls":               denied,
	"turn_stopped":                 denied,
	"duplicate_call":               {scheduler.StatusError, scheduler.ExecutionNotStarted, scheduler.ErrorExecutionFailed},
	"invalid_tool_params":          {scheduler.StatusError, scheduler.ExecutionNotStarted, scheduler.ErrorInvalidParams},
	"tool_not_registered":          {scheduler.StatusError, scheduler.ExecutionNotStarted, scheduler.ErrorToolNotRegistered},
	"output_truncated":             {scheduler.StatusError, scheduler.ExecutionNotStarted, scheduler.ErrorOutputTruncated},
	"host_error":                   {scheduler.StatusError, scheduler.ExecutionError, scheduler.ErrorExecutionFailed},
	"host_timeout":                 {scheduler.StatusError, scheduler.ExecutionUnknown, scheduler.ErrorExecutionTimeout},
	"host_lost":                    {scheduler.StatusError, scheduler.ExecutionUnknown, scheduler.ErrorUnknown},
	"host_unavailable":             {scheduler.StatusError, scheduler.ExecutionNotStarted, scheduler.ErrorExecutionFailed},
	"aborted":                      {scheduler.StatusCancelled, scheduler.ExecutionNotStarted, ""},
	"session_closed":               {scheduler.StatusCancelled, scheduler.ExecutionNotStarted, ""},
}
