package sessions_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// configured is a replica with a retention of its own; idle: its sweeper does
// not run, as if the process were stuck.
func configured(t *testing.T, url string, retention time.Duration, idle bool) *replica {
	t.Helper()
	st, err := store.Open(t.Context(), store.Config{URL: url})
	require.NoError(t, err)
	service, err := sessions.New(sessions.Config{
		Store: st, Feed: st, Retention: retention, Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
	})
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- st.Run(ctx, service) }()
	go func() {
		if idle {
			done <- nil
			return
		}
		done <- service.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
		require.NoError(t, <-done)
		require.NoError(t, st.Close())
	})
	return &replica{Service: service, store: st}
}

// silently waits until the log of a session ends with an event, without asking
// the use cases, which would let time pass for it.
func silently(t *testing.T, r *replica, topic stream.Topic, last string) {
	t.Helper()
	require.Eventually(t, func() bool {
		events, err := r.store.Read(context.Background(), topic, 0, 1<<20)
		return err == nil && len(events) > 0 && events[len(events)-1].Type == last
	}, patience, 10*time.Millisecond, "no %s", last)
}

func TestAnUnansweredQuestionExpiresAndTheBatchGoesOn(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	for _, runtime := range []scheduler.Runtime{scheduler.RuntimeCore, scheduler.RuntimeACP} {
		sid := a.create(func(s *sessions.Spec) { s.Runtime, s.ApprovalTimeoutS = &runtime, new(1) }).ID
		b := a.send(sid, call("1", "write_file", `{"file_path": "a"}`), call("2", "nothing", `{}`), call("3", "read_file", `{}`))
		aid := *b.Calls[0].ApprovalID
		topic := a.topic(sid)
		if runtime == scheduler.RuntimeACP {
			now := a.ended(b)
			require.Equal(t, scheduler.ReasonApprovalExpired, reason(t, now, 0))
			require.Equal(t, scheduler.ReasonTurnStopped, reason(t, now, 2))
			require.Equal(t, "turn_stopped", now.Stop.Reason)
		} else {
			silently(t, a.replica, topic, "call.dispatched")
			now := a.read(b)
			require.Equal(t, scheduler.ReasonApprovalExpired, reason(t, now, 0))
			require.Equal(t, scheduler.StateDispatched, now.Calls[2].State)
			abort(a, b)
		}
		_, err := a.answer(aid, sessions.Response{OptionID: "allow_once"})
		refused(t, err, sessions.CodeApprovalExpired)
		q, err := a.Approval(t.Context(), a.caller, aid)
		require.NoError(t, err)
		require.Equal(t, "expired", q.Status)
		require.Nil(t, q.ResolvedBy)
	}
}

func TestAnExpiredExitLeavesPlanModeOn(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ApprovalMode, s.ApprovalTimeoutS = new(permissions.ModePlan), new(1) }).ID
	now := a.ended(a.send(sid, call("1", "exit_plan_mode", `{"plan": "p"}`)))
	require.Equal(t, scheduler.ReasonApprovalExpired, reason(t, now, 0))
	require.True(t, a.session(sid).Plan.Active)
}

// TestADeadlineThatFiresTwiceChangesNothing lets many sweepers of two replicas at
// one deadline: as they find it, and as if each had taken it. On a server of its
// own: sweepers of other tests would be at it, too.
func TestADeadlineThatFiresTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := &actor{replica: configured(t, server.URL(), 0, true), t: t, caller: caller()}
	replicas := []*replica{a.replica, configured(t, server.URL(), 0, true)}
	for how, fire := range map[string]func(*sessions.Service, store.Due) error{
		"found": sessions.Fire, "taken": sessions.SettleDue,
	} {
		sid := a.create(func(s *sessions.Spec) { s.ApprovalTimeoutS = new(1) }).ID
		b := a.send(sid, call("1", "write_file", `{"file_path": "a"}`))
		due := a.dueOf(sid)
		require.Eventually(t, func() bool { return a.store.Now().After(due.At) }, patience, 5*time.Millisecond)
		var sweepers sync.WaitGroup
		for i := range 8 {
			sweepers.Go(func() { assert.NoError(t, fire(replicas[i%2].Service, due), how) })
		}
		sweepers.Wait()
		once := a.events(sid)
		require.Equal(t, []string{
			"session.created", "batch.started", "approval.requested", "call.result", "approval.resolved", "batch.completed",
		}, types(once), how)
		require.NoError(t, fire(a.Service, due), "and again, when all is over")
		require.Equal(t, once, a.events(sid), how)
		require.Equal(t, scheduler.ReasonApprovalExpired, reason(t, a.read(b), 0))
	}
}

