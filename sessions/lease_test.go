package sessions_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

func TestReadersSeeWhoIsAttached(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	viewer := s.as("viewer")
	require.Empty(t, viewer.session(s.sid).Hosts)
	var first *host
	events := s.since(s.sid, func() {
		reply, err := s.Attach(t.Context(), s.caller, once("k", "POST hosts", "b"), s.sid, sessions.AttachRequest{
			HostID: "h", Capabilities: []byte(`{"n":12345678901234567890}`), TTLS: new(60),
		})
		require.NoError(t, err)
		require.EqualValues(t, 1, reply.Value.Fence)
		require.Equal(t, time.Minute, reply.Value.ExpiresAt.Sub(reply.Value.AttachedAt.Time))
		first = &host{stage: s, via: s.actor, from: scheduler.Sender{Host: "h", Fence: 1}}
	})
	require.Equal(t, []string{"host.attached"}, types(events))
	require.JSONEq(t, `{"host_id":"h","fence":1,"capabilities":{"n":12345678901234567890}}`, string(events[0].Data))
	require.Equal(t, []string{"h"}, viewer.session(s.sid).Hosts)
	again, err := s.other.Attach(t.Context(), s.caller, once("k", "POST hosts", "b"), s.sid, sessions.AttachRequest{})
	require.Error(t, err, "what is wrong is said before what is stored")
	require.False(t, again.Replayed)
	hosts, err := s.other.Hosts(t.Context(), s.caller, s.sid)
	require.NoError(t, err)
	require.Equal(t, `{"n":12345678901234567890}`, string(hosts[0].Capabilities))

	events = s.since(s.sid, func() { s.attach(s.other, "h") })
	require.Equal(t, []string{"host.lost", "host.attached"}, types(events))
	require.JSONEq(t, `{"host_id":"h","fence":1,"reason":"replaced"}`, string(events[0].Data))
	require.JSONEq(t, `{"host_id":"h","fence":2,"capabilities":null}`, string(events[1].Data))

	p := refused(t, first.leaves(), sessions.CodeHostFenced)
	require.Equal(t, "h", p.Extra["attached_host_id"])
	events = s.since(s.sid, func() { require.NoError(t, s.Close(t.Context(), s.caller, s.sid)) })
	require.Equal(t, []string{"host.lost", "session.closed"}, types(events))
	require.JSONEq(t, `{"host_id":"h","fence":2,"reason":"session_closed"}`, string(events[0].Data))
	_, err = first.beats()
	refused(t, err, sessions.CodeSessionClosed)
	require.Empty(t, s.redis.Keys(t.Context(), s.key("lease")).Val())
}

func TestWhatALostHostHeldIsToldInOneCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.attach(s.actor, "h")
	b := s.send(s.sid, call("1", "read_file", `{}`))
	require.True(t, h.runs(b, 0))
	events := s.since(s.sid, func() {
		h.diesLongAgo()
		require.Equal(t, "completed", s.other.read(b).Status)
	})
	require.Equal(t, []string{"host.lost", "call.cancelled", "call.result", "batch.completed"}, types(events))
	require.JSONEq(t, `{"position":0,"call_id":"1","reason":"host_lost"}`, string(events[1].Data))
}

func TestAHeartbeatIsNoEventAndKeepsTheHost(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.attach(s.actor, "h")
	head := *s.session(s.sid).LastEventID
	hosts, err := s.Hosts(t.Context(), s.caller, s.sid)
	require.NoError(t, err)
	renewed, err := (&host{stage: s, via: s.other, from: h.from}).beats()
	require.NoError(t, err)
	require.False(t, renewed.ExpiresAt.Before(hosts[0].ExpiresAt.Time))
	require.Equal(t, head, *s.session(s.sid).LastEventID)

	h.diesLongAgo()
	_, err = h.beats()
	p := refused(t, err, sessions.CodeHostFenced)
	require.Nil(t, p.Extra["attached_host_id"], "it is lost, and nobody came")
	require.Empty(t, s.session(s.sid).Hosts)
	_, err = s.Heartbeat(t.Context(), s.caller, "ses_b0001_nobody", h.from)
	require.Error(t, err)
}

// dueAt is when the session's deadline entry comes due.
func (s *stage) dueAt() time.Time {
	topic := s.place
	due, err := s.store.Due(context.Background(), []uint16{topic.Bucket}, time.Now().Add(72*time.Hour), 10_000)
	require.NoError(s.t, err)
	for _, d := range due {
		if d.Topic == topic {
			return d.At
		}
	}
	return time.Time{}
}

