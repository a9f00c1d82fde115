package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
)

// GetOutput serves GET /v1/sessions/{sid}/outputs/{ref}.
func (s *server) GetOutput(ctx context.Context, req contract.GetOutputRequestObject) (contract.GetOutputResponseObject, error) {
	page, err := s.service.Output(ctx, callerOf(ctx), req.Sid, req.Ref,
		valueOr(req.Params.Offset, 0), valueOr(req.Params.Limit, 0))
	if err != nil {
		return nil, err
	}
	return contract.GetOutput200JSONResponse{Body: page}, nil
}
