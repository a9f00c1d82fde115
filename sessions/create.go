package sessions

import (
	"context"
	"crypto/rand"
	"errors"
	"strconv"

	"github.com/oklog/ulid/v2"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/planmode"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// Create makes a session.
func (s *Service) Create(ctx context.Context, c tenants.Caller, idem Idempotency, in Spec) (Reply[Session], error) {
	if err := in.by(c); err != nil {
		return Reply[Session]{}, err
	}
	above, err := s.above(c, in.ParentSessionID)
	if err != nil {
		return Reply[Session]{}, err
	}
	generation := 0
	for range maxAttempts {
		cmd := command[Session]{
			caller: c, topic: s.newTopic(c, idem, above, generation), idem: idem, status: httpCreated,
			answer: func(c *change) Session { return c.doc.sessionView() },
		}
		reply, err := create(ctx, s, &cmd, in)
		switch {
		case errors.Is(err, store.ErrIdempotent), errors.Is(err, store.ErrClockSkew):
			// the same request was faster, and its answer is stored now; or the clock was set
		case errors.Is(err, store.ErrConflict):
			// the same request was faster, the parent changed meanwhile, or the id
			// outlived the record of its key: then another one is taken
			outlived, err := s.outlived(ctx, &cmd)
			if err != nil {
				return Reply[Session]{}, err
			}
			if outlived {
				generation++
			}
		default:
			return reply, storeProblem(err)
		}
	}
	return Reply[Session]{}, refuse(CodeBusy, "the parent session changes too fast; try again")
}

// outlived says whether the session with the id that a request would take is
// there, but no longer the answer to it.
func (s *Service) outlived(ctx context.Context, cmd *command[Session]) (bool, error) {
	heads, err := s.store.Heads(ctx, []stream.Topic{cmd.topic})
	if err != nil || heads[0] == (stream.ID{}) {
		return false, storeProblem(err)
	}
	_, err = s.store.Idempotent(ctx, cmd.topic, cmd.idem.scope(cmd.caller))
	if errors.Is(err, store.ErrNotFound) {
		return true, nil
	}
	return false, storeProblem(err)
}

// create is one attempt. A stored answer comes first: it is given also when
// the parent is closed or the store is full by now.
func create(ctx context.Context, s *Service, cmd *command[Session], in Spec) (Reply[Session], error) {
	if stored, err := replay[Session](ctx, s, cmd); stored != nil || err != nil {
		return deref(stored), err
	}
	if err := s.refuseElsewhere(ctx, cmd); err != nil {
		return Reply[Session]{}, err
	}
	if err := s.store.Admit(ctx); err != nil {
		return Reply[Session]{}, err
	}
	parent, err := s.parent(ctx, cmd.caller, in.ParentSessionID)
	if err != nil {
		return Reply[Session]{}, err
	}
	doc, err := s.newDocument(cmd.caller, cmd.topic, parent, in)
	if err != nil {
		return Reply[Session]{}, err
	}
	c, err := s.change(nil, doc, doc.spec.CreatedAt)
	if err != nil {
		return Reply[Session]{}, err
	}
	c.actor = actorOf(cmd.caller)
	return finish(ctx, s, cmd, c, true)
}

// refuseElsewhere refuses a key that made a session in another of the tenant's
// buckets: that session has another parent, so the body was another.
func (s *Service) refuseElsewhere(ctx context.Context, cmd *command[Session]) error {
	if cmd.idem.Key == "" {
		return nil
	}
	var others []stream.Topic
	for _, bucket := range store.BucketsOf(cmd.caller.Tenant) {
		if bucket != cmd.topic.Bucket {
			id := newSessionID(bucket, derivedSessionULID(cmd.caller, cmd.idem, 0))
			others = append(others, stream.Topic{Bucket: bucket, Tenant: cmd.caller.Tenant, Session: id})
		}
	}
	heads, err := s.store.Heads(ctx, others)
	if err != nil {
		return err
	}
	for i, head := range heads {
		if head == (stream.ID{}) {
			continue
		}
		switch _, err := s.store.Idempotent(ctx, others[i], cmd.idem.scope(cmd.caller)); {
		case err == nil:
			return errKeyReused()
		case !errors.Is(err, store.ErrNotFound): // its record is gone: the key is free again
			return err
		}
	}
	return nil
}

// above is where the parent is, or nil for a root session.
func (s *Service) above(c tenants.Caller, parent *string) (*stream.Topic, error) {
	if parent == nil {
		return nil, nil //nolint:nilnil // a root session has none
	}
	t, err := s.topic(c, *parent)
	return &t, err
}

// parent is the session above the new one, or nil.
func (s *Service) parent(ctx context.Context, c tenants.Caller, sid *string) (*document, error) {
	if sid == nil {
		return nil, nil //nolint:nilnil // a root session has none
	}
	d, err := s.readable(ctx, c, *sid)
	if err != nil {
		return nil, err
	}
	if d.status != statusActive {
		return nil, refuse(CodeSessionClosed, "the parent session is closed")
	}
	if len(d.spec.Ancestors) >= MaxDepth {
		var wrong fields
		wrong.add("/parent_session_id", "there are %d sessions above this one already", MaxDepth)
		return nil, wrong.problem()
	}
	return d, nil
}

// newTopic places a session: a root one in one of the tenant's buckets, a child
// in its root's. With an idempotency key the id follows from it; generation
// counts the sessions that the key made before and whose records are gone.
func (s *Service) newTopic(c tenants.Caller, idem Idempotency, above *stream.Topic, generation int) stream.Topic {
	id := ulid.MustNew(ulid.Timestamp(s.now()), rand.Reader)
	if idem.Key != "" {
		id = derivedSessionULID(c, idem, generation)
	}
	buckets := store.BucketsOf(c.Tenant)
	bucket := buckets[int(id[len(id)-1])%len(buckets)]
	if above != nil {
		bucket = above.Bucket
	}
	return stream.Topic{Bucket: bucket, Tenant: c.Tenant, Session: newSessionID(bucket, id)}
}

func derivedSessionULID(c tenants.Caller, idem Idempotency, generation int) ulid.ULID {
	return derivedULID("session", c.Principal(), idem.Key, strconv.Itoa(generation))
}

// newDocument checks a specification and makes the session of it.
func (s *Service) newDocument(c tenants.Caller, t stream.Topic, parent *document, in Spec) (*document, error) {
	if or(in.PlanShell, "") == tenants.PlanShellReadOnly && !c.Is(tenants.RoleFrontend) {
		return nil, refuse(CodeForbidden, "a host's key can't let commands pass in plan mode")
	}
	sp, mode := in.resolve(parent)
	sp.CreatedAt = s.now()
	tools, wrong := declare(in.Tools)
	if problem := append(wrong, in.check(sp, mode)...).problem(); problem != nil {
		return nil, problem
	}
	d := &document{
		topic: t, spec: sp, status: statusActive, labels: in.Labels, tools: tools, toolsRevision: 1, rulesRevision: 1,
		grants: map[string]grant{},
	}
	if d.labels == nil {
		d.labels = map[string]string{}
	}
	if in.Rules != nil {
		d.rules = *in.Rules
	}
	d.rules = whole(d.rules)
	d.state.Session = scheduler.Session{Settings: sp.settings(), Mode: mode, ModeRevision: 1}
	if mode == permissions.ModePlan {
		d.state.Session.Plan = planmode.State{Active: true, EnteredBy: c.Subject, EnteredAt: sp.CreatedAt}
	}
	if parent != nil {
		d.ancestors = append([]ancestor{parent.asAncestor()}, parent.ancestors...)
	}
	d.state.Session.Plan.Inherited = d.inherited()
	return d, s.compile(d)
}

// asAncestor is the document as those below it see it.
func (d *document) asAncestor() ancestor {
	return ancestor{
		id: d.topic.Session, value: d.modeValue, mode: d.state.Session.Mode,
		closed: d.status != statusActive, rules: d.rules,
	}
}
