package sessions_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/hooks"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/tenants"
)

// traces of the runtime views of tests, in whatever they might be left.
const (
	ofBatch = "view-of-the-batch"
	ofCall  = "view-of-the-call"
)

// viewed submits calls that carry views, as their batch does, under an
// idempotency key.
func (s *stage) viewed(calls ...scheduler.Input) sessions.Batch {
	s.t.Helper()
	in := batch(calls...)
	in.RuntimeView = `{"model":"` + ofBatch + `"}`
	for i := range in.Calls {
		in.Calls[i].RuntimeView = `{"model":"` + ofCall + `"}`
	}
	reply, err := s.Submit(context.Background(), s.caller, once("submit", "POST batches "+s.sid, "b"), s.sid, in)
	require.NoError(s.t, err)
	return reply.Value
}

// left are the keys and fields in which Redis still has a view of the tenant's.
func (s *stage) left() []string {
	s.t.Helper()
	var found []string
	ctx := context.Background()
	keys := s.redis.Scan(ctx, 0, "gw:*"+s.caller.Tenant+"*", 1000).Iterator()
	for keys.Next(ctx) {
		for name, value := range s.values(keys.Val()) {
			if strings.Contains(value, ofBatch) || strings.Contains(value, ofCall) {
				found = append(found, name)
			}
		}
	}
	require.NoError(s.t, keys.Err())
	return found
}

// values is everything that a key holds, by where in it.
func (s *stage) values(key string) map[string]string {
	ctx := context.Background()
	switch kind := s.redis.Type(ctx, key).Val(); kind {
	case "string":
		return map[string]string{key: s.redis.Get(ctx, key).Val()}
	case "hash":
		all := map[string]string{}
		for field, value := range s.redis.HGetAll(ctx, key).Val() {
			all[key+" "+field] = value
		}
		return all
	case "stream":
		all := map[string]string{}
		for _, entry := range s.redis.XRange(ctx, key, "-", "+").Val() {
			all[key+" "+entry.ID] = fmt.Sprint(entry.Values)
		}
		return all
	case "set":
		return map[string]string{key: fmt.Sprint(s.redis.SMembers(ctx, key).Val())}
	case "zset":
		return map[string]string{key: fmt.Sprint(s.redis.ZRange(ctx, key, 0, -1).Val())}
	default:
		require.Contains(s.t, []string{"none"}, kind, "a kind of key that nobody looked into: %s", key)
		return nil
	}
}