// dueOf is a session's entry among its bucket's deadlines.
func (a *actor) dueOf(sid string) store.Due {
	a.t.Helper()
	topic := a.topic(sid)
	all, err := a.store.Due(context.Background(), []uint16{topic.Bucket}, a.store.Now().Add(time.Hour), 10_000)
	require.NoError(a.t, err)
	at := slices.IndexFunc(all, func(d store.Due) bool { return d.Topic == topic })
	require.GreaterOrEqual(a.t, at, 0)
	return all[at]
}

// TestAnAnswerAfterTheExpiryIs410EvenIfNobodySwept asks a replica whose sweeper
// is stuck.
func TestAnAnswerAfterTheExpiryIs410EvenIfNobodySwept(t *testing.T) {
	t.Parallel()
	a := &actor{replica: configured(t, store.Embedded, 0, true), t: t, caller: caller()}
	sid := a.create(func(s *sessions.Spec) { s.ApprovalTimeoutS = new(1) }).ID
	b := a.send(sid, call("1", "write_file", `{"file_path": "a"}`))
	aid := *b.Calls[0].ApprovalID
	q, err := a.Approval(t.Context(), a.caller, aid)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return a.store.Now().After(q.ExpiresAt.Time) }, patience, 5*time.Millisecond)
	_, err = a.answer(aid, sessions.Response{OptionID: "allow_once"})
	p := refused(t, err, sessions.CodeApprovalExpired)
	require.Equal(t, "expired", p.Extra["approval_status"])
	require.Equal(t, scheduler.ReasonApprovalExpired, reason(t, a.read(b), 0))
}

func TestACallThatNobodyTakesIsHostUnavailable(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.ClaimTimeoutS = new(1) }).ID
	b := a.send(sid, call("1", "read_file", `{}`))
	now := a.ended(b)
	r := now.Calls[0].Result
	require.Equal(t, scheduler.ReasonHostUnavailable, *r.Reason)
	require.Equal(t, scheduler.ExecutionNotStarted, r.ExecutionStatus)
	require.Nil(t, r.StartedAt)
	all := a.events(sid)
	require.Equal(t, []string{"call.cancelled", "call.result", "batch.completed"}, types(all[len(all)-3:]))
	_, err := a.tell(b, succeed(0, "late"))
	refused(t, err, sessions.CodeCallLate)
}

func TestACallThatRunsTooLongIsHostTimeout(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	sid := a.create(func(s *sessions.Spec) { s.Tools[0].TimeoutS = new(1) }).ID
	b := a.send(sid, call("1", "read_file", `{}`))
	a.claim(b, "h1", 0)
	r := a.ended(b).Calls[0].Result
	require.Equal(t, scheduler.ReasonHostTimeout, *r.Reason)
	require.Equal(t, scheduler.ExecutionUnknown, r.ExecutionStatus)
	require.GreaterOrEqual(t, r.FinishedAt.Sub(r.StartedAt.Time), time.Second, "the time runs from the claim")
}

func TestAnIdleSessionClosesAndOneThatWaitsDoesNot(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	idle := a.create(func(s *sessions.Spec) { s.IdleTTLS = new(1) }).ID
	silently(t, a.replica, a.topic(idle), "session.closed")
	require.Equal(t, "closed", a.session(idle).Status)

	waiting := a.create(func(s *sessions.Spec) { s.IdleTTLS, s.ApprovalTimeoutS = new(3600), new(0) }).ID
	b := a.send(waiting, writes(1)...)
	_, err := sessions.BuiltExpiry(a.Service, a.topic(waiting), 2*time.Hour)
	require.ErrorIs(t, err, sessions.ErrNothingExpired, "an open question keeps it")
	abort(a, b)
	_, err = sessions.BuiltExpiry(a.Service, a.topic(waiting), 2*time.Hour)
	require.NoError(t, err)
}

