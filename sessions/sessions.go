package sessions

import (
	"context"
	"maps"
	"strings"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// Get is the session document.
func (s *Service) Get(ctx context.Context, c tenants.Caller, sid string) (Session, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return Session{}, err
	}
	return d.sessionView(), nil
}

// List is the tenant's sessions, newest first.
func (s *Service) List(ctx context.Context, c tenants.Caller, f SessionFilter) (Page[Session], error) {
	in := store.List{Tenant: c.Tenant, Buckets: s.bucketsOf(c), Limit: pageSize(f.Limit)}
	return collect(listing{name: listOfSessions, cursor: f.Cursor, List: in}, func(in store.List) (store.Page, error) {
		return s.store.Sessions(ctx, in)
	}, func(item store.Item) (Session, bool, error) {
		return s.listed(ctx, c, stream.Topic{Bucket: item.Bucket, Tenant: c.Tenant, Session: item.ID}, f)
	})
}

// listed is a session of an index if it passes the filter; one that went in
// the meantime does not.
func (s *Service) listed(ctx context.Context, c tenants.Caller, t stream.Topic, f SessionFilter) (Session, bool, error) {
	d, err := s.load(ctx, t)
	if isNotFound(err) {
		return Session{}, false, nil
	}
	if err != nil {
		return Session{}, false, err
	}
	return d.sessionView(), d.visibleTo(c) && d.passes(f), nil
}

func (d *document) passes(f SessionFilter) bool {
	if f.Status != "" && f.Status != d.status || f.Parent != "" && f.Parent != d.spec.Parent {
		return false
	}
	if f.Label == "" {
		return true
	}
	key, want, exact := strings.Cut(f.Label, "=")
	have, ok := d.labels[key]
	return ok && (!exact || have == want)
}

// SetLabels replaces the labels.
func (s *Service) SetLabels(ctx context.Context, c tenants.Caller, sid string, labels map[string]string) (Session, error) {
	return s.update(ctx, c, sid, func(ch *change) error {
		var wrong fields
		checkLabels(&wrong, labels)
		if p := wrong.problem(); p != nil {
			return p
		}
		if err := ownLabels(c, labels); err != nil {
			return err
		}
		if maps.Equal(labels, ch.doc.labels) {
			return nil
		}
		ch.doc.labels, ch.session = map[string]string{}, eventSessionUpdated
		maps.Copy(ch.doc.labels, labels)
		return nil
	})
}

// SetTools replaces the declarations; an open batch is decided again.
func (s *Service) SetTools(ctx context.Context, c tenants.Caller, sid string, specs []ToolSpec) (Session, error) {
	tools, wrong := declare(specs)
	if p := wrong.problem(); p != nil {
		return Session{}, p
	}
	return s.updateReading(ctx, c, sid, func(ch *change) error {
		d := ch.doc
		sealed, changed := d.seal(tools)
		switch on := d.state.Session.Plan.On(); {
		case !on:
			sealed = nil
		case changed != "":
			return refuse(CodePlanModeActive,
				"plan mode is on: kind, read_only, aliases and subjects of the tool %q and its names can't change", changed)
		}
		d.tools, d.sealed, ch.session = tools, sealed, eventSessionUpdated
		d.toolsRevision++
		if err := s.compile(d); err != nil {
			return err
		}
		ch.apply(scheduler.Redecide(d.env(ch), d.state))
		return nil
	})
}

// SetRules replaces the session's rules; an open batch is decided again.
func (s *Service) SetRules(ctx context.Context, c tenants.Caller, sid string, rules permissions.Rules) (Session, error) {
	if p := ruleProblem("", permissions.Check(rules)); p != nil {
		return Session{}, p
	}
	return s.updateReading(ctx, c, sid, func(ch *change) error {
		d := ch.doc
		d.rules, ch.session = whole(rules), eventSessionUpdated
		d.rulesRevision++
		if err := s.compile(d); err != nil {
			return err
		}
		ch.apply(scheduler.Redecide(d.env(ch), d.state))
		return nil
	})
}

