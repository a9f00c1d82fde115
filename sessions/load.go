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
		d, err := s.read(ctx, ref, kept)
		if !errors.Is(err, errSettledChanged) {
			return d, err
		}
	}
	d, err := s.read(ctx, ref, nil)
	if err == nil && len(d.spec.Ancestors) > 0 {
		ref.Ancestors = d.spec.Ancestors
		return s.read(ctx, ref, nil)
	}
	return d, err
}

// read reads a session whole, or, beside a kept copy, what it can't be asked for.
func (s *Service) read(ctx context.Context, ref store.Ref, kept *document) (*document, error) {
	if kept != nil {
		ref.Fields, ref.Ancestors = movingFields, kept.spec.Ancestors
	}
	ref.AncestorFields = ancestorFields
	record, err := s.store.Load(ctx, ref)
	if err != nil {
		return nil, storeProblem(err)
	}
	d, err := decodeDocument(ref, record, kept)
	switch {
	case err != nil:
		return nil, err
	case kept == nil:
		return d, s.compile(d)
	case len(d.ancestors) > 0: // their rules are read every time
		return d, s.compilePolicy(d)
	}
	return d, nil
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
