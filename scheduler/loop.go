package scheduler

import "github.com/session-gateway/gateway/permissions"

// callKey identifies a call by what it does: canonical name and arguments as
// JSON with sorted keys. Arguments that don't parse count as their text. The
// error says why arguments are no JSON object.
func callKey(tool, arguments string) (string, error) {
	canonical, err := permissions.CanonicalJSON(arguments)
	if err != nil {
		return digest(tool, "text", arguments), err
	}
	if canonical[0] != '{' {
		err = errNotObject
	}
	return digest(tool, "json", string(canonical)), err
}

// openTurn moves on to the turn that a batch names. Without one the last goes on.
func (t *transition) openTurn(id string) {
	if id != "" && id != t.s.Turn.ID {
		t.s.Turn = Turn{ID: id}
	}
}

// detectLoop rejects the whole batch when one of its calls would be the
// identical call too many in a row, or one too many in the turn.
func (t *transition) detectLoop() {
	turn := t.s.Turn
	for i := range t.b.Calls {
		c := &t.b.Calls[i]
		if turn.ID != "" {
			turn.Calls++
		}
		if turn.Row.Key != c.Key {
			turn.Row = Row{Key: c.Key}
		}
		turn.Row.Count++
		if t.loops(turn) {
			t.rejectLoop(t.s.Turn)
			return
		}
	}
	t.turnBefore, t.s.Turn = t.s.Turn, turn
}

// loops says whether a limit is reached; a limit of 0 is none.
func (t *transition) loops(turn Turn) bool {
	return t.s.IdenticalCalls > 0 && turn.Row.Count >= t.s.IdenticalCalls ||
		t.s.CallsPerTurn > 0 && turn.Calls > t.s.CallsPerTurn
}

// rejectLoop ends every call of the batch and leaves the row and the count as
// they stood before it.
func (t *transition) rejectLoop(before Turn) {
	t.s.Turn = before
	for i := range t.b.Calls {
		t.finish(i, ReasonLoopDetected, textLoop)
	}
	t.stop(StopLoopDetected, nil)
}

// noteRow compares a result with the one before it of the same call: one that
// differs starts the row anew, because polling is no loop.
func (t *transition) noteRow(c *Call) {
	row := &t.s.Turn.Row
	if row.Key == "" || !tellsOfCall(c.Result) || c.Key != row.Key {
		return
	}
	result := digest(string(c.Result.Status), c.Result.Output)
	if row.Result != "" && row.Result != result {
		row.Count = 1
	}
	row.Result = result
}

// tellsOfCall says whether a result speaks of the call itself and not of the
// batch that it happened to be in.
func tellsOfCall(r *Result) bool {
	if r.Reason == nil {
		return true
	}
	switch *r.Reason {
	case ReasonHostError, ReasonPermissionDenied, ReasonPlanModeDenied, ReasonInvalidToolParams, ReasonToolNotRegistered:
		return true
	default:
		return false
	}
}
