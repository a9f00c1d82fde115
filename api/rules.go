package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
)

// PutRules serves PUT /v1/sessions/{sid}/rules.
func (s *server) PutRules(ctx context.Context, req contract.PutRulesRequestObject) (contract.PutRulesResponseObject, error) {
	doc, err := s.service.SetRules(ctx, callerOf(ctx), req.Sid, *req.Body)
	if err != nil {
		return nil, err
	}
	return contract.PutRules200JSONResponse{Body: doc}, nil
}
