package sessions

import (
	"context"
	"encoding/json"

	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/tenants"
)

// FollowUp is what next-request is rendered from.
type FollowUp struct {
	Batch   Batch
	Message json.RawMessage
	Custom  []bool // per position: a custom tool call
	Notices []string
}

// FollowUp is a terminal batch with all that its next request needs.
func (s *Service) FollowUp(ctx context.Context, c tenants.Caller, sid, bid string) (FollowUp, error) {
	at, err := s.readBatch(ctx, c, sid, bid)
	if err != nil {
		return FollowUp{}, err
	}
	return at.followUp()
}

func (a batchAt) followUp() (FollowUp, error) {
	if a.batch.Status == scheduler.BatchRunning {
		return FollowUp{}, refuse(CodeBatchIncomplete, "the batch has not ended").with("batch_id", a.batch.ID)
	}
	custom := make([]bool, len(a.batch.Calls))
	for i := range a.batch.Calls {
		custom[i] = a.batch.Calls[i].Custom
	}
	return FollowUp{Batch: a.view(), Message: a.message, Custom: custom, Notices: listOrEmpty(a.batch.Notices)}, nil
}

// Answers is the follow-up as package providers renders and audits it.
func (u FollowUp) Answers() providers.FollowUp {
	out := providers.FollowUp{
		From: providers.Format(u.Batch.Format), Notices: u.Notices,
		Calls: make([]providers.RenderCall, 0, len(u.Batch.Calls)),
	}
	for i, c := range u.Batch.Calls {
		if c.Result == nil {
			continue // never in a terminal batch
		}
		out.Calls = append(out.Calls, providers.RenderCall{
			Position: c.Position, ID: c.ID, IDAssigned: c.IDAssigned, Name: c.Name,
			Custom: i < len(u.Custom) && u.Custom[i],
			Result: *c.Result, Output: c.told(), Success: c.Result.Status == scheduler.StatusSuccess,
		})
	}
	return out
}

// told is the output that the model reads: where the batch's limit put one
// aside, what stands for it.
func (c Call) told() string {
	if c.Rendered != nil {
		return c.Rendered.Output
	}
	return c.Result.Output
}