// endings lets calls with views end in every way that there is.
var endings = map[string]struct {
	session func(*sessions.Spec)
	hooks   []tenants.Hook
	calls   []scheduler.Input
	brief   bool // it may be over before the test has looked
	end     func(*stage, sessions.Batch)
	reasons []scheduler.Reason
}{
	"results": {
		calls: []scheduler.Input{call("1", "read_file", `{}`), call("2", "read_file", `{"file_path":"b"}`)},
		end: func(s *stage, b sessions.Batch) {
			s.succeed(b, 0, "")
			_, err := s.tell(b, sessions.Report{Results: []sessions.HostResult{{Position: new(1), Status: scheduler.StatusError}}})
			require.NoError(s.t, err)
		},
		reasons: []scheduler.Reason{"", "host_error"},
	},
	"refused at once": {
		session: func(s *sessions.Spec) { s.Rules = &permissions.Rules{Deny: []string{"write_file"}} },
		calls: []scheduler.Input{
			call("1", "nothing", `{}`), call("2", "write_file", `{"file_path":"a"}`), call("3", "read_file", `[]`), call("1", "nothing", `{}`),
		},
		reasons: []scheduler.Reason{"tool_not_registered", "permission_denied", "invalid_tool_params", "duplicate_call"},
	},
	"skipped at the boundary": {
		calls:   []scheduler.Input{call("1", "write_file", `{"file_path":"a"}`), call("2", "enter_plan_mode", `{}`)},
		reasons: []scheduler.Reason{"plan_boundary", ""},
	},
	"a loop": {
		session: func(s *sessions.Spec) {
			s.Loop = &struct {
				IdenticalCalls *int `json:"identical_calls"`
				CallsPerTurn   *int `json:"calls_per_turn"`
			}{IdenticalCalls: new(2)}
		},
		calls:   []scheduler.Input{call("1", "read_file", `{}`), call("2", "read_file", `{}`)},
		reasons: []scheduler.Reason{"loop_detected", "loop_detected"},
	},
	"rejected, turn stopped": {
		session: func(s *sessions.Spec) { s.Runtime = new(scheduler.RuntimeACP) },
		calls:   []scheduler.Input{call("1", "write_file", `{"file_path":"a"}`), call("2", "read_file", `{}`)},
		end:     func(s *stage, b sessions.Batch) { s.choose(s.question(b, 0), "reject") },
		reasons: []scheduler.Reason{"approval_rejected", "turn_stopped"},
	},
	"a question that expired": {
		session: func(s *sessions.Spec) { s.ApprovalTimeoutS = new(1) },
		brief:   true,
		calls:   []scheduler.Input{call("1", "write_file", `{"file_path":"a"}`)},
		reasons: []scheduler.Reason{"approval_expired"},
	},
	"nobody to ask": {
		session: func(s *sessions.Spec) { s.Approvals = new("none") },
		calls:   []scheduler.Input{call("1", "write_file", `{"file_path":"a"}`)},
		reasons: []scheduler.Reason{"approval_unavailable"},
	},
	"the budget is spent": {
		session: func(s *sessions.Spec) { s.Runtime, s.MaxToolCalls = new(scheduler.RuntimeHeadless), new(1) },
		calls: []scheduler.Input{
			call("1", "read_file", `{}`), call("2", "read_file", `{"file_path":"b"}`), call("3", "read_file", `{"file_path":"c"}`),
		},
		end:     func(s *stage, b sessions.Batch) { s.succeed(b, 0, "") },
		reasons: []scheduler.Reason{"", "max_tool_calls", "turn_stopped"},
	},
	"denied by a hook, and silence of one": {
		session: func(s *sessions.Spec) { s.Rules = &permissions.Rules{Allow: []string{"*"}} },
		hooks: []tenants.Hook{
			{ID: "h", Events: []tenants.HookEvent{tenants.HookPreToolUse, tenants.HookPostToolUse, tenants.HookPostToolBatch}, TimeoutMS: 5000},
		},
		calls: []scheduler.Input{call("1", "read_file", `{}`), call("2", "write_file", `{"file_path":"a"}`)},
		end: func(s *stage, b sessions.Batch) {
			s.put(b, 0).Done(context.Background(), hooks.Answer{Verdict: tenants.HookDeny})
		},
		reasons: []scheduler.Reason{"hook_denied", "hook_denied"},
	},
	"nobody takes it": {
		session: func(s *sessions.Spec) { s.ClaimTimeoutS = new(1) },
		brief:   true,
		calls:   []scheduler.Input{call("1", "read_file", `{}`)},
		reasons: []scheduler.Reason{"host_unavailable"},
	},
	"it runs too long": {
		session: func(s *sessions.Spec) { s.Tools[0].TimeoutS = new(1) },
		calls:   []scheduler.Input{call("1", "read_file", `{}`)},
		end:     func(s *stage, b sessions.Batch) { s.claim(b, "h", 0) },
		reasons: []scheduler.Reason{"host_timeout"},
	},
	"its host is lost": {
		calls: []scheduler.Input{call("1", "read_file", `{}`)},
		end: func(s *stage, b sessions.Batch) {
			h := s.attach(s.actor, "h")
			require.True(s.t, h.runs(b, 0))
			h.diesLongAgo()
		},
		reasons: []scheduler.Reason{"host_lost"},
	},
	"denied since": {
		calls:   []scheduler.Input{call("1", "read_file", `{}`)},
		end:     func(s *stage, _ sessions.Batch) { s.rules(s.sid, permissions.Rules{Deny: []string{"*"}}) },
		reasons: []scheduler.Reason{"permission_denied"},
	},
	"plan mode since": {
		session: func(s *sessions.Spec) { s.Rules = &permissions.Rules{Allow: []string{"*"}} },
		calls:   []scheduler.Input{call("1", "write_file", `{"file_path":"a"}`)},
		end:     func(s *stage, _ sessions.Batch) { s.mode(s.sid, permissions.ModePlan) },
		reasons: []scheduler.Reason{"plan_mode_denied"},
	},
	"a structured answer": {
		session: func(s *sessions.Spec) {
			s.StructuredOutput = &sessions.StructuredOutput{Schema: scheduler.RawJSON(`{"type":"object"}`)}
		},
		calls:   []scheduler.Input{call("1", "read_file", `{}`), call("2", "structured_output", `{}`)},
		reasons: []scheduler.Reason{"structured_output_precedence", ""},
	},
	"aborted": {
		calls: []scheduler.Input{call("1", "read_file", `{}`), call("2", "write_file", `{"file_path":"a"}`)},
		end: func(s *stage, b sessions.Batch) {
			_, err := s.Abort(context.Background(), s.caller, sessions.Idempotency{}, s.sid, b.ID)
			require.NoError(s.t, err)
		},
		reasons: []scheduler.Reason{"aborted", "aborted"},
	},
	"session closed": {
		calls: []scheduler.Input{call("1", "read_file", `{}`), call("2", "write_file", `{"file_path":"a"}`)},
		end: func(s *stage, b sessions.Batch) {
			require.NoError(s.t, s.Close(context.Background(), s.caller, s.sid))
		},
		reasons: []scheduler.Reason{"session_closed", "session_closed"},
	},
}

