package store

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9/logging"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/session-gateway/gateway/internal/redistest"
	"github.com/session-gateway/gateway/stream"
)

func TestMain(m *testing.M) {
	logging.Disable() // outages are what some tests are about
	goleak.VerifyTestMain(redistest.Main(m))
}

// drivers are the servers that every test of the suite runs against. The
// function they give opens stores on one server, as replicas do.
var drivers = []struct {
	name string
	open func(testing.TB) func() *Store
}{
	{"embedded", func(tb testing.TB) func() *Store {
		e, err := newEmbedded(0)
		require.NoError(tb, err)
		return func() *Store {
			s, err := openEmbedded(tb.Context(), Config{URL: Embedded}, e)
			return closed(tb, s, err)
		}
	}},
	{"redis", func(tb testing.TB) func() *Store { return opener(tb, redistest.Shared(tb).URL()) }},
	{"cluster", func(tb testing.TB) func() *Store { return opener(tb, redistest.SharedCluster(tb).URL()) }},
}

func opener(tb testing.TB, url string) func() *Store {
	return func() *Store {
		s, err := Open(tb.Context(), Config{URL: url})
		return closed(tb, s, err)
	}
}

// closed is a store that ends with the test. It takes commits that a busy
// machine has held up on their way.
func closed(tb testing.TB, s *Store, err error) *Store {
	tb.Helper()
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })
	s.skew = patience
	return s
}

// onEveryDriver runs a test on each server, with an opener of stores.
func onEveryDriver(t *testing.T, test func(t *testing.T, open func() *Store)) {
	t.Helper()
	t.Parallel()
	for _, d := range drivers {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			test(t, d.open(t))
		})
	}
}

var tenants atomic.Int64

// newTopic is a session of a tenant that no other test uses.
func newTopic() stream.Topic {
	n := tenants.Add(1)
	tenant := fmt.Sprintf("tenant%d", n)
	return stream.Topic{Bucket: BucketsOf(tenant)[0], Tenant: tenant, Session: "ses_1"}
}

// sibling is another session of the same tenant and bucket.
func sibling(t stream.Topic, sid string) stream.Topic {
	t.Session = sid
	return t
}

var commits atomic.Int64

// change is a commit of n events behind head.
func change(s *Store, t stream.Topic, head stream.ID, n int) Commit {
	drafts := make([]stream.Draft, n)
	for i := range drafts {
		drafts[i] = stream.Draft{Type: "session.updated", Data: []byte(`{"tags":[],"n":9007199254740993}`)}
	}
	now := s.Now()
	return Commit{
		ID: fmt.Sprintf("commit%d", commits.Add(1)), Topic: t, Now: now, Expect: head,
		Events: stream.Seal(head, t.Session, now, drafts),
	}
}

// answered is the commit of an answer that changed nothing else.
func answered(s *Store, t stream.Topic, head stream.ID, i Idempotency) Commit {
	c := change(s, t, head, 0)
	c.Idempotency = &i
	return c
}

// creation is the commit of a new session.
func creation(s *Store, t stream.Topic) Commit {
	c := change(s, t, stream.ID{}, 1)
	mode := "1:default"
	c.Create, c.IndexSession, c.Mode = true, true, &mode
	c.Doc.Set = Fields{"hot": `{"status":"active"}`}
	return c
}

// create makes a session and answers its head.
func create(t testing.TB, s *Store, topic stream.Topic) stream.ID {
	t.Helper()
	c := creation(s, topic)
	acknowledged(t, s, c)
	return c.head()
}

// acknowledged sends a commit until replicas have it, if they are waited for.
func acknowledged(t testing.TB, s *Store, c Commit) {
	t.Helper()
	err := s.Commit(t.Context(), c)
	if errors.Is(err, ErrNotReplicated) {
		eventually(t, func() bool { return s.Commit(t.Context(), c) == nil }, "replicas have it")
		return
	}
	require.NoError(t, err)
}

func load(t testing.TB, s *Store, topic stream.Topic) *Record {
	t.Helper()
	r, err := s.Load(t.Context(), Ref{Topic: topic})
	require.NoError(t, err)
	return r
}

// running runs a store's background work until the test ends.
func running(t testing.TB, s *Store, sink stream.Sink) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, sink) }()
	t.Cleanup(func() { cancel(); require.NoError(t, <-done) })
}

// patience is for what another goroutine or server does. It is far over what it
// takes, for the sake of busy machines.
const patience = 90 * time.Second
