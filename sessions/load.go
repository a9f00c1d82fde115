package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// topic is a session's place, if the caller may know of it at all.
func (s *Service) topic(c tenants.Caller, sid string) (stream.Topic, error) {
	t, ok := topicOf(c.Tenant, sid)
	if !ok {
		return t, errNotFound("session")
	}
	return t, nil
}

// load reads a session from the store. Of a kept copy it takes only what is
// known not to have changed since. Of the session's memory it reads the calls
// with the ids to recall.
func (s *Service) load(ctx context.Context, t stream.Topic, recall ...string) (*document, error) {
	ref := store.Ref{Topic: t, Recall: recall}
	if kept := s.cached(t); kept != nil && kept.settled != "" {
		d, err := s.readMoving(ctx, ref, kept)
		if !errors.Is(err, errSettledChanged) {
			return d, err
		}
	}
	return s.readWhole(ctx, ref)
}

// readMoving reads of a session what its kept copy can't be asked for.
func (s *Service) readMoving(ctx context.Context, ref store.Ref, kept *document) (*document, error) {
	ref.Fields, ref.Ancestors = movingFields, kept.spec.Ancestors
	d, err := s.read(ctx, ref, kept)
	if err != nil || len(d.ancestors) == 0 {
		return d, err
	}
	return d, s.compilePolicy(d) // ancestors' rules are read every time
}

// readWhole reads a session without a kept copy. Who its ancestors are is known
// only when it was read.
func (s *Service) readWhole(ctx context.Context, ref store.Ref) (*document, error) {
	d, err := s.read(ctx, ref, nil)
	if err == nil && len(d.spec.Ancestors) > 0 {
		ref.Ancestors = d.spec.Ancestors
		d, err = s.read(ctx, ref, nil)
	}
	if err != nil {
		return nil, err
	}
	return d, s.compile(d)
}

// read reads what ref names; it is compiled by who knows that it is all.
func (s *Service) read(ctx context.Context, ref store.Ref, kept *document) (*document, error) {
	ref.AncestorFields = ancestorFields
	record, err := s.store.Load(ctx, ref)
	if err != nil {
		return nil, storeProblem(err)
	}
	return decodeDocument(ref, record, kept)
}

// compile gives a document its registry and its policy, made once for each
// distinct declaration.
func (s *Service) compile(d *document) error {
	key := shortHash(encode(d.tools), encode(d.spec.PlanModule), string(d.spec.StructuredSchema))
	registry, ok := s.registries.Get(key)
	if !ok {
		var err error
		if registry, err = buildRegistry(d.tools, &d.spec); err != nil {
			return fmt.Errorf("session %s: %w", d.topic.Session, err)
		}
		s.registries.Add(key, registry)
	}
	d.registry = registry
	return s.compilePolicy(d)
}

func (s *Service) compilePolicy(d *document) error {
	var origins []permissions.Origin
	for _, a := range slices.Backward(d.ancestors) { // the root's rules first
		above := a.rules
		above.Allow = nil // what an ancestor allows, a child is not thereby allowed
		origins = append(origins, permissions.Origin{Source: permissions.SourceAncestor, Rules: above})
	}
	origins = append(origins, permissions.Origin{Source: permissions.SourceSession, Rules: d.rules})
	key := shortHash(encode(origins))
	policy, ok := s.policies.Get(key)
	if !ok {
		var err error
		if policy, err = permissions.Compile(origins...); err != nil {
			return fmt.Errorf("session %s: %w", d.topic.Session, err)
		}
		s.policies.Add(key, policy)
	}
	d.policy = policy
	return nil
}

// env is what a command on the document is judged by.
func (d *document) env(c *change) scheduler.Env {
	return scheduler.Env{
		Now: c.now, Tools: d.registry, Policy: c.tenant.around(d.policy), PlanShell: c.tenant.planShell(d.spec.PlanShell), AncestorMode: d.ancestorMode(),
		Approvers: c.approvers(), Hooks: c.tenant.hooks, Memory: d.memory, Grants: grantsView(d.grants), Outputs: c.outputs,
	}
}

// current reads a session as it is now: time that has passed is applied first.
func (s *Service) current(ctx context.Context, t stream.Topic, recall ...string) (*document, error) {
	d, err := s.load(ctx, t, recall...)
	if err != nil {
		return nil, err
	}
	for range maxAttempts {
		next, err := s.applyTime(ctx, d)
		if next == nil && err == nil {
			return d, nil
		}
		if err != nil && !errors.Is(err, store.ErrConflict) && !errors.Is(err, store.ErrClockSkew) {
			return nil, storeProblem(err)
		}
		if d, err = s.load(ctx, t, recall...); err != nil {
			return nil, err
		}
	}
	return nil, refuse(CodeBusy, "the session changes too fast; try again")
}

// readable is current, with the caller's right to the session checked.
func (s *Service) readable(ctx context.Context, c tenants.Caller, sid string) (*document, error) {
	t, err := s.topic(c, sid)
	if err != nil {
		return nil, err
	}
	return s.visible(ctx, c, t)
}
