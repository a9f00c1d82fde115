package scheduler

import "errors"

// What is wrong with a host's results.
var (
	ErrNotDispatched  = errors.New("call was not dispatched")
	ErrCallHeld       = errors.New("call is held by another host")
	ErrResultConflict = errors.New("call has another result already")
	ErrCallLate       = errors.New("call has ended without this result")
)

// HostResult is a result that a host reports.
type HostResult struct {
	Position int
	Success  bool
	Output   string
	Message  string // of the error
}

// ReportError says which of the results is refused.
type ReportError struct {
	Index    int // in the list that was reported
	Position int
	Err      error
}

func (e *ReportError) Error() string { return e.Err.Error() }

// Unwrap is the sentinel.
func (e *ReportError) Unwrap() error { return e.Err }

// Report takes a host's results, all or none: else it is ErrHostFenced, or a
// *ReportError. With ErrCallLate the effects hold what has to be noted all the
// same; with every other error they are empty.
func Report(env Env, s State, from Sender, results []HostResult) (State, Effects, error) {
	if err := s.Session.Admits(from); err != nil {
		return s, Effects{}, err
	}
	t, out := begin(env, s)
	if err := t.refusal(results, from.Host); err != nil {
		return t.refuse(s, out, err)
	}
	for _, r := range results {
		if t.b.Calls[r.Position].State != StateDone {
			t.takeResult(r, from.Host)
		}
	}
	if t.fx.Changed() {
		t.advance()
	}
	return *out, t.fx, nil
}

// refusal is why the results are refused: the first that can't be taken. All
// that came too late are noted.
func (t *transition) refusal(results []HostResult, host string) *ReportError {
	var first *ReportError
	for n, r := range results {
		err := t.acceptable(r, host)
		if errors.Is(err, ErrCallLate) {
			t.fx.Late = append(t.fx.Late, r.Position)
		}
		if err != nil && first == nil {
			first = &ReportError{Index: n, Position: r.Position, Err: err}
		}
	}
	return first
}

// refuse gives back the state as it was, but for what late results leave
// behind: their note, and the end of calls that were found to be denied.
func (t *transition) refuse(before State, out *State, err *ReportError) (State, Effects, error) {
	if !errors.Is(err.Err, ErrCallLate) {
		return before, Effects{}, err
	}
	if t.b.Status == BatchRunning {
		t.advance()
	}
	return *out, t.fx, err
}

// acceptable judges one result against its call. A result for an unclaimed call
// is a claim as well: it is decided again.
func (t *transition) acceptable(r HostResult, host string) error {
	c := &t.b.Calls[r.Position]
	switch c.State {
	case StateDispatched:
		if !t.stillAllowed(r.Position) {
			return ErrCallLate
		}
		return nil
	case StateClaimed:
		if c.Host != "" && c.Host != host {
			return ErrCallHeld
		}
		return nil
	case StateDone:
		return c.repeated(r)
	default:
		return ErrNotDispatched
	}
}

// repeated judges a result for a call that has ended.
func (c *Call) repeated(r HostResult) error {
	switch {
	case c.Report == r.digest():
		return nil
	case c.Report != "":
		return ErrResultConflict
	case c.Dispatched.IsZero():
		return ErrNotDispatched
	default:
		return ErrCallLate
	}
}

func (r HostResult) digest() string {
	if r.Success {
		return digest("success", r.Output)
	}
	return digest("error", r.Output, r.Message)
}

// takeResult ends a call with what the host says.
func (t *transition) takeResult(r HostResult, host string) {
	if t.b.Calls[r.Position].State == StateDispatched {
		t.take(r.Position, host)
	}
	c := t.touch(r.Position)
	c.Report = r.digest()
	text, ref := t.limit(r.Position, r.text())
	if r.Success {
		t.succeed(r.Position, text)
	} else {
		t.finish(r.Position, ReasonHostError, text)
	}
	if ref != "" {
		c.Result.OutputRef, c.Result.Truncated = &ref, true
	}
}

// text is what the model reads of a result: for an error its message first.
func (r HostResult) text() string {
	switch {
	case r.Success:
		return r.Output
	case r.Message == "" && r.Output == "":
		return textHostErrorSilent
	case r.Message == "":
		return r.Output
	case r.Output == "" || r.Output == r.Message:
		return r.Message
	default:
		return r.Message + "\n\n" + r.Output
	}
}
