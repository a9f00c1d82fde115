package api

import (
	"context"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// GetPlan serves GET /v1/sessions/{sid}/plan.
func (s *server) GetPlan(ctx context.Context, req contract.GetPlanRequestObject) (contract.GetPlanResponseObject, error) {
	plan, err := s.service.Plan(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return contract.GetPlan200JSONResponse{
		Body: plan, Headers: contract.GetPlan200ResponseHeaders{ETag: planTag(plan)},
	}, nil
}

// PatchPlan serves PATCH /v1/sessions/{sid}/plan.
func (s *server) PatchPlan(ctx context.Context, req contract.PatchPlanRequestObject) (contract.PatchPlanResponseObject, error) {
	revision, err := expectedRevision(req.Params.IfMatch)
	if err != nil {
		return nil, err
	}
	plan, err := s.service.PatchPlan(ctx, callerOf(ctx), req.Sid, sessions.PlanPatch{
		Append: req.Body.Append, Text: req.Body.Text, IfMatch: revision,
	})
	if err != nil {
		return nil, err
	}
	return contract.PatchPlan200JSONResponse{
		Body: plan, Headers: contract.PatchPlan200ResponseHeaders{ETag: planTag(plan)},
	}, nil
}

func planTag(p sessions.Plan) string { return `"` + strconv.FormatInt(p.Revision, 10) + `"` }

// expectedRevision reads If-Match; `*` expects nothing, since there always is a
// plan.
func expectedRevision(tag *string) (*int64, error) {
	if tag == nil || *tag == "*" {
		return nil, nil
	}
	revision, err := strconv.ParseInt(strings.Trim(*tag, `"`), 10, 64)
	if err != nil {
		return nil, invalidField("If-Match", "must be a revision in quotes")
	}
	return &revision, nil
}
