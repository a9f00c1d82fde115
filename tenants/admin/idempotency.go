package admin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
	"github.com/session-gateway/gateway/tenants/store"
)

// recordTTL is how long the answer to an Idempotency-Key is kept.
const recordTTL = 24 * time.Hour

// request is who asked, and the key that makes asking again safe.
type request struct {
	caller tenants.Caller
	idem   sessions.Idempotency
}

// answered is a stored answer.
type answered struct {
	Body   string          `json:"body"` // hash of the request's
	Answer json.RawMessage `json:"answer"`
}

func (r request) scope() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{r.caller.Principal(), r.idem.Route, r.idem.Key}, "\x00")))
	return hex.EncodeToString(sum[:12])
}

func (r request) body() string { return hex.EncodeToString(r.idem.BodyHash[:]) }

// record is an answer to store with the change; nil without a key.
func (r request) record(answer any) (*store.Record, error) {
	if r.idem.Key == "" {
		return nil, nil //nolint:nilnil // no key, nothing to store
	}
	text, err := json.Marshal(answer)
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	whole, err := json.Marshal(answered{Body: r.body(), Answer: text})
	if err != nil {
		return nil, fmt.Errorf("encode answer: %w", err)
	}
	return &store.Record{Tenant: r.caller.Tenant, Scope: r.scope(), Text: string(whole), TTL: recordTTL}, nil
}

// once carries a request out, unless it was before: then it gets the stored
// answer. The same request may be under way elsewhere; the first wins.
func once[T any](ctx context.Context, s *Service, r request, do func() (T, error)) (sessions.Reply[T], error) {
	for range 2 {
		if reply, err := replay[T](ctx, s, r); reply.Replayed || err != nil {
			return reply, err
		}
		value, err := do()
		if !errors.Is(err, store.ErrAnswered) {
			return sessions.Reply[T]{Value: value}, problemOf(err)
		}
	}
	return sessions.Reply[T]{}, refuse(sessions.CodeBusy, "the same request is under way; try again")
}

// replay is the stored answer to the same request, if there is one.
func replay[T any](ctx context.Context, s *Service, r request) (reply sessions.Reply[T], err error) {
	if r.idem.Key == "" {
		return reply, nil
	}
	text, stored, err := s.store.Answer(ctx, r.caller.Tenant, r.scope())
	if err != nil || !stored {
		return reply, problemOf(err)
	}
	var a answered
	if err := json.Unmarshal([]byte(text), &a); err != nil {
		return reply, fmt.Errorf("read stored answer: %w", err)
	}
	if a.Body != r.body() {
		return reply, refuse(sessions.CodeIdempotencyReused, "this Idempotency-Key was used with another body")
	}
	if err := json.Unmarshal(a.Answer, &reply.Value); err != nil {
		return reply, fmt.Errorf("read stored answer: %w", err)
	}
	reply.Replayed = true
	return reply, nil
}
