/** Why a call ended as it did, for a person. */
export const reasons: Record<string, string> = {
  plan_boundary: 'stood beside the entry into plan mode; it may be sent again',
  plan_not_owned: 'plan mode belongs to the main session',
  plan_not_entered_yolo: 'not entered: nobody asked for a plan in yolo mode',
  plan_unavailable: 'not entered: leaving plan mode would need a person',
  plan_transition_failed: 'not entered: the mode is locked',
  structured_output_precedence: 'the structured answer came first',
  loop_detected: 'the same call over and over',
  permission_denied: 'a rule denies it',
  plan_mode_denied: 'plan mode denies it',
  plan_not_active: 'plan mode is not on',
  approval_rejected: 'a person rejected it',
  approval_expired: 'nobody answered in time',
  approval_unavailable: 'it needs a person, and there is none',
  approval_stale: 'what was asked about has changed',
  hook_denied: 'a hook denied it',
  max_tool_calls: 'the session’s budget is used up',
  turn_stopped: 'the turn was stopped before it',
  duplicate_call: 'it was answered before',
  invalid_tool_params: 'its arguments are not valid',
  tool_not_registered: 'there is no such tool',
  output_truncated: 'the model’s answer was cut off',
  host_error: 'the host reported an error',
  host_timeout: 'the host took too long',
  host_lost: 'the host was lost; whether it ran is not known',
  host_unavailable: 'no host took it',
  aborted: 'the batch was aborted',
  session_closed: 'the session was closed',
}

/** What a call is doing, for a person. */
export const states: Record<string, string> = {
  queued: 'queued',
  awaiting_hook: 'asking a hook',
  awaiting_approval: 'waits for a person',
  dispatched: 'offered to hosts',
  claimed: 'running',
}
