package scheduler

// enforceBoundary makes an entry into plan mode the only call of its batch that
// may execute: its siblings ran, or would run, under another mode than the one
// that the model has been told of.
func (t *transition) enforceBoundary() {
	if t.env.Tools.Lookup(ToolEnterPlanMode) == nil {
		return
	}
	executable, entry := 0, -1
	for i := range t.b.Calls {
		if t.b.Calls[i].State == StateDone {
			continue
		}
		executable++
		if entry < 0 && t.b.Calls[i].Tool == ToolEnterPlanMode {
			entry = i
		}
	}
	if entry < 0 || executable < 2 {
		return
	}
	for i := range t.b.Calls {
		if i != entry && t.b.Calls[i].State != StateDone {
			t.finish(i, ReasonPlanBoundary, textBoundary)
		}
	}
}

// preferStructuredOutput lets a structured answer take precedence over every
// other call of its batch: only structured calls run, until one validates.
func (t *transition) preferStructuredOutput() {
	tool := t.env.Tools.Lookup(ToolStructuredOutput)
	if tool == nil || !t.hasQueued(ToolStructuredOutput) {
		return
	}
	answered := false
	for i := range t.b.Calls {
		c := &t.b.Calls[i]
		switch {
		case c.State == StateDone:
		case c.Tool != ToolStructuredOutput || answered:
			t.finish(i, ReasonStructuredOutputPrecedence, textStructuredPrecedence)
		default:
			answered = t.answerStructured(i)
		}
	}
}

func (t *transition) answerStructured(i int) bool {
	t.checkArguments(i)
	c := t.touch(i)
	if c.State == StateDone {
		return false
	}
	c.Started = t.env.Now
	t.succeed(i, textStructuredAccepted)
	t.stop(StopStructuredOutput, RawJSON(c.Arguments))
	return true
}

func (t *transition) hasQueued(tool string) bool {
	for i := range t.b.Calls {
		if t.b.Calls[i].State == StateQueued && t.b.Calls[i].Tool == tool {
			return true
		}
	}
	return false
}
