package api

import (
	"context"
	"net/http"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/providers"
)

// VisitGetNextRequestResponse writes the answer.
func (v verbatim) VisitGetNextRequestResponse(w http.ResponseWriter) error { return v.write(w) }

// GetNextRequest serves GET /v1/sessions/{sid}/batches/{bid}/next-request.
func (s *server) GetNextRequest(ctx context.Context, req contract.GetNextRequestRequestObject) (contract.GetNextRequestResponseObject, error) {
	up, err := s.service.FollowUp(ctx, callerOf(ctx), req.Sid, req.Bid)
	if err != nil {
		return nil, err
	}
	answers := up.Answers()
	body, err := providers.Render(valueOr(req.Params.Format, answers.From), answers)
	if err != nil {
		return nil, err
	}
	return verbatim(body), nil
}
