package sessions_test

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

func allowing(s *sessions.Spec) { s.Rules = &permissions.Rules{Allow: []string{"*"}} }

func TestAVerdictSendsItsCallOn(t *testing.T) {
	t.Parallel()
	redis := &actor{replica: start(t, redistest.Start(t).URL(), nil), t: t, caller: caller()}
	for verdict, want := range map[tenants.HookVerdict]scheduler.CallState{
		tenants.HookPass: scheduler.StateDispatched, tenants.HookAsk: scheduler.StateAwaitingApproval,
		tenants.HookDeny: scheduler.StateDone, "whatever": scheduler.StateDone,
	} {
		for name, a := range map[string]*actor{"embedded": embedded(t), "redis": redis} {
			a.sets(tenants.Settings{Hooks: []tenants.Hook{gate("g")}})
			sid := a.create(allowing).ID
			b := a.send(sid, call("1", "write_file", `{"file_path":"a"}`))
			require.Equal(t, []scheduler.CallState{scheduler.StateAwaitingHook}, states(b), name)

			m := a.put(b, 0)
			v := a.body(m)
			require.Equal(t, []string{a.caller.Tenant, sid, b.ID}, []string{v.Data.Tenant, v.Data.Session.ID, v.Data.BatchID})
			require.Equal(t, map[string]any{"file_path": "a"}, v.Data.Call["arguments"])
			require.Equal(t, "g", m.Hook.ID)
			says(m, verdict)
			require.Equal(t, []scheduler.CallState{want}, states(a.read(b)), "%s %s", name, verdict)

			kinds := []string{}
			for _, e := range a.events(sid) {
				kinds = append(kinds, e.Type)
			}
			require.Contains(t, strings.Join(kinds, " "), "batch.started hook.requested hook.resolved", name)
		}
	}
}

func TestTheReasonOfADenyIsTold(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Hooks: []tenants.Hook{gate("g")}})
	b := a.send(a.create(allowing).ID, call("1", "read_file", `{}`))
	says(a.put(b, 0), tenants.HookDeny)
	b = a.ended(b)
	require.EqualValues(t, "hook_denied", *b.Calls[0].Result.Reason)
	require.Contains(t, b.Calls[0].Result.Output, "because")
}

func TestASweeperAsksAgainUnderTheSameID(t *testing.T) {
	t.Parallel()
	s := alone(t)
	s.hooked(gate("g"))
	s.post.loses(true) // its replica dies right after the commit
	b := s.send(s.sid, call("1", "read_file", `{}`))

	s.comesDueOutside()
	first := s.other.put(b, 0)
	s.comesDueOutside()
	require.Equal(t, first.ID, s.other.arrives(tenants.HookPreToolUse, 2)[1].ID)
	says(first, tenants.HookPass)
	require.Equal(t, scheduler.StateDispatched, s.read(b).Calls[0].State)
}

// This one waits for the sweepers themselves.
func TestAQuestionThatIsNotAnsweredIsPutAgainUnderTheSameID(t *testing.T) {
	t.Parallel()
	s := alone(t)
	g := gate("g")
	g.TimeoutMS = 30_000 // asked again after an eighth of it
	s.hooked(g)
	b := s.send(s.sid, call("1", "read_file", `{}`))
	first := s.put(b, 0)
	all := arrivals(t, func(ms []hooks.Message) bool { return len(ms) >= 2 }, tenants.HookPreToolUse, s.post, s.other.post)
	for _, m := range all {
		require.Equal(t, first.ID, m.ID)
	}
	says(first, tenants.HookPass)
	require.Equal(t, scheduler.StateDispatched, s.other.read(b).Calls[0].State)
}

func TestTwoVerdictsRaceAndOneStands(t *testing.T) {
	t.Parallel()
	s := alone(t)
	for range 10 {
		s.begin()
		s.hooked(gate("g"))
		b := s.send(s.sid, call("1", "read_file", `{}`))
		m := s.put(b, 0)
		s.comesDueOutside()
		other := s.other.put(b, 0)
		var both sync.WaitGroup
		both.Go(func() { says(m, tenants.HookPass) })
		both.Go(func() { says(other, tenants.HookDeny) })
		both.Wait()
		resolved := 0
		for _, e := range s.events(s.sid) {
			if e.Type == "hook.resolved" {
				resolved++
			}
		}
		require.Equal(t, 1, resolved)
		require.NotEqual(t, scheduler.StateAwaitingHook, s.read(b).Calls[0].State)
	}
}

