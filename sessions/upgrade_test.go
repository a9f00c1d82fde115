package sessions_test

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/permissions"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/sessions"
	"github.com/session-gateway/gateway/sessions/store"
	"github.com/session-gateway/gateway/stream"
)

// upgrade makes a session look as a newer build leaves it, or rolls it back.
func upgrade(t *testing.T, server *redistest.Server, topic stream.Topic, schema int) {
	t.Helper()
	key := fmt.Sprintf("gw:{b%04d}:%s:%s:doc", topic.Bucket, topic.Tenant, topic.Session)
	require.NoError(t, server.Client(t).HSet(t.Context(), key, "schema", strconv.Itoa(schema)).Err())
}

func TestASessionOfANewerBuildIsReadAndNotWritten(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	a := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	sid := a.create(nil).ID
	b := a.send(sid, call("r", "read_file", `{}`))
	topic, before := a.topic(sid), a.events(sid)
	upgrade(t, server, topic, store.Schema+1)

	writes := map[string]func() error{
		"results": func() error { _, err := a.tell(b, succeed(0, "x")); return err },
		"abort": func() error {
			_, err := a.Abort(t.Context(), a.caller, once("k", "abort", ""), sid, b.ID)
			return err
		},
		"mode":  func() error { _, err := a.SetMode(t.Context(), a.caller, sid, permissions.ModeYolo); return err },
		"close": func() error { return a.Close(t.Context(), a.caller, sid) },
	}
	for name, write := range writes {
		err := write()
		refused(t, err, sessions.CodeUnavailable)
		require.ErrorIs(t, err, store.ErrNewerSchema, name)
	}
	require.Equal(t, b, a.read(b), "it can be read")
	require.Equal(t, "active", a.session(sid).Status)
	require.Equal(t, before, a.events(sid), "and nothing was written")

	upgrade(t, server, topic, store.Schema) // as the newer build's replica would answer
	require.Equal(t, string(scheduler.BatchCompleted), a.succeed(b, 0, "x").Status)
}

func TestTimeDoesNotPassForASessionOfANewerBuild(t *testing.T) {
	t.Parallel()
	server := redistest.Shared(t)
	a := &actor{replica: start(t, server.URL(), nil), t: t, caller: caller()}
	brief := func(s *sessions.Spec) { require.NoError(t, unmarshal(`{"idle_ttl_s": 1}`, s)) }
	newer := a.create(brief).ID
	upgrade(t, server, a.topic(newer), store.Schema+1)
	older := a.create(brief).ID
	silently(t, a.replica, a.topic(older), "session.closed")
	require.Equal(t, "active", a.session(newer).Status, "a replica of that build closes it")
	require.Equal(t, []string{"session.created"}, types(a.events(newer)))
}
