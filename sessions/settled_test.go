package sessions_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
)

// touching are changes of everything that a session keeps, some of it more than once.
var touching = []struct {
	name string
	make func(a *actor, sid string) error
}{
	{"labels", func(a *actor, sid string) error {
		_, err := a.SetLabels(a.t.Context(), a.caller, sid, map[string]string{"team": "red"})
		return err
	}},
	{"tools", func(a *actor, sid string) error {
		_, err := a.SetTools(a.t.Context(), a.caller, sid, append(standardTools(), sessions.ToolSpec{Name: "later"}))
		return err
	}},
	{"rules", func(a *actor, sid string) error {
		_, err := a.SetRules(a.t.Context(), a.caller, sid, permissions.Rules{Ask: []string{"run_shell_command"}})
		return err
	}},
	{"host comes", func(a *actor, sid string) error {
		_, err := a.Attach(a.t.Context(), a.caller, sessions.Idempotency{}, sid, sessions.AttachRequest{HostID: "h1"})
		return err
	}},
	{"host goes", func(a *actor, sid string) error {
		hosts, err := a.Hosts(a.t.Context(), a.caller, sid)
		require.NoError(a.t, err)
		return a.Detach(a.t.Context(), a.caller, sid, scheduler.Sender{Host: "h1", Fence: hosts[0].Fence})
	}},
	{"grant", func(a *actor, sid string) error {
		b := a.send(sid, call("g", "run_shell_command", `{"command":"make"}`))
		a.choose(a.question(b, 0), "allow_session")
		a.succeed(b, 0, strings.Repeat("a line\n", 2000)) // an output that is kept beside it
		return nil
	}},
	{"no change of what is settled", func(a *actor, sid string) error {
		b := a.send(sid, call("r", "read_file", `{"file_path":"a"}`))
		a.succeed(b, 0, "x")
		return nil
	}},
	{"plan mode", func(a *actor, sid string) error { a.mode(sid, permissions.ModePlan); return nil }},
	{"plan", func(a *actor, sid string) error {
		_, err := a.PatchPlan(a.t.Context(), a.caller, sid, sessions.PlanPatch{Append: new("first look")})
		return err
	}},
	{"plan approved", func(a *actor, sid string) error {
		b := a.send(sid, call("e", "exit_plan_mode", `{}`))
		a.choose(a.question(b, 0), "default")
		return nil
	}},
	{"plan mode again", func(a *actor, sid string) error { a.mode(sid, permissions.ModePlan); return nil }},
	{"left by hand, with a notice", func(a *actor, sid string) error { a.mode(sid, permissions.ModeDefault); return nil }},
	{"turn", func(a *actor, sid string) error {
		_, err := a.StartTurn(a.t.Context(), a.caller, sessions.Idempotency{}, sid, json.RawMessage(`[{"type":"text","text":"go"}]`))
		return err
	}},
	{"grants revoked", func(a *actor, sid string) error { return a.RevokeGrants(a.t.Context(), a.caller, sid, "") }},
}

// seen is all that can be read of a session's own document.
func seen(a *actor, sid string) string {
	a.t.Helper()
	ctx := a.t.Context()
	tools, revision, err := a.Tools(ctx, a.caller, sid)
	require.NoError(a.t, err)
	plan, err := a.Plan(ctx, a.caller, sid)
	require.NoError(a.t, err)
	grants, err := a.Grants(ctx, a.caller, sid)
	require.NoError(a.t, err)
	hosts, err := a.Hosts(ctx, a.caller, sid)
	require.NoError(a.t, err)
	batches, err := a.Batches(ctx, a.caller, sid, 0, "")
	require.NoError(a.t, err)
	return encoded(a.t, []any{a.session(sid), tools, revision, plan, grants, hosts, batches})
}

// TestAKeptCopyIsReadUpToDate: whoever changes what, replicas with a copy of
// their own see what one sees that has none.
func TestAKeptCopyIsReadUpToDate(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	here := bench(t, server.URL())
	there, without := here.at(bench(t, server.URL()).replica), here.at(bench(t, server.URL()).replica)
	for _, below := range []bool{false, true} {
		sid := unlimited(here)
		if below {
			sid = here.under(sid, nil).ID
		}
		there.mode(sid, permissions.ModeAutoEdit) // a copy there, too
		there.mode(sid, permissions.ModeDefault)
		for i, c := range touching {
			by := []*actor{here, there}[i%2]
			require.NoError(t, c.make(by, sid), c.name)
			want := seen(without, sid)
			require.JSONEq(t, want, seen(here, sid), c.name)
			require.JSONEq(t, want, seen(there, sid), c.name)
		}
	}
}

// TestWhatABuildChangesThatKnowsNothingOfKeptPartsIsSeen: an older build drops
// from the hot state what it does not know, and so says that all has to be read.
func TestWhatABuildChangesThatKnowsNothingOfKeptPartsIsSeen(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	hot := s.redis.HGet(t.Context(), s.key("doc"), "hot").Val()
	var known map[string]json.RawMessage
	require.NoError(t, unmarshal(hot, &known))
	require.Contains(t, known, "st")
	delete(known, "st")
	require.NoError(t, s.redis.HSet(t.Context(), s.key("doc"), "hot", encoded(t, known), "labels", `{"by":"older"}`).Err())
	require.Equal(t, map[string]string{"by": "older"}, s.session(s.sid).Labels)

	s.other.mode(s.sid, permissions.ModeYolo) // from now on there is something to compare
	require.Contains(t, s.redis.HGet(t.Context(), s.key("doc"), "hot").Val(), `"st":`)
	require.Equal(t, map[string]string{"by": "older"}, s.session(s.sid).Labels)
}

// TestWhoIsOvertakenDoesNotReadTheToolsAgain: a document is read whole with
// HGETALL.
func TestWhoIsOvertakenDoesNotReadTheToolsAgain(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	here := bench(t, server.URL())
	there := here.at(bench(t, server.URL()).replica)
	sid := here.create(nil).ID
	there.mode(sid, permissions.ModeAutoEdit)
	client := server.Client(t)
	before := commandsOf(t, client)["hgetall"]
	here.mode(sid, permissions.ModeYolo)
	there.mode(sid, permissions.ModeDefault)
	require.Equal(t, 2, commandsOf(t, client)["hgetall"]-before, "the open batch each time, the document never")
}