func TestSilenceDeniesAndALateVerdictIsDropped(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	g := gate("g")
	g.TimeoutMS = 3000 // it is asked before
	a.sets(tenants.Settings{Hooks: []tenants.Hook{g}})
	sid := a.create(allowing).ID
	b := a.send(sid, call("1", "read_file", `{}`))
	m := a.put(b, 0)
	b = a.ended(b)
	require.EqualValues(t, "hook_denied", *b.Calls[0].Result.Reason)
	before := a.events(sid)
	says(m, tenants.HookPass)
	require.Equal(t, before, a.events(sid))
	require.Equal(t, b, a.read(b))
}

func TestManyVerdictsOfOneBatchAreAllHeard(t *testing.T) {
	t.Parallel()
	s := alone(t)
	s.hooked(gate("g"), gate("h"))
	var calls []scheduler.Input
	for i := range 60 {
		id := strconv.Itoa(i)
		calls = append(calls, call(id, "read_file", `{"file_path":"`+id+`"}`))
	}
	b := s.send(s.sid, calls...)
	put := map[string]hooks.Message{}
	arrivals(t, func(ms []hooks.Message) bool {
		for _, m := range ms {
			put[m.Hook.ID+m.ID] = m
		}
		return len(put) == 120
	}, tenants.HookPreToolUse, s.post, s.other.post)
	var receivers sync.WaitGroup
	for _, m := range put {
		receivers.Go(func() { says(m, tenants.HookPass) })
	}
	receivers.Wait()
	require.NotContains(t, states(s.other.read(b)), scheduler.StateAwaitingHook)
}

func TestSkippedCallsReachNoHook(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Hooks: []tenants.Hook{gate("g"), listener("l", tenants.HookPostToolUse, tenants.HookPostToolBatch)}})
	b := a.send(a.create(allowing).ID, call("1", "write_file", `{"file_path":"a"}`), call("2", "enter_plan_mode", `{}`))
	require.Equal(t, "completed", b.Status)
	whole := a.body(a.arrives(tenants.HookPostToolBatch, 1)[0])
	require.Len(t, whole.Data.Results, 2, "skipped ones too")
	require.Equal(t, "plan_boundary", whole.Data.Results[0]["reason"])
	for _, m := range a.arrives(tenants.HookPostToolUse, 1) {
		require.Equal(t, "enter_plan_mode", a.body(m).Data.Call["tool"], "only what has started, however often it is told")
	}
	require.Empty(t, a.post.webhooks(tenants.HookPreToolUse))
}

func TestRulesThatDenyEndACallThatWaitsForAHook(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Hooks: []tenants.Hook{gate("g")}})
	sid := a.create(allowing).ID
	b := a.send(sid, call("1", "write_file", `{"file_path":"a"}`))
	m := a.put(b, 0)
	a.mode(sid, permissions.ModePlan)
	require.EqualValues(t, "plan_mode_denied", *a.ended(b).Calls[0].Result.Reason)
	says(m, tenants.HookPass)
	require.EqualValues(t, "plan_mode_denied", *a.read(b).Calls[0].Result.Reason)
}

func TestPeopleAreCalledForAnApproval(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Hooks: []tenants.Hook{listener("pager", tenants.HookApprovalRequested)}})
	b := a.send(a.create(nil).ID, call("1", "write_file", `{"file_path":"a"}`))
	m := a.arrives(tenants.HookApprovalRequested, 1)[0]
	require.Equal(t, a.question(b, 0), a.body(m).Data.Approval["id"])
}

func TestACPHasNoPostToolBatch(t *testing.T) {
	t.Parallel()
	a := embedded(t)
	a.sets(tenants.Settings{Hooks: []tenants.Hook{listener("l", tenants.HookPostToolUse, tenants.HookPostToolBatch)}})
	b := a.send(a.create(func(s *sessions.Spec) { s.Runtime = new(scheduler.RuntimeACP) }).ID, call("1", "read_file", `{}`))
	a.succeed(b, 0, strings.Repeat("long ", 1000))
	each := a.body(a.arrives(tenants.HookPostToolUse, 1)[0])
	require.Equal(t, true, each.Data.Result["output_preview"])
	require.Len(t, each.Data.Result["output"], 1024)
	require.Empty(t, a.post.webhooks(tenants.HookPostToolBatch))
}

func TestANotificationIsSentAgainUntilItWasTaken(t *testing.T) {
	t.Parallel()
	s := alone(t)
	s.hooked(listener("l", tenants.HookPostToolUse))
	s.post.loses(true)
	b := s.send(s.sid, call("1", "read_file", `{}`))
	s.succeed(b, 0, "out")
	s.comesDueOutside()
	first := s.other.arrives(tenants.HookPostToolUse, 1)[0]
	s.comesDueOutside()
	require.Equal(t, first.ID, s.other.arrives(tenants.HookPostToolUse, 2)[1].ID)
	first.Done(context.Background(), noAnswer)
	require.Zero(t, s.redis.Exists(t.Context(), s.key("outbox")).Val(), "taken: nothing is left to tell")
}
