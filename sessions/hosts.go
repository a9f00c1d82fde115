package sessions

import (
	"context"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// MaxOutputBytes is how long one output or error message of a host may be.
const MaxOutputBytes = 4 << 20

// Claim takes dispatched calls for a host.
func (s *Service) Claim(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string, r ClaimRequest) (Reply[[]Claim], error) {
	var claims []scheduler.Claim
	cmd := command[[]Claim]{
		caller: c, idem: idem, status: httpOK,
		answer: func(ch *change) []Claim { return ch.claimViews(claims) },
		reveal: revealClaims,
	}
	return onBatch(ctx, s, cmd, sid, bid, func(ch *change, state scheduler.State) error {
		positions, problem := r.positions(state.Batch)
		if problem != nil {
			return problem
		}
		from := scheduler.Sender{Host: r.HostID, Fence: or(r.Fence, 0)}
		next, fx, answers, err := scheduler.TakeCalls(ch.doc.env(ch), state, from, positions)
		if err != nil {
			return ch.doc.fenced()
		}
		claims = answers
		ch.applyTo(next, fx)
		return nil
	})
}

func (c *change) claimViews(claims []scheduler.Claim) []Claim {
	out := make([]Claim, len(claims))
	for i, cl := range claims {
		out[i] = Claim{
			Position: cl.Position, Granted: cl.Granted, HeldBy: optional(cl.HeldBy),
			Call: c.doc.callView(c.batch, cl.Position),
		}
	}
	return out
}

// positions are the calls that a claim names.
func (r ClaimRequest) positions(b *scheduler.Batch) ([]int, *Problem) {
	var wrong fields
	checkID(&wrong, "/host_id", &r.HostID)
	checkFence(&wrong, r.Fence)
	if r.HostID == "" {
		wrong.add("/host_id", "is missing")
	}
	if (len(r.CallIDs) == 0) == (len(r.Positions) == 0) {
		wrong.add("", "exactly one of call_ids and positions has to be given")
	}
	if len(r.CallIDs) > MaxCalls || len(r.Positions) > MaxCalls {
		wrong.add("", "more than %d calls", MaxCalls)
		return nil, wrong.problem()
	}
	var out []int
	for i, id := range r.CallIDs {
		out = append(out, locate(&wrong, fmt.Sprintf("/call_ids/%d", i), b, &id, nil))
	}
	for i, p := range r.Positions {
		out = append(out, locate(&wrong, fmt.Sprintf("/positions/%d", i), b, nil, &p))
	}
	return out, wrong.problem()
}

// locate is the position that an id (its first) or a position names.
func locate(wrong *fields, at string, b *scheduler.Batch, id *string, position *int) int {
	if position != nil {
		if *position < 0 || *position >= len(b.Calls) {
			wrong.add(at, "there is no such position in the batch")
		}
		return *position
	}
	for i := range b.Calls {
		if b.Calls[i].ID == *id {
			return i
		}
	}
	wrong.add(at, "there is no such call in the batch")
	return 0
}

// Report takes results from a host, all or none.
func (s *Service) Report(ctx context.Context, c tenants.Caller, idem Idempotency, sid, bid string, r Report) (Reply[Batch], error) {
	return s.onBatch(ctx, c, idem, sid, bid, func(ch *change, state scheduler.State) error {
		results, problem := r.results(state.Batch)
		if problem != nil {
			return problem
		}
		from := scheduler.Sender{Host: or(r.HostID, ""), Fence: or(r.Fence, 0)}
		next, fx, err := scheduler.Report(ch.doc.env(ch), state, from, results)
		if errors.Is(err, scheduler.ErrHostFenced) {
			return ch.doc.fenced()
		}
		if refused, ok := errors.AsType[*scheduler.ReportError](err); ok {
			p := reportProblem(refused, state.Batch)
			if !fx.Changed() {
				return p
			}
			ch.refusal = p
		}
		ch.applyTo(next, fx)
		return nil
	})
}

// reportCodes is what a host is told of a result that is refused.
var reportCodes = map[error]Code{
	scheduler.ErrNotDispatched:  CodeCallNotDispatched,
	scheduler.ErrCallHeld:       CodeCallHeld,
	scheduler.ErrResultConflict: CodeResultConflict,
	scheduler.ErrCallLate:       CodeCallLate,
}

func reportProblem(e *scheduler.ReportError, b *scheduler.Batch) *Problem {
	c := &b.Calls[e.Position]
	p := refuse(reportCodes[e.Err], "results[%d]: %s", e.Index, e.Err).
		with("position", e.Position).with("call_id", c.ID)
	if c.Host != "" && errors.Is(e.Err, scheduler.ErrCallHeld) {
		p = p.with("held_by", c.Host)
	}
	return p
}

// results are what a report says, by position.
func (r Report) results(b *scheduler.Batch) ([]scheduler.HostResult, *Problem) {
	var wrong fields
	checkID(&wrong, "/host_id", r.HostID)
	checkFence(&wrong, r.Fence)
	if len(r.Results) == 0 || len(r.Results) > MaxCalls {
		wrong.add("/results", "is not a list of 1 to %d results", MaxCalls)
		return nil, wrong.problem()
	}
	out := make([]scheduler.HostResult, 0, len(r.Results))
	seen := map[int]bool{}
	for i, in := range r.Results {
		at := fmt.Sprintf("/results/%d", i)
		result := in.result(&wrong, at, b)
		if seen[result.Position] {
			wrong.add(at, "the call has another result in this request")
		}
		seen[result.Position] = true
		out = append(out, result)
	}
	return out, wrong.problem()
}

func (in HostResult) result(wrong *fields, at string, b *scheduler.Batch) scheduler.HostResult {
	out := scheduler.HostResult{Success: in.Status == scheduler.StatusSuccess, Output: in.Output, Message: or(in.Error, "")}
	if !out.Success && in.Status != scheduler.StatusError {
		wrong.add(at+"/status", "is not success or error")
	}
	if out.Success && in.Error != nil {
		wrong.add(at+"/error", "a success has no error")
	}
	if len(out.Output) > MaxOutputBytes || len(out.Message) > MaxOutputBytes {
		wrong.add(at+"/output", "is over %d bytes", MaxOutputBytes)
	}
	if (in.CallID == nil) == (in.Position == nil) {
		wrong.add(at, "exactly one of call_id and position has to be given")
		return out
	}
	out.Position = locate(wrong, at, b, in.CallID, in.Position)
	return out
}
