package api

import (
	"context"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/providers"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// VisitGetNextRequestResponse writes the answer.
func (v verbatim) VisitGetNextRequestResponse(w http.ResponseWriter) error { return v.write(w) }

// GetNextRequest serves GET /v1/sessions/{sid}/batches/{bid}/next-request.
func (s *server) GetNextRequest(ctx context.Context, req contract.GetNextRequestRequestObject) (contract.GetNextRequestResponseObject, error) {
	up, err := s.service.FollowUp(ctx, callerOf(ctx), req.Sid, req.Bid)
	if err != nil {
		return nil, err
	}
	from := providers.Format(up.Batch.Format)
	body, err := providers.Render(valueOr(req.Params.Format, from), followUp(from, up))
	if err != nil {
		return nil, err
	}
	return verbatim(body), nil
}

func followUp(from providers.Format, up sessions.FollowUp) providers.FollowUp {
	out := providers.FollowUp{From: from, Notices: up.Notices, Calls: make([]providers.RenderCall, 0, len(up.Batch.Calls))}
	for i, c := range up.Batch.Calls {
		if c.Result == nil {
			continue // never in a terminal batch
		}
		out.Calls = append(out.Calls, providers.RenderCall{
			Position: c.Position, ID: c.ID, IDAssigned: c.IDAssigned, Name: c.Name,
			Custom: i < len(up.Custom) && up.Custom[i],
			Result: *c.Result, Output: told(c), Success: c.Result.Status == scheduler.StatusSuccess,
		})
	}
	return out
}

// told is the output that the model reads: where the batch's limit put one
// aside, what stands for it.
func told(c sessions.Call) string {
	if c.Rendered != nil {
		return c.Rendered.Output
	}
	return c.Result.Output
}
