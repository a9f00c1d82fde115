package api

import (
	"context"
	"regexp"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// defaultLimit is the page size of lists.
const defaultLimit = 50

// labelKey are the keys of labels; OpenAPI 3.0 can't say it.
var labelKey = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,64}$`)

// CreateSession serves POST /v1/sessions.
func (s *server) CreateSession(ctx context.Context, req contract.CreateSessionRequestObject) (contract.CreateSessionResponseObject, error) {
	var spec sessions.Spec
	if req.Body != nil {
		spec = *req.Body
	}
	if err := checkLabels(spec.Labels); err != nil {
		return nil, err
	}
	reply, err := s.service.Create(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), spec)
	if err != nil {
		return nil, err
	}
	return contract.CreateSession201JSONResponse{
		Body:    reply.Value,
		Headers: contract.CreateSession201ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// ListSessions serves GET /v1/sessions.
func (s *server) ListSessions(ctx context.Context, req contract.ListSessionsRequestObject) (contract.ListSessionsResponseObject, error) {
	page, err := s.service.List(ctx, callerOf(ctx), sessions.SessionFilter{
		Status: string(valueOr(req.Params.Status, "")),
		Label:  valueOr(req.Params.Label, ""),
		Parent: valueOr(req.Params.Parent, ""),
		Limit:  valueOr(req.Params.Limit, defaultLimit),
		Cursor: valueOr(req.Params.Cursor, ""),
	})
	if err != nil {
		return nil, err
	}
	page.Data = listed(page.Data)
	return contract.ListSessions200JSONResponse{Body: page}, nil
}

// GetSession serves GET /v1/sessions/{sid}.
func (s *server) GetSession(ctx context.Context, req contract.GetSessionRequestObject) (contract.GetSessionResponseObject, error) {
	doc, err := s.service.Get(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return contract.GetSession200JSONResponse{Body: doc}, nil
}

// UpdateSession serves PATCH /v1/sessions/{sid}.
func (s *server) UpdateSession(ctx context.Context, req contract.UpdateSessionRequestObject) (contract.UpdateSessionResponseObject, error) {
	if err := checkLabels(req.Body.Labels); err != nil {
		return nil, err
	}
	doc, err := s.service.SetLabels(ctx, callerOf(ctx), req.Sid, req.Body.Labels)
	if err != nil {
		return nil, err
	}
	return contract.UpdateSession200JSONResponse{Body: doc}, nil
}

// CloseSession serves DELETE /v1/sessions/{sid}.
func (s *server) CloseSession(ctx context.Context, req contract.CloseSessionRequestObject) (contract.CloseSessionResponseObject, error) {
	if err := s.service.Close(ctx, callerOf(ctx), req.Sid); err != nil {
		return nil, err
	}
	return contract.CloseSession204Response{}, nil
}

func checkLabels(labels map[string]string) error {
	var wrong []sessions.Field
	for key := range labels {
		if !labelKey.MatchString(key) {
			wrong = append(wrong, sessions.Field{Path: pointer("labels", key), Detail: "is not a key of a label"})
		}
	}
	if len(wrong) > 0 {
		return invalidFields(wrong)
	}
	return nil
}

// valueOr is what a pointer points to, or the value for none.
func valueOr[T any](p *T, none T) T {
	if p == nil {
		return none
	}
	return *p
}

// listed makes an absent list an empty one, as the contract promises.
func listed[T any](data []T) []T {
	if data == nil {
		return []T{}
	}
	return data
}
