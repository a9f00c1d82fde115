package sessions

import (
	"context"
	"maps"
	"strings"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// maxSighted bounds what one narrowed reader of a tenant's stream remembers of
// sessions; beyond it they are looked at anew.
const maxSighted = 4096

// visibleTo says whether a caller may know of the session.
func (d *document) visibleTo(c tenants.Caller) bool {
	return c.Narrow.Holds(d.topic.Session, d.spec.Ancestors, d.labels)
}

// visible is a session as it is now, if the caller may know of it.
func (s *Service) visible(ctx context.Context, c tenants.Caller, t stream.Topic) (*document, error) {
	d, err := s.current(ctx, t)
	if err != nil {
		return nil, err
	}
	if !d.visibleTo(c) {
		return nil, errNotFound("session")
	}
	return d, nil
}

// Sees says whether a caller may know of a session, as it is now.
func (s *Service) Sees(ctx context.Context, c tenants.Caller, sid string) (bool, error) {
	if c.Narrow == nil {
		return true, nil
	}
	t, err := s.topic(c, sid)
	if err != nil {
		return false, nil //nolint:nilerr // what can't be an id is nobody's
	}
	d, err := s.load(ctx, t)
	if isNotFound(err) {
		return false, nil
	}
	return err == nil && d.visibleTo(c), err
}

// Sight is Sees for the reader of a tenant's stream, which asks for every
// event. A session is looked at once, and again when its own document changed.
func (s *Service) Sight(ctx context.Context, c tenants.Caller) func(sid, event string) (bool, error) {
	known := map[string]bool{}
	return func(sid, event string) (bool, error) {
		seen, asked := known[sid]
		if asked && !strings.HasPrefix(event, eventSessionUpdated) {
			return seen, nil
		}
		seen, err := s.Sees(ctx, c, sid)
		if err != nil {
			return false, err
		}
		if len(known) >= maxSighted {
			clear(known)
		}
		known[sid] = seen
		return seen, nil
	}
}

// bucketsOf are where the sessions are that a caller may know of.
func (s *Service) bucketsOf(c tenants.Caller) []uint16 {
	if c.Narrow != nil && c.Narrow.SessionID != "" {
		if t, err := s.topic(c, c.Narrow.SessionID); err == nil {
			return []uint16{t.Bucket}
		}
	}
	all := store.BucketsOf(c.Tenant)
	return all[:]
}

// within makes a new session's specification one of the caller's part of the
// tenant: its labels are put on it, and below its session it has to be.
func (in *Spec) within(n *tenants.Narrow) error {
	if n == nil {
		return nil
	}
	if n.SessionID != "" && in.ParentSessionID == nil {
		return refuse(CodeForbidden, "the key is for one session and those below it; give parent_session_id")
	}
	labels := map[string]string{}
	maps.Copy(labels, n.Labels)
	maps.Copy(labels, in.Labels)
	if len(labels) > 0 {
		in.Labels = labels
	}
	return nil
}

// ownLabels refuses labels that would take a session out of the caller's part
// of the tenant.
func ownLabels(c tenants.Caller, labels map[string]string) error {
	if c.Narrow.HoldsLabels(labels) {
		return nil
	}
	var wrong fields
	wrong.add("/labels", "are not those that the key is for")
	return wrong.problem()
}

// by makes the specification one that the caller may give, or refuses it.
func (in *Spec) by(c tenants.Caller) error {
	if err := in.byHost(c); err != nil {
		return err
	}
	if err := in.within(c.Narrow); err != nil {
		return err
	}
	return ownLabels(c, in.Labels)
}

// byHost refuses what a host may not give a session that it creates: it would
// let itself do what a person has to allow.
func (in *Spec) byHost(c tenants.Caller) error {
	if c.Is(tenants.RoleFrontend) || !c.Is(tenants.RoleHost) {
		return nil
	}
	mode := or(in.ApprovalMode, permissions.ModeDefault)
	switch {
	case mode == permissions.ModeYolo || mode == permissions.ModeAutoEdit:
		return refuse(CodeForbidden, "a host creates no session in the mode %s", mode)
	case in.Rules != nil && len(in.Rules.Allow) > 0:
		return refuse(CodeForbidden, "a host creates no session with allow rules")
	}
	return nil
}
