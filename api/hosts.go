package api

import (
	"context"

	"github.com/session-gateway/gateway/api/internal/contract"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// AttachHost serves POST /v1/sessions/{sid}/hosts.
func (s *server) AttachHost(ctx context.Context, req contract.AttachHostRequestObject) (contract.AttachHostResponseObject, error) {
	reply, err := s.service.Attach(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, sessions.AttachRequest{
		HostID: req.Body.HostId, Capabilities: req.Body.Capabilities, TTLS: req.Body.TtlS,
	})
	if err != nil {
		return nil, err
	}
	return contract.AttachHost201JSONResponse{
		Body:    reply.Value,
		Headers: contract.AttachHost201ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}

// ListHosts serves GET /v1/sessions/{sid}/hosts.
func (s *server) ListHosts(ctx context.Context, req contract.ListHostsRequestObject) (contract.ListHostsResponseObject, error) {
	hosts, err := s.service.Hosts(ctx, callerOf(ctx), req.Sid)
	if err != nil {
		return nil, err
	}
	return contract.ListHosts200JSONResponse{Body: sessions.Page[sessions.Host]{Data: hosts}}, nil
}

// DetachHost serves DELETE /v1/sessions/{sid}/hosts/{host_id}.
func (s *server) DetachHost(ctx context.Context, req contract.DetachHostRequestObject) (contract.DetachHostResponseObject, error) {
	from := scheduler.Sender{Host: req.HostId, Fence: req.Params.Fence}
	if err := s.service.Detach(ctx, callerOf(ctx), req.Sid, from); err != nil {
		return nil, err
	}
	return contract.DetachHost204Response{}, nil
}

// HeartbeatHost serves POST /v1/sessions/{sid}/hosts/{host_id}/heartbeat.
func (s *server) HeartbeatHost(ctx context.Context, req contract.HeartbeatHostRequestObject) (contract.HeartbeatHostResponseObject, error) {
	renewal, err := s.service.Heartbeat(ctx, callerOf(ctx), req.Sid, scheduler.Sender{Host: req.HostId, Fence: req.Body.Fence})
	if err != nil {
		return nil, err
	}
	return contract.HeartbeatHost200JSONResponse{Body: renewal}, nil
}

// ReportProgress serves POST /v1/sessions/{sid}/batches/{bid}/progress.
func (s *server) ReportProgress(ctx context.Context, req contract.ReportProgressRequestObject) (contract.ReportProgressResponseObject, error) {
	b := req.Body
	switch {
	case (b.CallId == nil) == (b.Position == nil):
		return nil, invalidField("", "must have exactly one of call_id and position")
	case b.Text == nil && b.ExtendS == nil:
		return nil, invalidField("", "must have text or extend_s")
	}
	reply, err := s.service.ReportProgress(ctx, callerOf(ctx), idempotency(ctx, req.Params.IdempotencyKey), req.Sid, req.Bid,
		sessions.ProgressRequest{
			CallID: b.CallId, Position: b.Position, HostID: b.HostId, Fence: b.Fence, Text: b.Text, ExtendS: b.ExtendS,
		})
	if err != nil {
		return nil, err
	}
	return contract.ReportProgress200JSONResponse{
		Body:    reply.Value,
		Headers: contract.ReportProgress200ResponseHeaders{IdempotencyReplayed: replayed(reply.Replayed)},
	}, nil
}
