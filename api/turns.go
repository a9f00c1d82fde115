package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// StartTurn serves POST /v1/sessions/{sid}/turns.
func (s *server) StartTurn(ctx context.Context, req contract.StartTurnRequestObject) (contract.StartTurnResponseObject, error) {
	reply, err := s.service.StartTurn(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Body.Input)
	if err != nil {
		return nil, err
	}
	return contract.StartTurn201JSONResponse{
		Body:    reply.Value,
		Headers: contract.StartTurn201ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// ListTurns serves GET /v1/sessions/{sid}/turns.
func (s *server) ListTurns(ctx context.Context, req contract.ListTurnsRequestObject) (contract.ListTurnsResponseObject, error) {
	page, err := s.service.Turns(ctx, callerOf(ctx), req.Sid,
		valueOr(req.Params.Limit, defaultLimit), valueOr(req.Params.Cursor, ""))
	if err != nil {
		return nil, err
	}
	page.Data = listed(page.Data)
	return contract.ListTurns200JSONResponse{Body: page}, nil
}

// GetTurn serves GET /v1/sessions/{sid}/turns/{tid}.
func (s *server) GetTurn(ctx context.Context, req contract.GetTurnRequestObject) (contract.GetTurnResponseObject, error) {
	turn, err := s.service.Turn(ctx, callerOf(ctx), req.Sid, req.Tid)
	if err != nil {
		return nil, err
	}
	return contract.GetTurn200JSONResponse{Body: turn}, nil
}

// SayInTurn serves POST /v1/sessions/{sid}/turns/{tid}/messages.
func (s *server) SayInTurn(ctx context.Context, req contract.SayInTurnRequestObject) (contract.SayInTurnResponseObject, error) {
	reply, err := s.service.Say(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Tid,
		sessions.Message{Text: req.Body.Text, Speaker: sessions.Speaker{HostID: req.Body.HostId, Fence: req.Body.Fence}})
	if err != nil {
		return nil, err
	}
	return contract.SayInTurn200JSONResponse{
		Body:    reply.Value,
		Headers: contract.SayInTurn200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// CompleteTurn serves POST /v1/sessions/{sid}/turns/{tid}/complete.
func (s *server) CompleteTurn(ctx context.Context, req contract.CompleteTurnRequestObject) (contract.CompleteTurnResponseObject, error) {
	reply, err := s.service.CompleteTurn(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Tid,
		sessions.TurnCompletion{Reason: req.Body.StopReason, Speaker: sessions.Speaker{HostID: req.Body.HostId, Fence: req.Body.Fence}})
	if err != nil {
		return nil, err
	}
	return contract.CompleteTurn200JSONResponse{
		Body:    reply.Value,
		Headers: contract.CompleteTurn200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// CancelTurn serves POST /v1/sessions/{sid}/turns/{tid}/cancel.
func (s *server) CancelTurn(ctx context.Context, req contract.CancelTurnRequestObject) (contract.CancelTurnResponseObject, error) {
	reply, err := s.service.CancelTurn(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Tid)
	if err != nil {
		return nil, err
	}
	return contract.CancelTurn200JSONResponse{
		Body:    reply.Value,
		Headers: contract.CancelTurn200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
