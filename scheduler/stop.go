package scheduler

// The reasons for which a batch stops a turn.
const (
	StopLoopDetected     = "loop_detected"
	StopTurnStopped      = "turn_stopped"
	StopMaxToolCalls     = "max_tool_calls"
	StopAborted          = "aborted"
	StopStructuredOutput = "structured_output"
)

// exitCodes are what a headless process should end with.
var exitCodes = map[string]int{
	StopLoopDetected:     1,
	StopMaxToolCalls:     55,
	StopAborted:          130,
	StopStructuredOutput: 0,
}

// stop notes why the batch stops the turn; the first reason stays.
func (t *transition) stop(reason string, value RawJSON) {
	if t.b.Stop != nil {
		return
	}
	t.b.Stop = &Stop{Reason: reason, Value: value}
	if code, ok := exitCodes[reason]; ok && t.s.Runtime == RuntimeHeadless {
		t.b.Stop.ExitCode = &code
	}
}

// stopTurn ends what comes after a position and is not under way.
func (t *transition) stopTurn(after int, reason string) {
	t.stop(reason, nil)
	for i := after + 1; i < len(t.b.Calls); i++ {
		switch t.b.Calls[i].State {
		case StateQueued, StateAwaitingApproval, StateAwaitingHook:
			t.finish(i, ReasonTurnStopped, textTurnStopped)
		case StateDispatched, StateClaimed, StateDone:
		}
	}
}
