package api

import (
	"context"
	"strconv"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// ReportResults serves POST /v1/sessions/{sid}/batches/{bid}/results.
func (s *server) ReportResults(ctx context.Context, req contract.ReportResultsRequestObject) (contract.ReportResultsResponseObject, error) {
	report, err := reportOf(req.Body)
	if err != nil {
		return nil, err
	}
	reply, err := s.service.Report(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Bid, report)
	if err != nil {
		return nil, err
	}
	return contract.ReportResults200JSONResponse{
		Body:    reply.Value,
		Headers: contract.ReportResults200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

func reportOf(body *contract.ResultReport) (sessions.Report, error) {
	report := sessions.Report{HostID: body.HostId, Fence: body.Fence, Results: make([]sessions.HostResult, 0, len(body.Results))}
	for i, r := range body.Results {
		result, err := hostResult(r)
		if err != nil {
			return report, within("results", within(strconv.Itoa(i), err))
		}
		report.Results = append(report.Results, result)
	}
	return report, nil
}

func hostResult(r contract.HostResult) (sessions.HostResult, error) {
	out := sessions.HostResult{
		CallID: r.CallId, Position: r.Position, Status: scheduler.Status(r.Status), Output: r.Output,
	}
	switch {
	case (r.CallId == nil) == (r.Position == nil):
		return out, invalidField("", "must have exactly one of call_id and position")
	case r.Error != nil && out.Status != scheduler.StatusError:
		return out, invalidField("/error", "goes with status error")
	case len(r.Output) > MaxOutputBytes:
		return out, &sessions.Problem{
			Code: sessions.CodeTooLarge, Detail: "An output is over 4 MiB.",
			Fields: []sessions.Field{{Path: "/output", Detail: "is over 4 MiB"}},
		}
	}
	if r.Error != nil {
		out.Error = &r.Error.Message
	}
	return out, nil
}