// TestNoRuntimeViewIsLeft looks through all that Redis holds, once calls with
// views have ended in every way.
func TestNoRuntimeViewIsLeft(t *testing.T) {
	t.Parallel()
	for name, e := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t)
			if e.hooks != nil {
				s = alone(t)
			}
			s.sid = s.create(e.session).ID
			s.place = s.topic(s.sid)
			s.hooked(e.hooks...)
			b := s.viewed(e.calls...)
			if b.Status == "running" && !e.brief {
				require.NotEmpty(t, s.left(), "the test looks where views are")
			}
			if e.end != nil {
				e.end(s, b)
			}
			now := s.other.ended(b)
			var reasons []scheduler.Reason
			for i := range now.Calls {
				reasons = append(reasons, reason(t, now, i))
			}
			require.Equal(t, e.reasons, reasons)
			require.Empty(t, s.left())
			require.NotContains(t, encoded(t, now), "view-of-the-")
		})
	}
}

func TestARuntimeViewIsShownToHostsAndOnlyWhileItsCallIsOpen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	own := call("1", "read_file", `{}`)
	own.RuntimeView = `{"model":"` + ofCall + `"}`
	in := batch(own, call("2", "read_file", `{"file_path":"b"}`), call("3", "write_file", `{"file_path":"c"}`))
	in.RuntimeView = `{ "model": "` + ofBatch + `" }`
	reply, err := s.Submit(t.Context(), s.caller, once("k", "POST batches", "b"), s.sid, in)
	require.NoError(t, err)
	b := reply.Value
	require.Equal(t, in.RuntimeView, string(b.RuntimeView), "byte for byte")
	require.Equal(t, own.RuntimeView, string(b.Calls[0].RuntimeView))
	require.Empty(t, b.Calls[1].RuntimeView)

	s.choose(s.question(b, 2), "reject")
	require.Contains(t, encoded(t, s.other.as("host", tenants.RoleHost).read(b)), ofBatch)
	for _, role := range []tenants.Role{tenants.RoleViewer, tenants.RoleFrontend} {
		require.NotContains(t, encoded(t, s.as("somebody", role).read(b)), "view-of-the-")
	}
	claims := s.claim(b, "h", 0, 1, 2)
	require.Equal(t, own.RuntimeView, string(claims[0].Call.RuntimeView))
	require.Equal(t, in.RuntimeView, string(claims[1].Call.RuntimeView), "in place of its own")
	require.False(t, claims[2].Granted)
	require.Empty(t, claims[2].Call.RuntimeView)

	again, err := s.other.Submit(t.Context(), s.caller, once("k", "POST batches", "b"), s.sid, in)
	require.NoError(t, err)
	require.True(t, again.Replayed)
	require.NotContains(t, encoded(t, again.Value), "view-of-the-", "stored answers have none")
	snapshot, _, err := s.Snapshot(t.Context(), s.place)
	require.NoError(t, err)
	require.NotContains(t, string(snapshot), "view-of-the-")

	r := succeed(0, "")
	r.HostID = new("h")
	told, err := s.tell(b, r)
	require.NoError(t, err)
	require.Empty(t, told.Value.Calls[0].RuntimeView)
	require.NotEmpty(t, told.Value.RuntimeView, "another call is open")
	require.False(t, slices.ContainsFunc(s.left(), func(at string) bool { return strings.HasSuffix(at, " v:0") }))
}