// TestAClosedSessionGoesWithEveryKey looks at the server itself, one of its own:
// the sweepers of other tests have another retention.
func TestAClosedSessionGoesWithEveryKey(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	a := &actor{replica: configured(t, server.URL(), 50*time.Millisecond, false), t: t, caller: caller()}
	root := a.create(func(s *sessions.Spec) {
		require.NoError(t, json.Unmarshal([]byte(`{"limits": {"tool_output_chars": 5}}`), s))
	}).ID
	child := a.under(root, nil).ID
	for _, sid := range []string{root, child} {
		a.says(a.prompt(sid), "a word")
		b := a.send(sid, call("r", "read_file", `{}`), call("w", "write_file", `{"file_path": "a"}`))
		a.choose(a.question(b, 1), "allow_session")
		a.succeed(b, 0, "a long output")
		a.succeed(b, 1, "another")
		a.send(sid, writes(2)...)
	}
	client := server.Client(t)
	require.NotEmpty(t, keysOf(t, client, a.caller.Tenant))
	topic := a.topic(root)
	require.NoError(t, a.Close(t.Context(), a.caller, root))
	require.EventuallyWithT(t, func(c *assert.CollectT) {
		require.Empty(c, keysOf(t, client, a.caller.Tenant))
	}, patience, 20*time.Millisecond)
	deadlines, err := client.ZRange(t.Context(), "gw:{b"+topic.Session[4:8]+"}:deadlines", 0, -1).Result()
	require.NoError(t, err)
	for _, entry := range deadlines {
		require.NotContains(t, entry, a.caller.Tenant+":ses_", "its audit log outlives it")
	}
	_, err = a.Get(t.Context(), a.caller, root)
	refused(t, err, sessions.CodeNotFound)
	_, _, err = a.Snapshot(t.Context(), topic)
	require.ErrorIs(t, err, stream.ErrNoLog)
}

// keysOf are the keys of a tenant's sessions and of the lists that name them.
func keysOf(t *testing.T, client *redis.Client, tenant string) (out []string) {
	t.Helper()
	scan := client.Scan(context.Background(), 0, "*"+tenant+"*", 1000).Iterator()
	for scan.Next(context.Background()) {
		_, own, _ := strings.Cut(scan.Val(), tenant+":")
		if strings.HasPrefix(own, "ses_") || slices.Contains([]string{"~:sessions", "~:approvals", "~:inbox"}, own) {
			out = append(out, scan.Val())
		}
	}
	require.NoError(t, scan.Err())
	return out
}

// TestDescendantsCloseAlsoWhenTheProcessDiesInBetween commits the closing of
// the parent alone, as a process does that dies right after it.
func TestDescendantsCloseAlsoWhenTheProcessDiesInBetween(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	a := &actor{replica: configured(t, server.URL(), 0, true), t: t, caller: caller()}
	root := a.create(nil).ID
	child := a.under(root, nil).ID
	grandchild := a.under(child, nil).ID
	below := []stream.Topic{a.topic(child), a.topic(grandchild)}
	open := a.send(grandchild, call("1", "read_file", `{}`))
	closing, err := sessions.BuiltClosing(a.Service, a.topic(root))
	require.NoError(t, err)
	require.Equal(t, []string{child}, closing.DueNow)
	require.NoError(t, a.commits(closing))

	other := a.at(configured(t, server.URL(), 0, false))
	for _, topic := range below {
		silently(t, other.replica, topic, "session.closed")
	}
	require.Equal(t, scheduler.ReasonSessionClosed, reason(t, other.read(open), 0))
}

// TestAChildThatWasMadeWhileItsParentClosedClosesToo: the parent's closing had
// been decided before there was a child.
func TestAChildThatWasMadeWhileItsParentClosedClosesToo(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	root := a.create(nil).ID
	closing, err := sessions.BuiltClosing(a.Service, a.topic(root))
	require.NoError(t, err)
	require.Empty(t, closing.DueNow)
	child := a.topic(a.under(root, nil).ID)
	closing.Deadline = new(a.store.Now()) // its retention is over
	require.NoError(t, a.commits(closing))
	silently(t, a.replica, child, "session.closed")
}

func TestAChildWhoseParentIsGoneStaysUnderPlanMode(t *testing.T) {
	t.Parallel()
	a := &actor{replica: configured(t, store.Embedded, 0, true), t: t, caller: caller()}
	root := a.create(nil).ID
	child := a.under(root, func(s *sessions.Spec) { s.ApprovalMode = new(permissions.ModeYolo) }).ID
	require.NoError(t, a.store.Delete(t.Context(), store.Removal{Topic: a.topic(root)}))
	s := a.session(child)
	require.True(t, s.Plan.Inherited)
	require.Equal(t, permissions.ModePlan, s.EffectiveMode)
	b := a.send(child, call("1", "write_file", `{"file_path": "a"}`), call("2", "read_file", `{}`))
	require.Equal(t, scheduler.ReasonPlanModeDenied, reason(t, b, 0))
	require.Equal(t, "completed", a.succeed(b, 1, "x").Status)
}
