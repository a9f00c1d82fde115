package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
)

// PutApprovalMode serves PUT /v1/sessions/{sid}/approval-mode.
func (s *server) PutApprovalMode(ctx context.Context, req contract.PutApprovalModeRequestObject) (contract.PutApprovalModeResponseObject, error) {
	doc, err := s.service.SetMode(ctx, callerOf(ctx), req.Sid, req.Body.Mode)
	if err != nil {
		return nil, err
	}
	return contract.PutApprovalMode200JSONResponse{Body: doc}, nil
}
