package scheduler

// Abort cancels what of the batch has not ended. A batch that is terminal
// already stays as it is.
func Abort(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	if t.b == nil || t.b.Status != BatchRunning {
		return *out, t.fx
	}
	t.stop(StopAborted, nil)
	t.cancelAll(ReasonAborted, textAborted)
	return *out, t.fx
}

// CloseSession ends the open calls of a session that is being closed.
func CloseSession(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	if t.b != nil && t.b.Status == BatchRunning {
		t.cancelAll(ReasonSessionClosed, textSessionClosed)
	}
	return *out, t.fx
}

func (t *transition) cancelAll(reason Reason, text string) {
	for i := range t.b.Calls {
		if t.b.Calls[i].State != StateDone {
			t.finish(i, reason, text)
		}
	}
	t.complete(BatchAborted)
}
