package sessions

import (
	"context"
	"errors"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// MaxProgressBytes is how long a text about a running call may be: a few lines.
// Every reader of the events is sent it.
const MaxProgressBytes = 4 << 10

// maxExtendS is scheduler.MaxExtension in seconds.
const maxExtendS = int(scheduler.MaxExtension / 1e9)

// ProgressRequest is the body of POST …/progress.
type ProgressRequest struct {
	CallID   *string // its first position
	Position *int
	HostID   *string
	Fence    *int64
	Text     *string
	ExtendS  *int // from now
}

func (r ProgressRequest) sender() scheduler.Sender {
	return scheduler.Sender{Host: or(r.HostID, ""), Fence: or(r.Fence, 0)}
}

// progress is what a request says, by position.
func (r ProgressRequest) progress(b *scheduler.Batch) (scheduler.Progress, *Problem) {
	var wrong fields
	checkID(&wrong, "/host_id", r.HostID)
	checkFence(&wrong, r.Fence)
	out := scheduler.Progress{Text: or(r.Text, ""), Extend: seconds(or(r.ExtendS, 0))}
	if r.Text == nil && r.ExtendS == nil {
		wrong.add("", "at least one of text and extend_s has to be given")
	}
	if len(out.Text) > MaxProgressBytes {
		wrong.add("/text", "is over %d bytes", MaxProgressBytes)
	}
	if r.ExtendS != nil && (*r.ExtendS < 1 || *r.ExtendS > maxExtendS) {
		wrong.add("/extend_s", "is not between 1 and %d", maxExtendS)
	}
	if (r.CallID == nil) == (r.Position == nil) {
		wrong.add("", "exactly one of call_id and position has to be given")
		return out, wrong.problem()
	}
	at := "/position"
	if r.CallID != nil {
		at = "/call_id"
	}
	out.Position = locate(&wrong, at, b, r.CallID, r.Position)
	return out, wrong.problem()
}

// ReportProgress takes a host's word about a call that it runs, and gives it
// more time.
func (s *Service) ReportProgress(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string, r ProgressRequest) (Reply[Progress], error) {
	var position int
	cmd := command[Progress]{
		caller: c, idem: idem, status: httpOK,
		answer: func(ch *change) Progress { return ch.progressView(position) },
	}
	return onBatch(ctx, s, cmd, sid, bid, func(ch *change, state scheduler.State) error {
		p, problem := r.progress(state.Batch)
		if problem != nil {
			return problem
		}
		position = p.Position
		next, fx, err := scheduler.ReportProgress(ch.doc.env(ch), state, r.sender(), p)
		if err != nil {
			return ch.doc.progressProblem(err, state.Batch, position)
		}
		ch.applyTo(next, fx)
		return nil
	})
}

func (c *change) progressView(position int) Progress {
	call := &c.batch.Calls[position]
	return Progress{
		Position: position, CallID: call.ID, Deadline: timestamp(call.Deadline),
		Told: c.fx.Progress != nil && c.fx.Progress.Text != "",
	}
}

// progressCodes is what a host is told whose word is refused.
var progressCodes = map[error]Code{
	scheduler.ErrNotDispatched: CodeCallNotDispatched,
	scheduler.ErrNotClaimed:    CodeCallNotClaimed,
	scheduler.ErrCallHeld:      CodeCallHeld,
	scheduler.ErrCallEnded:     CodeCallLate,
}

func (d *document) progressProblem(err error, b *scheduler.Batch, position int) *Problem {
	if errors.Is(err, scheduler.ErrHostFenced) {
		return d.fenced()
	}
	call := &b.Calls[position]
	p := refuse(progressCodes[err], "%s", err).with("position", position).with("call_id", call.ID)
	if errors.Is(err, scheduler.ErrCallHeld) {
		p = p.with("held_by", call.Host)
	}
	return p
}

// progressEvent has a null deadline where the call may run as long as it likes.
type progressEvent struct {
	Position int                  `json:"position"`
	CallID   string               `json:"call_id"`
	Text     string               `json:"text,omitempty"`
	Deadline *scheduler.Timestamp `json:"deadline"`
}

func (n *narration) tellProgress(fx *scheduler.Effects) {
	if p := fx.Progress; p != nil {
		c := &n.batch.Calls[p.Position]
		n.addTo(eventCallProgress, n.batch.ID, progressEvent{
			Position: p.Position, CallID: c.ID, Text: p.Text, Deadline: timestamp(c.Deadline),
		})
	}
}
