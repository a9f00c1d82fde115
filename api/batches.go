package api

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/sessions"
)

// maxWait is the longest that a read waits for a batch to end: below the idle
// timeouts that proxies usually have.
const maxWait = sessions.MaxWait

// SubmitBatch serves POST /v1/sessions/{sid}/batches.
func (s *server) SubmitBatch(ctx context.Context, req contract.SubmitBatchRequestObject) (contract.SubmitBatchResponseObject, error) {
	in, err := s.submission(ctx, req.Sid, req.Body)
	if err != nil {
		return nil, err
	}
	reply, err := s.service.Submit(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, in)
	if err != nil {
		return nil, err
	}
	return contract.SubmitBatch202JSONResponse{
		Body:    reply.Value,
		Headers: contract.SubmitBatch202ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// ListBatches serves GET /v1/sessions/{sid}/batches.
func (s *server) ListBatches(ctx context.Context, req contract.ListBatchesRequestObject) (contract.ListBatchesResponseObject, error) {
	page, err := s.service.Batches(ctx, callerOf(ctx), req.Sid,
		valueOr(req.Params.Limit, defaultLimit), valueOr(req.Params.Cursor, ""))
	if err != nil {
		return nil, err
	}
	page.Data = listed(page.Data)
	return contract.ListBatches200JSONResponse{Body: page}, nil
}

// GetBatch serves GET /v1/sessions/{sid}/batches/{bid}.
func (s *server) GetBatch(ctx context.Context, req contract.GetBatchRequestObject) (contract.GetBatchResponseObject, error) {
	wait, err := parseWait(valueOr(req.Params.Wait, "0"))
	if err != nil {
		return nil, err
	}
	batch, err := s.service.Batch(ctx, callerOf(ctx), req.Sid, req.Bid, wait)
	if err != nil {
		return nil, err
	}
	return contract.GetBatch200JSONResponse{Body: batch}, nil
}

// parseWait reads a duration (30s, 500ms) or a number of seconds.
func parseWait(text string) (time.Duration, error) {
	if strings.TrimRight(text, "msh") == text {
		text += "s"
	}
	wait, err := time.ParseDuration(text)
	if err != nil || wait < 0 || wait > maxWait {
		detail := "must be a duration of at most " + strconv.Itoa(int(maxWait.Seconds())) + "s"
		return 0, invalidQuery([]sessions.Field{{Path: "wait", Detail: detail}})
	}
	return wait, nil
}

// AbortBatch serves POST /v1/sessions/{sid}/batches/{bid}/abort.
func (s *server) AbortBatch(ctx context.Context, req contract.AbortBatchRequestObject) (contract.AbortBatchResponseObject, error) {
	reply, err := s.service.Abort(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Bid)
	if err != nil {
		return nil, err
	}
	return contract.AbortBatch200JSONResponse{
		Body:    reply.Value,
		Headers: contract.AbortBatch200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
