package sessions_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// patience is how long a test waits for what another goroutine does. It is far
// over what it takes, for the sake of loaded machines.
const patience = sessions.MaxWait

// actor is somebody who does things through one replica and fails the test
// when they are refused.
type actor struct {
	*replica
	t      testing.TB
	caller tenants.Caller
}

// embedded is an actor on a store of its own.
func embedded(t *testing.T) *actor {
	t.Helper()
	return &actor{replica: start(t, store.Embedded, nil), t: t, caller: caller()}
}

// as is the same session's user with other roles.
func (a *actor) as(subject string, roles ...tenants.Role) *actor {
	other := *a
	other.caller.Subject, other.caller.KeyID, other.caller.Roles = subject, subject, roles
	return &other
}

// at is the same caller on another replica.
func (a *actor) at(r *replica) *actor { return &actor{replica: r, t: a.t, caller: a.caller} }

func (a *actor) create(change func(*sessions.Spec)) sessions.Session {
	a.t.Helper()
	spec := sessions.Spec{Tools: standardTools()}
	if change != nil {
		change(&spec)
	}
	reply, err := a.Create(context.Background(), a.caller, sessions.Idempotency{}, spec)
	require.NoError(a.t, err)
	return reply.Value
}

// under makes a child.
func (a *actor) under(parent string, change func(*sessions.Spec)) sessions.Session {
	a.t.Helper()
	return a.create(func(s *sessions.Spec) {
		s.ParentSessionID = &parent
		if change != nil {
			change(s)
		}
	})
}

func (a *actor) session(sid string) sessions.Session {
	a.t.Helper()
	s, err := a.Get(context.Background(), a.caller, sid)
	require.NoError(a.t, err)
	return s
}

func (a *actor) mode(sid string, m permissions.Mode) sessions.Session {
	a.t.Helper()
	s, err := a.SetMode(context.Background(), a.caller, sid, m)
	require.NoError(a.t, err)
	return s
}

func (a *actor) rules(sid string, r permissions.Rules) sessions.Session {
	a.t.Helper()
	s, err := a.SetRules(context.Background(), a.caller, sid, r)
	require.NoError(a.t, err)
	return s
}

func (a *actor) send(sid string, calls ...scheduler.Input) sessions.Batch {
	a.t.Helper()
	reply, err := a.Submit(context.Background(), a.caller, sessions.Idempotency{}, sid, batch(calls...))
	require.NoError(a.t, err)
	return reply.Value
}

// read is a batch as it is now.
func (a *actor) read(b sessions.Batch) sessions.Batch {
	a.t.Helper()
	now, err := a.Batch(context.Background(), a.caller, b.SessionID, b.ID, 0)
	require.NoError(a.t, err)
	return now
}

// ended waits for a batch to end.
func (a *actor) ended(b sessions.Batch) sessions.Batch {
	a.t.Helper()
	now, err := a.Batch(context.Background(), a.caller, b.SessionID, b.ID, patience)
	require.NoError(a.t, err)
	require.NotEqual(a.t, "running", now.Status)
	return now
}

func (a *actor) claim(b sessions.Batch, host string, positions ...int) []sessions.Claim {
	a.t.Helper()
	reply, err := a.Claim(context.Background(), a.caller, sessions.Idempotency{}, b.SessionID, b.ID,
		sessions.ClaimRequest{HostID: host, Positions: positions})
	require.NoError(a.t, err)
	return reply.Value
}

func (a *actor) succeed(b sessions.Batch, position int, output string) sessions.Batch {
	a.t.Helper()
	reply, err := a.tell(b, succeed(position, output))
	require.NoError(a.t, err)
	return reply.Value
}

// commits sends a built commit as if it had just been made, however long a busy
// machine took.
func (a *actor) commits(c store.Commit) error {
	for {
		c.Now = a.store.Now()
		if err := a.store.Commit(context.Background(), c); !errors.Is(err, store.ErrClockSkew) {
			return err
		}
	}
}

// tell reports, and may be refused.
func (a *actor) tell(b sessions.Batch, r sessions.Report) (sessions.Reply[sessions.Batch], error) {
	return a.Report(context.Background(), a.caller, sessions.Idempotency{}, b.SessionID, b.ID, r)
}

// answer responds to an approval, and may be refused.
func (a *actor) answer(aid string, r sessions.Response) (sessions.Approval, error) {
	reply, err := a.Respond(context.Background(), a.caller, sessions.Idempotency{}, aid, r)
	return reply.Value, err
}

func (a *actor) choose(aid, option string) sessions.Approval {
	a.t.Helper()
	v, err := a.answer(aid, sessions.Response{OptionID: option})
	require.NoError(a.t, err)
	return v
}

// question is the approval that a position waits for.
func (a *actor) question(b sessions.Batch, position int) string {
	a.t.Helper()
	now := a.read(b)
	require.Equal(a.t, scheduler.StateAwaitingApproval, now.Calls[position].State)
	require.NotNil(a.t, now.Calls[position].ApprovalID)
	return *now.Calls[position].ApprovalID
}

func (a *actor) events(sid string) []event {
	a.t.Helper()
	return log(a.t, a.replica, a.caller, sid)
}

// since are the events of whatever do does.
func (a *actor) since(sid string, do func()) []event {
	a.t.Helper()
	before := len(a.events(sid))
	do()
	return a.events(sid)[before:]
}

// topic is where a session's log is, read without letting time pass for it.
func (a *actor) topic(sid string) stream.Topic {
	a.t.Helper()
	topic, err := a.Topic(context.Background(), a.caller, sid)
	require.NoError(a.t, err)
	return topic
}

// refused is the problem of a refusal with a code.
func refused(t require.TestingT, err error, code sessions.Code) sessions.Problem {
	p := problem(t, err)
	require.Equal(t, code, p.Code, p.Error())
	return *p
}

// faults are the paths that a refusal names.
func faults(p sessions.Problem) []string {
	out := make([]string, len(p.Fields))
	for i, f := range p.Fields {
		out[i] = f.Path
	}
	return out
}

func types(events []event) []string {
	out := make([]string, len(events))
	for i, e := range events {
		out[i] = e.Type
	}
	return out
}

// data reads the data of the only event of a type.
func data[T any](t require.TestingT, events []event, kind string) T {
	var out T
	found := 0
	for _, e := range events {
		if e.Type == kind {
			found++
			require.NoError(t, json.Unmarshal(e.Data, &out))
		}
	}
	require.Equal(t, 1, found, "events of type %s", kind)
	return out
}

// reason is the reason of an ended call; empty for a plain success.
func reason(t require.TestingT, b sessions.Batch, position int) scheduler.Reason {
	r := b.Calls[position].Result
	require.NotNil(t, r, "call %d has not ended", position)
	if r.Reason == nil {
		return ""
	}
	return *r.Reason
}

func states(b sessions.Batch) []scheduler.CallState {
	out := make([]scheduler.CallState, len(b.Calls))
	for i := range b.Calls {
		out[i] = b.Calls[i].State
	}
	return out
}

// once is an idempotency key bound to a body.
func once(key, route, body string) sessions.Idempotency {
	return sessions.Idempotency{Key: key, Route: route, BodyHash: sha256.Sum256([]byte(body))}
}

func encoded(t require.TestingT, v any) string {
	text, err := json.Marshal(v)
	require.NoError(t, err)
	return string(text)
}

func unmarshal(text string, into any) error { return json.Unmarshal([]byte(text), into) }