// TestASweeperLooksWhenTheLeaseEndsAndNotAtEveryHeartbeat: a heartbeat leaves
// the deadline entry alone, whoever takes it puts it where the lease ends now.
func TestASweeperLooksWhenTheLeaseEndsAndNotAtEveryHeartbeat(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.attach(s.actor, "h")
	hosts, err := s.Hosts(t.Context(), s.caller, s.sid)
	require.NoError(t, err)
	at := s.dueAt()
	require.Equal(t, hosts[0].ExpiresAt.Time, at)
	var renewed sessions.Renewal
	require.Eventually(t, func() bool {
		renewed, err = h.beats()
		return err == nil && renewed.ExpiresAt.After(at)
	}, patience, time.Millisecond)
	require.Equal(t, at, s.dueAt())
	s.comesDue()
	require.Eventually(t, func() bool { return s.dueAt().Equal(renewed.ExpiresAt.Time) }, patience, 10*time.Millisecond)
	require.Equal(t, []string{"h"}, s.session(s.sid).Hosts)
}

// TestALeaseThatRedisForgotIsOver: after a failover that lost it, a host that
// nobody can rely on is not relied on.
func TestALeaseThatRedisForgotIsOver(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.attach(s.actor, "h")
	b := s.send(s.sid, call("1", "read_file", `{}`))
	require.True(t, h.runs(b, 0))
	require.NoError(t, s.redis.Del(t.Context(), s.key("lease")).Err())
	require.Equal(t, scheduler.ReasonHostLost, reason(t, s.other.ended(b), 0))
	require.EqualValues(t, 2, s.attach(s.actor, "h").from.Fence, "fences are never given twice")
}

func TestABatchOfAHostThatIsNotAttachedIsRefused(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.attach(s.actor, "h")
	for _, from := range []scheduler.Sender{{Host: "other"}, {Host: "h", Fence: 9}} {
		in := batch(call("1", "read_file", `{}`))
		in.HostID = &from.Host
		if from.Fence > 0 {
			in.Fence = &from.Fence
		}
		_, err := s.Submit(t.Context(), s.caller, sessions.Idempotency{}, s.sid, in)
		refused(t, err, sessions.CodeHostFenced)
	}
	in := batch(call("1", "read_file", `{}`))
	in.HostID, in.Fence = &h.from.Host, &h.from.Fence
	reply, err := s.Submit(t.Context(), s.caller, sessions.Idempotency{}, s.sid, in)
	require.NoError(t, err)
	require.Equal(t, scheduler.StateClaimed, reply.Value.Calls[0].State)
	h.diesLongAgo()
	require.Equal(t, scheduler.ReasonHostLost, reason(t, s.other.ended(reply.Value), 0))
}

// TestWhatALostSenderWasToRunIsOfferedAfterARestart reads the batch anew: that
// its sender is gone has to be stored.
func TestWhatALostSenderWasToRunIsOfferedAfterARestart(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	h := s.attach(s.actor, "h")
	in := batch(call("1", "write_file", `{"file_path": "a"}`))
	in.HostID = &h.from.Host
	reply, err := s.Submit(t.Context(), s.caller, sessions.Idempotency{}, s.sid, in)
	require.NoError(t, err)
	require.NoError(t, h.leaves())
	s.other.choose(s.other.question(reply.Value, 0), "allow_once")
	require.Equal(t, scheduler.StateDispatched, s.other.read(reply.Value).Calls[0].State)
	require.True(t, s.attach(s.other, "next").runs(reply.Value, 0))
}

func TestAHostsWordGivesACallMoreTime(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Tools[0].TimeoutS = new(60) }).ID
	b := a.send(sid, call("1", "read_file", `{}`))
	a.claim(b, "h", 0)
	_, err := sessions.BuiltExpiry(a.Service, a.topic(sid), 2*time.Minute)
	require.NoError(t, err, "its own time is over then")
	speak := func(r sessions.ProgressRequest) (sessions.Progress, error) {
		r.HostID, r.Position = new("h"), new(0)
		reply, err := a.ReportProgress(t.Context(), a.caller, sessions.Idempotency{}, sid, b.ID, r)
		return reply.Value, err
	}
	var said sessions.Progress
	events := a.since(sid, func() {
		var err error
		said, err = speak(sessions.ProgressRequest{Text: new("half way"), ExtendS: new(3600)})
		require.NoError(t, err)
	})
	require.True(t, said.Told)
	require.Equal(t, []string{"call.progress"}, types(events))
	require.Contains(t, string(events[0].Data), `"text":"half way"`)
	again, err := speak(sessions.ProgressRequest{Text: new("still")})
	require.NoError(t, err)
	require.Equal(t, said.Deadline, again.Deadline)
	_, err = sessions.BuiltExpiry(a.Service, a.topic(sid), 2*time.Minute)
	require.ErrorIs(t, err, sessions.ErrNothingExpired)
	r := succeed(0, "")
	r.HostID = new("h")
	_, err = a.tell(b, r)
	require.NoError(t, err)
	_, err = speak(sessions.ProgressRequest{Text: new("x")})
	refused(t, err, sessions.CodeCallLate)
}
