package api

import (
	"context"
	"strconv"
	"strings"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// PutRules serves PUT /v1/sessions/{sid}/rules.
func (s *server) PutRules(ctx context.Context, req contract.PutRulesRequestObject) (contract.PutRulesResponseObject, error) {
	doc, err := s.service.SetRules(ctx, callerOf(ctx), req.Sid, *req.Body)
	if err != nil {
		return nil, err
	}
	return contract.PutRules200JSONResponse{Body: doc}, nil
}

// PutApprovalMode serves PUT /v1/sessions/{sid}/approval-mode.
func (s *server) PutApprovalMode(ctx context.Context, req contract.PutApprovalModeRequestObject) (contract.PutApprovalModeResponseObject, error) {
	doc, err := s.service.SetMode(ctx, callerOf(ctx), req.Sid, req.Body.Mode)
	if err != nil {
		return nil, err
	}
	return contract.PutApprovalMode200JSONResponse{Body: doc}, nil
}

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

// ListGrants serves GET /v1/sessions/{sid}/grants.
func (s *server) ListGrants(ctx context.Context, req contract.ListGrantsRequestObject) (contract.ListGrantsResponseObject, error) {
	grants, err := s.service.Grants(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return contract.ListGrants200JSONResponse{Body: sessions.Page[sessions.Grant]{Data: listed(grants)}}, nil
}

// RevokeGrants serves DELETE /v1/sessions/{sid}/grants.
func (s *server) RevokeGrants(ctx context.Context, req contract.RevokeGrantsRequestObject) (contract.RevokeGrantsResponseObject, error) {
	if err := s.service.RevokeGrants(ctx, callerOf(ctx), req.Sid, valueOr(req.Params.Id, "")); err != nil {
		return nil, err
	}
	return contract.RevokeGrants204Response{}, nil
}