// SetMode is a person's change of the approval mode.
func (s *Service) SetMode(ctx context.Context, c tenants.Caller, sid string, mode permissions.Mode) (Session, error) {
	return s.updateReading(ctx, c, sid, func(ch *change) error {
		d := ch.doc
		var wrong fields
		switch {
		case !mode.Valid():
			wrong.add("/mode", "is not plan, default, auto_edit or yolo")
		case mode == permissions.ModePlan && !d.spec.PlanModule:
			wrong.add("/mode", "is plan, but the plan_mode module is off")
		case d.spec.Locked && !c.Is(tenants.RoleAdmin):
			return refuse(CodeModeLocked, "the approval mode is locked; only an admin changes it")
		}
		if p := wrong.problem(); p != nil {
			return p
		}
		ch.apply(scheduler.SetMode(d.env(ch), d.state, mode, c.Subject))
		return nil
	})
}

// Grants is what the session remembers to allow.
func (s *Service) Grants(ctx context.Context, c tenants.Caller, sid string) ([]Grant, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return nil, err
	}
	return d.grantViews(), nil
}

// RevokeGrants forgets one grant, or all with an empty id; an open batch is
// decided again.
func (s *Service) RevokeGrants(ctx context.Context, c tenants.Caller, sid, id string) error {
	_, err := s.updateReading(ctx, c, sid, func(ch *change) error {
		d := ch.doc
		if _, has := d.grants[id]; !has && id != "" {
			return errNotFound("grant")
		}
		if len(d.grants) == 0 {
			return nil
		}
		d.grants = maps.Clone(d.grants)
		maps.DeleteFunc(d.grants, func(held string, _ grant) bool { return id == "" || held == id })
		ch.session = eventSessionUpdated
		ch.apply(scheduler.Redecide(d.env(ch), d.state))
		return nil
	})
	return err
}

// Tools is the registry as the model should be told: declared tools and the
// gateway's own, with the revision.
func (s *Service) Tools(ctx context.Context, c tenants.Caller, sid string) (ToolSet, int64, error) {
	d, err := s.readable(ctx, c, sid)
	if err != nil {
		return nil, 0, err
	}
	return d.advertised(), d.toolsRevision, nil
}

// Close ends a session and its descendants.
func (s *Service) Close(ctx context.Context, c tenants.Caller, sid string) error {
	t, err := s.topic(c, sid)
	if err != nil {
		return err
	}
	cmd := command[Session]{
		caller: c, topic: t,
		decide: func(ch *change) error { return s.closing(ctx, ch) },
		answer: func(ch *change) Session { return ch.doc.sessionView() },
	}
	if _, err := run(ctx, s, cmd); err != nil {
		return err
	}
	return s.closeBelow(ctx, t)
}

// closeBelow ends the sessions below a closed one. Their deadlines came due in
// the commit that closed it, so a sweeper does what this call can't finish.
func (s *Service) closeBelow(ctx context.Context, t stream.Topic) error {
	children, err := s.store.Children(ctx, t)
	if err != nil {
		return storeProblem(err)
	}
	for _, sid := range children {
		child := stream.Topic{Bucket: t.Bucket, Tenant: t.Tenant, Session: sid}
		if _, err := s.current(ctx, child); err != nil && !isNotFound(err) {
			return err
		}
		if err := s.closeBelow(ctx, child); err != nil {
			return err
		}
	}
	return nil
}

// update runs a command that answers the session.
func (s *Service) update(ctx context.Context, c tenants.Caller, sid string, decide func(*change) error) (Session, error) {
	return s.updateWith(ctx, c, sid, nil, decide)
}

// updateReading is update for a command that may start queued calls, and so
// may need what they read.
func (s *Service) updateReading(ctx context.Context, c tenants.Caller, sid string, decide func(*change) error) (Session, error) {
	return s.updateWith(ctx, c, sid, pendingReads, decide)
}

func (s *Service) updateWith(
	ctx context.Context, c tenants.Caller, sid string,
	reads func(*document) []scheduler.ReadOutputArguments, decide func(*change) error,
) (Session, error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return Session{}, err
	}
	reply, err := run(ctx, s, command[Session]{
		caller: c, topic: t, reads: reads, decide: decide,
		answer: func(ch *change) Session { return ch.doc.sessionView() },
	})
	return reply.Value, err
}

func pendingReads(d *document) []scheduler.ReadOutputArguments {
	return scheduler.PendingReads(d.state, d.registry, nil)
}
