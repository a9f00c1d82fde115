package sessions

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/tenants"
)

// answerRefusal answers an error. Where the request carries a key, the same
// request may have been carried out a moment ago, and be what it is refused for:
// then it gets its answer.
func answerRefusal[T any](ctx context.Context, s *Service, cmd *command[T], err error) (Reply[T], error) {
	if _, refused := errors.AsType[*Problem](err); refused {
		if stored, err := replay[T](ctx, s, cmd); stored != nil || err != nil {
			return deref(stored), err
		}
	}
	return Reply[T]{}, storeProblem(err)
}

// record is the idempotency record of an answer; nil without a key.
func (cmd *command[T]) record(value T) *store.Idempotency {
	if cmd.idem.Key == "" {
		return nil
	}
	return &store.Idempotency{
		Scope: cmd.idem.scope(cmd.caller), BodyHash: hex.EncodeToString(cmd.idem.BodyHash[:]),
		Status: cmd.status, Answer: []byte(encode(value)), TTL: idempotencyRetention,
	}
}

func (i Idempotency) scope(c tenants.Caller) string {
	return shortHash(c.Principal(), i.Route, i.Key)
}

// recordOnly stores an answer that changes nothing. Like any other it is only
// given while what it was made from stands, and when replicas have that.
func (s *Service) recordOnly(ctx context.Context, d *document, i *store.Idempotency) error {
	if i == nil {
		return s.store.Confirm(ctx, d.topic, d.head)
	}
	return s.store.Commit(ctx, store.Commit{
		ID: s.newID().String(), Topic: d.topic, Now: s.now(), Expect: d.head, Idempotency: i,
	})
}

// replay is the stored answer to the same request, or nil.
func replay[T any](ctx context.Context, s *Service, cmd *command[T]) (*Reply[T], error) {
	if cmd.idem.Key == "" {
		return nil, nil //nolint:nilnil // no key, nothing stored
	}
	stored, err := s.store.Idempotent(ctx, cmd.topic, cmd.idem.scope(cmd.caller))
	if errors.Is(err, store.ErrNotFound) {
		return nil, nil //nolint:nilnil // nothing stored
	}
	if err != nil {
		return nil, storeProblem(err)
	}
	if stored.BodyHash != hex.EncodeToString(cmd.idem.BodyHash[:]) {
		return nil, errKeyReused()
	}
	reply := &Reply[T]{Replayed: true}
	if err := json.Unmarshal(stored.Answer, &reply.Value); err != nil {
		return nil, fmt.Errorf("read stored answer: %w", err)
	}
	return reply, nil
}

func deref[T any](r *Reply[T]) Reply[T] {
	if r == nil {
		return Reply[T]{}
	}
	return *r
}
