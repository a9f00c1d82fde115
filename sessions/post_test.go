package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// post takes the webhooks of a replica; the test is their receiver. One that is
// lost takes none, as if its replica had died right after its commits.
type post struct {
	mu   sync.Mutex
	lost bool
	sent []hooks.Message
}

var _ sessions.HookSender = (*post)(nil)

// Send implements sessions.HookSender.
func (p *post) Send(m hooks.Message) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.lost {
		return false
	}
	p.sent = append(p.sent, m)
	return true
}

func (p *post) loses(all bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lost = all
}

// webhooks are those of an event that have been sent, to whatever hook.
func (p *post) webhooks(event tenants.HookEvent) []hooks.Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.sent), func(m hooks.Message) bool { return m.Event != event })
}

// told is the body of a webhook.
type told struct {
	Type      tenants.HookEvent `json:"type"`
	Timestamp time.Time         `json:"timestamp"`
	Data      struct {
		Tenant   string              `json:"tenant"`
		Session  struct{ ID string } `json:"session"`
		BatchID  string              `json:"batch_id"`
		Call     map[string]any      `json:"call"`
		Result   map[string]any      `json:"result"`
		Batch    map[string]any      `json:"batch"`
		Results  []map[string]any    `json:"results"`
		Approval map[string]any      `json:"approval"`
	} `json:"data"`
}

func (a *actor) body(m hooks.Message) told {
	a.t.Helper()
	var v told
	require.NoError(a.t, json.Unmarshal(m.Body, &v))
	require.Equal(a.t, m.Event, v.Type)
	require.False(a.t, v.Timestamp.IsZero())
	return v
}

// arrives waits for so many webhooks of an event at the actor's replica.
func (a *actor) arrives(event tenants.HookEvent, n int) []hooks.Message {
	a.t.Helper()
	return arrivals(a.t, func(ms []hooks.Message) bool { return len(ms) >= n }, event, a.post)
}

// put waits for the question about a call of a batch.
func (a *actor) put(b sessions.Batch, position int) hooks.Message {
	a.t.Helper()
	return a.about(b, position, a.post)
}

// put waits for the question about a call of a batch, at either replica: when
// one is slow, the other's sweeper comes to it first.
func (s *stage) put(b sessions.Batch, position int) hooks.Message {
	s.t.Helper()
	return s.about(b, position, s.post, s.other.post)
}

// about waits until a question about a call is among the posts. Those of
// batches before may still come in.
func (a *actor) about(b sessions.Batch, position int, posts ...*post) hooks.Message {
	a.t.Helper()
	is := func(m hooks.Message) bool {
		v := a.body(m).Data
		return v.BatchID == b.ID && v.Call["position"] == float64(position)
	}
	ms := arrivals(a.t, func(ms []hooks.Message) bool { return slices.ContainsFunc(ms, is) }, tenants.HookPreToolUse, posts...)
	return ms[slices.IndexFunc(ms, is)]
}

// arrivals waits until the webhooks of an event at some posts are enough.
func arrivals(t testing.TB, enough func([]hooks.Message) bool, event tenants.HookEvent, posts ...*post) (all []hooks.Message) {
	t.Helper()
	require.Eventually(t, func() bool {
		all = nil
		for _, p := range posts {
			all = append(all, p.webhooks(event)...)
		}
		return enough(all)
	}, patience, 5*time.Millisecond)
	return all
}

// says is the receiver's answer.
func says(m hooks.Message, v tenants.HookVerdict) {
	m.Done(context.Background(), hooks.Answer{Verdict: v, Reason: "because"})
}

// gate is a hook that calls are put to. It has more time to answer than a busy
// machine makes it wait for the question.
func gate(id string) tenants.Hook {
	return tenants.Hook{
		ID: id, URL: "https://receiver.example", Secret: "whsec_c2VjcmV0",
		Events: []tenants.HookEvent{tenants.HookPreToolUse}, TimeoutMS: 60_000,
	}
}

// listener is a hook that is told of events.
func listener(id string, events ...tenants.HookEvent) tenants.Hook {
	h := gate(id)
	h.Events = events
	return h
}

// hooked gives the tenant hooks, on both replicas.
func (s *stage) hooked(hs ...tenants.Hook) {
	s.sets(tenants.Settings{Hooks: hs})
	s.other.sets(tenants.Settings{Hooks: hs})
}

// noAnswer is what is heard of a notification that was taken.
var noAnswer hooks.Answer

// comesDueOutside lets the other replica look now at what the session has to
// tell.
func (s *stage) comesDueOutside() {
	s.t.Helper()
	ctx, at := context.Background(), time.Now().Add(time.Hour).Truncate(time.Millisecond)
	member := s.place.Tenant + ":" + s.place.Session + ":webhooks"
	err := s.redis.ZAdd(ctx, fmt.Sprintf("gw:{b%04d}:deadlines", s.place.Bucket), redis.Z{Score: float64(at.UnixMilli()), Member: member}).Err()
	require.NoError(s.t, err)
	require.NoError(s.t, sessions.SendWebhooks(ctx, s.other.Service, s.place, at))
}
