package sessions

import (
	"context"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// Submit takes the calls of one model response.
func (s *Service) Submit(ctx context.Context, c tenants.Caller, idem Idempotency, sid string, in Submission) (Reply[Batch], error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Reply[Batch]{}, err
	}
	if p := in.check(); p != nil {
		return Reply[Batch]{}, p
	}
	in.Trace = s.traceparent(ctx)
	return run(ctx, s, command[Batch]{
		caller: c, topic: t, idem: idem, status: httpAccepted, answer: batchAnswer, recall: in.ids(), reveal: revealBatch(c),
		reads: func(d *document) []scheduler.ReadOutputArguments {
			return scheduler.PendingReads(d.state, d.registry, in.Calls)
		},
		decide: func(ch *change) error { // behind the stored answers: those are given also by a full store
			if err := s.store.Admit(ctx); err != nil {
				return err
			}
			return ch.submit(in, c.Subject)
		},
	})
}

// ids are the call ids that the model gave.
func (in *Submission) ids() []string {
	ids := make([]string, 0, len(in.Calls))
	for i := range in.Calls {
		if !in.Calls[i].IDAssigned {
			ids = append(ids, in.Calls[i].ID)
		}
	}
	return ids
}

func batchAnswer(c *change) Batch { return c.doc.batchView(c.batch) }

func (c *change) submit(in Submission, by string) error {
	d := c.doc
	if b := d.openBatch(); b != nil {
		return errBatchOpen(b)
	}
	if p := d.checkTurn(or(in.TurnID, "")); p != nil {
		return p
	}
	number := d.batches + 1
	state, fx, err := scheduler.Submit(d.env(c), d.state, scheduler.Submission{
		ID: newBatchID(d.topic.Session, number), Number: number, TurnID: or(in.TurnID, ""), HostID: or(in.HostID, ""),
		Fence: or(in.Fence, 0), ResponseID: or(in.ResponseID, ""), Format: in.Format, Calls: in.Calls, RuntimeView: in.RuntimeView,
		By: by, Trace: in.Trace,
	})
	if errors.Is(err, scheduler.ErrHostFenced) {
		return d.fenced()
	}
	if err != nil {
		return fmt.Errorf("submit batch: %w", err)
	}
	d.message = in.Message
	c.apply(state, fx)
	return nil
}

// check names what is wrong with a submission as a whole. What is wrong with a
// call's arguments is the call's result, not the request's.
func (in *Submission) check() *Problem {
	switch {
	case len(in.Calls) == 0:
		return refuse(CodeNoToolCalls, "there is no tool call in it")
	case len(in.Calls) > MaxCalls:
		return refuse(CodeTooManyCalls, "there are more than %d tool calls in it", MaxCalls)
	}
	var wrong fields
	checkID(&wrong, "/turn_id", in.TurnID)
	checkID(&wrong, "/host_id", in.HostID)
	checkID(&wrong, "/response_id", in.ResponseID)
	checkFence(&wrong, in.Fence)
	if in.Fence != nil && in.HostID == nil {
		wrong.add("/fence", "goes with host_id")
	}
	in.checkViews(&wrong)
	for i, call := range in.Calls {
		if field, fault := badCall(call); fault != "" && in.Message != nil {
			wrong.add("/message", "the %s of the call at position %d %s", field, i, fault)
		} else if fault != "" {
			wrong.add(fmt.Sprintf("/calls/%d/%s", i, field), "%s", fault)
		}
	}
	return wrong.problem()
}

// badCall is what no call can have, and in which of its fields.
func badCall(call scheduler.Input) (field, fault string) {
	switch {
	case call.Name == "" || len(call.Name) > MaxNameBytes || !plain(call.Name):
		return "name", fmt.Sprintf("is not a name of 1 to %d bytes without control characters", MaxNameBytes)
	case len(call.ID) > MaxIDBytes || !plain(call.ID):
		return "id", fmt.Sprintf("is over %d bytes or has control characters", MaxIDBytes)
	case len(call.Arguments) > MaxArgumentBytes:
		return "arguments", fmt.Sprintf("is over %d bytes", MaxArgumentBytes)
	default:
		return "", ""
	}
}

// checkID refuses an id that is given and can't be one.
func checkID(wrong *fields, at string, id *string) {
	if id != nil && (len(*id) > MaxIDBytes || !plain(*id)) {
		wrong.add(at, "is over %d bytes or has control characters", MaxIDBytes)
	}
}

// checkFence refuses a fence that was never given.
func checkFence(wrong *fields, fence *int64) {
	if fence != nil && *fence < 1 {
		wrong.add("/fence", "is not a fence: they count from 1")
	}
}
