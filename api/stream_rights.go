package api

import (
	"context"

	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// sessionRights are those of who reads a session's stream: it ends with its
// key, and when the session's labels take it out of what the key is for. That
// the store doesn't answer ends no stream.
func (s *server) sessionRights(ctx context.Context, sid string) stream.Rights {
	caller := callerOf(ctx)
	valid := s.stillValid(caller)
	if caller.Narrow == nil {
		return stream.Rights{Valid: valid} // it keeps nothing of the request
	}
	return stream.Rights{Valid: func() bool {
		if !valid() {
			return false
		}
		seen, err := s.service.Sees(ctx, caller, sid)
		return seen || err != nil
	}}
}

// tenantRights are those of who reads the tenant's stream: a narrowed key is
// shown its sessions only.
func (s *server) tenantRights(ctx context.Context) stream.Rights {
	caller := callerOf(ctx)
	r := stream.Rights{Valid: s.stillValid(caller)}
	if caller.Narrow != nil {
		r.Sees = s.service.Sight(ctx, caller)
		r.Snapshot = func(ctx context.Context) ([]byte, stream.Vector, error) { return s.service.SnapshotFor(ctx, caller) }
	}
	return r
}

func (s *server) stillValid(c tenants.Caller) func() bool {
	c.Roles = nil // nobody asks for them, and thousands of streams would keep them
	return func() bool { return s.auth.StillValid(c) }
}
