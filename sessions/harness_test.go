package sessions_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/oklog/ulid/v2"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// replica is a service on a store of its own, running.
type replica struct {
	*sessions.Service
	store    *store.Store
	settings *settings
	post     *post
}

// start runs a replica against a store until the test ends. wrap, if given,
// stands between the store's notices and the replica.
func start(t *testing.T, url string, wrap func(stream.Sink) stream.Sink) *replica {
	t.Helper()
	st, err := store.Open(t.Context(), store.Config{URL: url})
	require.NoError(t, err)
	set := &settings{of: map[string]*tenants.Settings{}}
	mail := &post{}
	service, err := sessions.New(sessions.Config{Store: st, Feed: st, Settings: set.get, Hooks: mail})
	require.NoError(t, err)
	var sink stream.Sink = service
	if wrap != nil {
		sink = wrap(service)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 2)
	go func() { done <- st.Run(ctx, sink) }()
	go func() { done <- service.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
		require.NoError(t, <-done)
		require.NoError(t, st.Close())
	})
	return &replica{Service: service, store: st, settings: set, post: mail}
}

// caller is somebody with every right in a tenant of the test's own.
func caller() tenants.Caller {
	return tenants.Caller{
		Tenant: "t" + lower(ulid.Make().String()), KeyID: "k1", Subject: "ann",
		Roles: []tenants.Role{tenants.RoleAdmin},
	}
}

func lower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// standardTools are a reader, a writer, a shell and an agent.
func standardTools() []sessions.ToolSpec {
	return []sessions.ToolSpec{
		{Name: "read_file", Kind: new(permissions.KindRead)},
		{Name: "write_file", Kind: new(permissions.KindEdit), Aliases: []string{"WriteFile"}},
		{Name: "run_shell_command", Kind: new(permissions.KindExecute)},
		{Name: "agent", Kind: new(permissions.KindThink), Agent: true},
	}
}

func call(id, name, arguments string) scheduler.Input {
	return scheduler.Input{ID: id, Name: name, Arguments: arguments}
}

func batch(calls ...scheduler.Input) sessions.Submission {
	return sessions.Submission{Format: "native", Calls: calls}
}

// create makes a session with the standard tools.
func create(t *testing.T, r *replica, c tenants.Caller, change func(*sessions.Spec)) sessions.Session {
	t.Helper()
	spec := sessions.Spec{Tools: standardTools()}
	if change != nil {
		change(&spec)
	}
	reply, err := r.Create(t.Context(), c, sessions.Idempotency{}, spec)
	require.NoError(t, err)
	return reply.Value
}

// succeed reports a success for a position.
func succeed(position int, output string) sessions.Report {
	return sessions.Report{Results: []sessions.HostResult{{Position: &position, Status: scheduler.StatusSuccess, Output: output}}}
}

// log is the whole event log of a session, its chain verified.
func log(t require.TestingT, r *replica, c tenants.Caller, sid string) []event {
	topic, err := r.Topic(context.Background(), c, sid)
	require.NoError(t, err)
	var out []event
	var head stream.ID
	for {
		page, err := r.store.Read(context.Background(), topic, head.Seq, 256<<10)
		require.NoError(t, err)
		if len(page) == 0 {
			return out
		}
		for _, e := range page {
			require.Equal(t, head.Seq+1, e.Seq, "the log has a gap")
			require.Equal(t, head.Hash, e.Prev)
			require.Equal(t, stream.Next(head.Hash, e.JSON), e.Hash, "the chain is broken")
			head = e.ID()
			var ev event
			require.NoError(t, json.Unmarshal(e.JSON, &ev))
			out = append(out, ev)
		}
	}
}

type event struct {
	Seq     uint64          `json:"seq"`
	Type    string          `json:"type"`
	BatchID string          `json:"batch_id"`
	Data    json.RawMessage `json:"data"`
}

// problem is the refusal that an error carries.
func problem(t require.TestingT, err error) *sessions.Problem {
	var p *sessions.Problem
	require.ErrorAs(t, err, &p)
	return p
}
