package scheduler

import (
	"crypto/sha256"
	"encoding/hex"
)

// finish ends a call with a reason; text is what the model reads. Every
// terminal transition of a call goes through here or through succeed.
func (t *transition) finish(i int, reason Reason, text string) {
	o := outcomes[reason]
	r := &Result{Status: o.status, ExecutionStatus: o.execution, Reason: &reason, Output: text}
	if o.err != "" {
		r.Error = &CallError{Type: o.err, Message: text}
	}
	if o.status == StatusCancelled && t.b.Calls[i].State == StateClaimed {
		r.ExecutionStatus = ExecutionUnknown
	}
	t.end(i, r)
}

// succeed ends a call with a plain success.
func (t *transition) succeed(i int, output string) {
	t.end(i, &Result{Status: StatusSuccess, ExecutionStatus: ExecutionSuccess, Output: output})
}

func (t *transition) end(i int, r *Result) {
	c := t.touch(i)
	if c.State == StateDone {
		panic("scheduler: a call has ended twice")
	}
	t.closeApproval(i, r)
	if c.State == StateDispatched || c.State == StateClaimed {
		t.releaseHost(i, r)
	}
	r.Position, r.CallID, r.Name, r.Tool = i, c.ID, c.Name, c.Tool
	r.Decision = c.Decision
	if !c.Started.IsZero() {
		r.StartedAt = &Timestamp{c.Started}
	}
	r.FinishedAt = Timestamp{t.env.Now}
	c.State, c.Result, c.Deadline = StateDone, r, zeroTime
	t.dropView(i)
	t.refund(c)
	t.fx.Ended = append(t.fx.Ended, i)
	t.noteRow(c)
}

// releaseHost tells the host that a dispatched call has ended without its doing.
func (t *transition) releaseHost(i int, r *Result) {
	if r.Reason != nil && *r.Reason != ReasonHostError {
		t.fx.Cancelled = append(t.fx.Cancelled, Cancellation{Position: i, Reason: string(*r.Reason)})
	}
}

// closeApproval ends the question that a call still waits for.
func (t *transition) closeApproval(i int, r *Result) {
	c := &t.b.Calls[i]
	if c.State != StateAwaitingApproval {
		return
	}
	status := ApprovalCancelled
	if r.Reason != nil && *r.Reason == ReasonApprovalStale {
		status = ApprovalStale
	}
	t.resolve(c.Approval-1, status)
}

// resolve ends a pending approval; one that is answered already stays as it is.
func (t *transition) resolve(k int, status ApprovalStatus) {
	a := &t.b.Approvals[k]
	if a.Status != ApprovalPending {
		return
	}
	a.Status, a.Resolved = status, t.env.Now
	t.fx.Resolved = append(t.fx.Resolved, k)
}

// refund gives back the budget of a call that never started.
func (t *transition) refund(c *Call) {
	if c.Counted && c.Result.ExecutionStatus == ExecutionNotStarted {
		c.Counted = false
		t.s.Used--
	}
}

// digest is a short hash of texts that are told apart.
func digest(parts ...string) string {
	var short [512]byte // keeps the usual text off the heap
	text := short[:0]
	for _, p := range parts {
		text = append(append(text, p...), 0)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
