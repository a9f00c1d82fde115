package scheduler

import "errors"

// ErrBatchOpen says that the session's last batch has not ended.
var ErrBatchOpen = errors.New("a batch is in progress")

// Submission is the calls of one model response.
type Submission struct {
	ID         string // of the batch
	Number     uint64
	TurnID     string
	HostID     string
	Fence      int64 // of HostID's lease; 0: it gave none
	ResponseID string
	Format     string
	Calls      []Input
	By         string // the subject that sends it
	// RuntimeView is shown with every open call that has none of its own.
	RuntimeView string
	Trace       string // its traceparent; only carried
}

// Submit accepts a batch and takes it as far as it goes without anybody else.
// One that its sender wants to run must come from the attached host, where one
// is: else it is ErrHostFenced.
func Submit(env Env, s State, in Submission) (State, Effects, error) {
	if s.running() {
		return s, Effects{}, ErrBatchOpen
	}
	if from := (Sender{Host: in.HostID, Fence: in.Fence}); from != (Sender{}) && s.Session.Admits(from) != nil {
		return s, Effects{}, ErrHostFenced
	}
	t, out := judgeBatch(env, s, in)
	t.advance()
	return *out, t.fx, nil
}

// judgeBatch takes a new batch through the stages of its submission. Nothing of
// it has started then.
func judgeBatch(env Env, s State, in Submission) (*transition, *State) {
	s.Batch = nil
	t, out := begin(env, s)
	t.openTurn(in.TurnID)
	out.Batch = &Batch{
		ID: in.ID, Number: in.Number, TurnID: t.s.Turn.ID, HostID: in.HostID, ResponseID: in.ResponseID,
		Format: in.Format, Status: BatchRunning, Calls: make([]Call, len(in.Calls)), Created: env.Now,
		RuntimeView: in.RuntimeView, By: in.By, Trace: in.Trace,
	}
	t.b = out.Batch
	for i, call := range in.Calls {
		t.b.Calls[i] = Call{Input: call, State: StateQueued}
	}
	t.fx.Submitted = true
	t.run(atSubmission)
	return t, out
}
