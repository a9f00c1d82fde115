package store

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/stream"
)

// impatient is a store that asks its server once.
func impatient(t *testing.T, server *redistest.Server) *Store {
	t.Helper()
	return opener(t, server.URL()+"?max_retries=-1")()
}

func TestAnOutageIsToldAsSuchByEveryOperation(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, topic := impatient(t, server), newTopic()
	head := create(t, s, topic)
	server.Kill()
	ctx, list := t.Context(), List{Buckets: []uint16{1}, Limit: 1}
	for name, ask := range map[string]func() error{
		"commit":     func() error { return s.Commit(ctx, change(s, topic, head, 1)) },
		"load":       func() error { _, err := s.Load(ctx, Ref{Topic: topic}); return err },
		"docs":       func() error { _, err := s.Docs(ctx, []Ref{{Topic: topic}}); return err },
		"batch":      func() error { _, err := s.Batch(ctx, topic, 1); return err },
		"output":     func() error { _, err := s.Output(ctx, topic, "x"); return err },
		"children":   func() error { _, err := s.Children(ctx, topic); return err },
		"gather":     func() error { _, err := s.Gather(ctx, []Pick{{Topic: topic}}); return err },
		"idempotent": func() error { _, err := s.Idempotent(ctx, topic, "x"); return err },
		"sessions":   func() error { _, err := s.Sessions(ctx, list); return err },
		"approvals":  func() error { _, err := s.Approvals(ctx, list, true); return err },
		"due":        func() error { _, err := s.Due(ctx, []uint16{1}, s.Now(), 1); return err },
		"take":       func() error { _, err := s.Take(ctx, Due{Topic: topic}, s.Now()); return err },
		"delete":     func() error { return s.Delete(ctx, Removal{Topic: topic}) },
		"bounds":     func() error { _, err := s.Bounds(ctx, topic); return err },
		"read":       func() error { _, err := s.Read(ctx, topic, 0, 1); return err },
		"ping":       func() error { return s.Ping(ctx) },
		"sample":     func() error { return s.sample(ctx) },
	} {
		require.ErrorIs(t, ask(), ErrUnavailable, name)
	}
}

func TestAFrozenServerIsAnOutage(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, topic := impatient(t, server), newTopic()
	c := creation(s, topic)
	server.Pause()
	require.ErrorIs(t, s.Commit(t.Context(), c), ErrUnavailable)
	server.Resume()
	eventually(t, func() bool { return s.Commit(t.Context(), c) == nil }, "the same commit may be sent again")
	require.Equal(t, c.head(), load(t, s, topic).Head)
}

func TestAServerThatRefusesToWriteIsAnOutageAndNothingIsHalfWritten(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, topic := impatient(t, server), newTopic()
	head := create(t, s, topic)
	admin := server.Client(t)
	for setting, value := range map[string]string{"maxmemory": "1", "min-replicas-to-write": "1"} {
		before := admin.ConfigGet(t.Context(), setting).Val()[setting]
		require.NoError(t, admin.ConfigSet(t.Context(), setting, value).Err())
		c := change(s, topic, head, 1)
		c.Doc.Del = []string{"x"}
		require.ErrorIs(t, s.Commit(t.Context(), c), ErrUnavailable, setting)
		require.NoError(t, admin.ConfigSet(t.Context(), setting, before).Err())
		require.Equal(t, head, load(t, s, topic).Head)
	}
}

func TestAFullServerAdmitsNothingNew(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s, admin := impatient(t, server), server.Client(t)
	require.NoError(t, s.Admit(t.Context()))
	require.NoError(t, admin.ConfigSet(t.Context(), "maxmemory", "1").Err())
	running(t, s, newSink())
	eventually(t, func() bool { return s.Admit(t.Context()) != nil }, "the sample is fresh")
	require.ErrorIs(t, s.Admit(t.Context()), ErrFull)
}

