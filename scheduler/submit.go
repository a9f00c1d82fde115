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
	ResponseID string
	Format     string
	Calls      []Input
}

// Submit accepts a batch and takes it as far as it goes without anybody else.
func Submit(env Env, s State, in Submission) (State, Effects, error) {
	if s.running() {
		return s, Effects{}, ErrBatchOpen
	}
	s.Batch = nil
	t, out := begin(env, s)
	t.openTurn(in.TurnID)
	out.Batch = &Batch{
		ID: in.ID, Number: in.Number, TurnID: t.s.Turn.ID, HostID: in.HostID, ResponseID: in.ResponseID,
		Format: in.Format, Status: BatchRunning, Calls: make([]Call, len(in.Calls)), Created: env.Now,
	}
	t.b = out.Batch
	for i, call := range in.Calls {
		t.b.Calls[i] = Call{Input: call, State: StateQueued}
	}
	t.fx.Submitted = true
	t.run(atSubmission)
	t.advance()
	return *out, t.fx, nil
}
