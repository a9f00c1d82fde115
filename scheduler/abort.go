package scheduler

// Abort cancels what of the batch has not ended. A batch that is terminal
// already stays as it is.
func Abort(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	t.abort()
	return *out, t.fx
}

func (t *transition) abort() {
	if t.b == nil || t.b.Status != BatchRunning {
		return
	}
	t.stop(StopAborted, nil)
	t.cancelAll(ReasonAborted, textAborted)
}

// CloseSession ends the open calls and the open turn of a session that is being
// closed, and its host's lease.
func CloseSession(env Env, s State) (State, Effects) {
	t, out := begin(env, s)
	t.loseHost(LossSessionClosed)
	if t.b != nil && t.b.Status == BatchRunning {
		t.cancelAll(ReasonSessionClosed, textSessionClosed)
	}
	t.endTurn(TurnSessionClosed)
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