func TestAServerThatEvictsIsRefused(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	admin := server.Client(t)
	require.NoError(t, admin.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru").Err())
	_, err := Open(t.Context(), Config{URL: server.URL()})
	require.ErrorIs(t, err, ErrInvalid)
	require.ErrorContains(t, err, "allkeys-lru")
}

// startLog is what a store says when it is opened.
func startLog(t *testing.T, url string, replicas int) string {
	t.Helper()
	var log strings.Builder
	s, err := Open(t.Context(), Config{URL: url, Replicas: replicas, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	closed(t, s, err)
	return log.String()
}

func TestAServerThatCannotPersistCanStillBeRead(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	admin, s := server.Client(t), opener(t, server.URL())()
	topic := newTopic()
	head := create(t, s, topic)

	dir, err := admin.ConfigGet(t.Context(), "dir").Result()
	require.NoError(t, err)
	inTheWay := filepath.Join(dir["dir"], "dump.rdb", "not empty")
	require.NoError(t, os.MkdirAll(inTheWay, 0o700))
	require.NoError(t, admin.ConfigSet(t.Context(), "save", "3600 1").Err())
	require.NoError(t, admin.BgSave(t.Context()).Err())
	eventually(t, func() bool { return redis.HasErrorPrefix(admin.Ping(t.Context()).Err(), "MISCONF") }, "it has tried")

	require.ErrorIs(t, s.Commit(t.Context(), change(s, topic, head, 1)), ErrUnavailable)
	heads, err := s.Heads(t.Context(), []stream.Topic{topic})
	require.NoError(t, err)
	require.Equal(t, head, heads[0])
	require.NoError(t, s.Ping(t.Context()), "or nobody would be sent here to read")
}

func TestAUserWhoMayNotRunAllOfACommitIsRefused(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	admin := server.Client(t)
	url := fmt.Sprintf("redis://gateway:secret@%s", server.Addr())
	allow := func(more ...any) {
		user := []any{"ACL", "SETUSER", "gateway", "reset", "on", ">secret", "~gw:*", "&gw:*", "+@all", "-@dangerous", "+info"}
		require.NoError(t, admin.Do(t.Context(), append(user, more...)...).Err())
	}
	allow() // as docs/operations.md has it
	s := opener(t, url)()
	create(t, s, newTopic())
	for _, denied := range []string{"-xadd", "-zadd", "-publish", "resetchannels"} {
		allow(denied)
		_, err := Open(t.Context(), Config{URL: url})
		require.ErrorIs(t, err, ErrInvalid, denied)
	}
	for _, command := range s.committed() { // in time, whatever a commit was to run
		name := strings.ToLower(command[0].(string))
		allow("-" + name)
		_, err := Open(t.Context(), Config{URL: url})
		require.ErrorContains(t, err, name)
	}
}

func TestWhatScriptsRunIsTriedAtTheStart(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{"PUBLISH": true, "SPUBLISH": true}
	for _, command := range (&Store{publish: "PUBLISH"}).committed() {
		tried[command[0].(string)] = true
	}
	for _, source := range []string{commitSource, takeSource, auditSource, leaseSource} {
		for _, called := range regexp.MustCompile(`call\('([A-Z]+)'`).FindAllStringSubmatch(source, -1) {
			require.True(t, tried[called[1]], called[1])
		}
	}
}

func TestAServerThatForgetsIsWarnedOf(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	admin := server.Client(t)
	require.NoError(t, admin.ConfigSet(t.Context(), "appendonly", "no").Err())
	warned := func() string { return startLog(t, server.URL(), 0) }
	require.Contains(t, warned(), "no append-only file")
	require.NoError(t, admin.ConfigSet(t.Context(), "save", "3600 1").Err())
	require.Contains(t, warned(), "snapshots only")
	require.NoError(t, admin.ConfigSet(t.Context(), "appendonly", "yes").Err())
	require.Empty(t, warned())
}

func TestOneAddressOfAClusterIsEnough(t *testing.T) {
	t.Parallel()
	s := opener(t, redistest.SharedCluster(t).Nodes[2].URL())()
	require.Equal(t, "SPUBLISH", s.publish)
	for range 5 {
		create(t, s, newTopic())
	}
}

func TestANodeThatIsDownIsNotALogThatIsGone(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	s := opener(t, cluster.URL()+"&max_retries=-1")()
	topics := make([]stream.Topic, 50)
	for i := range topics {
		topics[i] = newTopic() // none of them exists
	}
	_, err := s.Heads(t.Context(), topics)
	require.NoError(t, err)
	cluster.Nodes[1].Kill()
	_, err = s.Heads(t.Context(), topics)
	require.ErrorIs(t, err, ErrUnavailable)
}

func TestANodeThatIsSilentHidesOnlyWhatItKeeps(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	s := opener(t, cluster.URL())()
	kept := map[string][]stream.Topic{} // by node
	for len(kept) < len(cluster.Nodes) {
		topic, due := newTopic(), s.Now()
		c := creation(s, topic)
		c.Deadline = &due
		require.NoError(t, s.Commit(t.Context(), c))
		node := nodeOf(t, s, topic.Bucket)
		kept[node] = append(kept[node], topic)
	}
	silent := cluster.Nodes[1]
	silent.Pause()

	var expected []stream.Topic
	for node, topics := range kept {
		heads, err := s.Heads(t.Context(), topics)
		for _, head := range heads {
			require.Equal(t, node == silent.Addr(), head == stream.Unread)
		}
		if node == silent.Addr() {
			require.ErrorIs(t, err, ErrUnavailable)
			continue
		}
		require.NoError(t, err)
		expected = append(expected, topics...)
	}
	due, err := s.Due(t.Context(), AllBuckets(), s.Now().Add(time.Second), 10)
	require.ErrorIs(t, err, ErrUnavailable)
	var found []stream.Topic
	for _, d := range due {
		found = append(found, d.Topic)
	}
	require.ElementsMatch(t, expected, found, "time passes for the others")
}

// nodeOf is the address of the node that serves a bucket.
func nodeOf(t testing.TB, s *Store, bucket uint16) string {
	t.Helper()
	node, err := s.subscriber().node(t.Context(), eventsChannel(bucket))
	require.NoError(t, err)
	return node
}
