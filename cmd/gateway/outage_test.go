package main

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// outagePatience is how long a refusal may take while Redis is away: the
// store's limit for one command, and what a busy machine adds.
const outagePatience = 30 * time.Second

// submission is a POST that can be sent again.
func submission(sid, key string) casetest.Call {
	return casetest.Call{
		Method: http.MethodPost, Path: "/v1/sessions/" + sid + "/batches",
		Header: map[string]string{"Idempotency-Key": key},
		Body:   object{"calls": []object{{"id": "c_" + key, "name": "read_file", "arguments": object{"path": key}}}},
	}
}

// refusedWhileAway wants a write to be refused in time, as one to repeat.
func (s *stand) refusedWhileAway(t *testing.T, call casetest.Call, why string) {
	t.Helper()
	began := time.Now()
	answer, err := s.Host.Do(t.Context(), call)
	require.NoError(t, err, why)
	require.Equal(t, http.StatusServiceUnavailable, answer.Status, "%s: %s", why, answer.Body)
	require.NotEmpty(t, answer.Header.Get("Retry-After"), why)
	require.Less(t, time.Since(began), outagePatience, why)
}

// untilAccepted repeats a call until it is accepted, once and for all.
func (s *stand) untilAccepted(t *testing.T, call casetest.Call) (b casetest.Batch) {
	t.Helper()
	require.Eventually(t, func() bool { return s.Host.Send(t.Context(), call, &b) == nil }, e2eTimeout, 50*time.Millisecond)
	return b
}

func TestAnOutageOfRedisRefusesWritesKeepsStreamsAndLosesNothing(t *testing.T) {
	t.Parallel()
	redis := redistest.Start(t)
	// Else a write may still wait in the process for its turn to be synced.
	always := func() {
		require.NoError(t, redis.Client(t).ConfigSet(t.Context(), "appendfsync", "always").Err())
	}
	always()
	s := startStand(t, "--redis="+redis.URL())
	sid := s.session(t, `{"tools": "@standard"}`).ID
	feed := s.follow(t, sid, casetest.Chain{})
	until(t, feed, "session.created")
	restart := func() { redis.Restart(); always() }
	for n, o := range []struct {
		name       string
		begin, end func()
	}{{"killed", redis.Kill, restart}, {"frozen", redis.Pause, redis.Resume}} {
		call := submission(sid, fmt.Sprint(n))
		o.begin()
		s.refusedWhileAway(t, call, o.name)
		o.end()
		b := s.untilAccepted(t, call)
		_, err := s.Host.Report(t.Context(), sid, b.ID, "h", object{"position": 0, "status": "success", "output": "ok"})
		require.NoError(t, err, o.name)
		until(t, feed, "batch.completed") // on the stream that was open all the time
	}
	s.sameAsLog(t, sid, feed.Events())
	for _, e := range feed.Events() {
		require.NotEqual(t, casetest.TypeReset, e.Type)
	}
}

func TestWritesThatReplicasLackAreAnsweredOnceTheyHaveThem(t *testing.T) {
	t.Parallel()
	guarded := redistest.StartSentinel(t)
	s := startStand(t, "--redis="+guarded.URL(), "--durability=replicated=2")
	var sid string
	require.Eventually(t, func() bool { // a busy machine's replicas may be late too
		made, err := s.Person.CreateSession(t.Context(), object{"tools": casetest.StandardTools()})
		sid = made.ID
		return err == nil
	}, e2eTimeout, 50*time.Millisecond)
	guarded.Nodes[2].Pause()
	call := submission(sid, "k")
	for range 2 {
		refused(t, s.Host.Send(t.Context(), call, nil), http.StatusServiceUnavailable, "not_replicated")
	}
	s.refusedWhileAway(t, call, "a replica is frozen")
	b, err := s.Host.Session(t.Context(), sid)
	require.NoError(t, err)
	require.NotNil(t, b.OpenBatchID, "it stands, and reads don't wait")
	guarded.Nodes[2].Resume()
	require.Equal(t, *b.OpenBatchID, s.untilAccepted(t, call).ID)
}

// TestARevocationIsAcknowledgedWhenNoFailoverBringsTheKeyBack takes alice's key
// while a replica is frozen, and promotes that one afterwards.
func TestARevocationIsAcknowledgedWhenNoFailoverBringsTheKeyBack(t *testing.T) {
	t.Parallel()
	guarded := redistest.StartSentinel(t)
	flags := []string{"--redis=" + guarded.URL(), "--durability=replicated=2"}
	s := startStand(t, flags...)
	revoke := casetest.Call{Method: http.MethodDelete, Path: "/v1/admin/tenants/acme/keys/alice"}
	guarded.Nodes[2].Pause()
	refused(t, s.admin.Send(t.Context(), revoke, nil), http.StatusServiceUnavailable, "not_replicated")
	list := casetest.Call{Method: http.MethodGet, Path: "/v1/sessions"}
	refused(t, s.Person.Send(t.Context(), list, nil), http.StatusUnauthorized, "unauthenticated")
	guarded.Nodes[2].Resume()
	require.Eventually(t, func() bool { return s.admin.Send(t.Context(), revoke, nil) == nil }, e2eTimeout, 50*time.Millisecond)

	primary, err := guarded.Primary(t.Context())
	require.NoError(t, err)
	primary.Kill()
	require.NoError(t, guarded.AwaitFailover(t.Context(), primary))
	again := startStand(t, flags...)
	refused(t, again.Person.Send(t.Context(), list, nil), http.StatusUnauthorized, "unauthenticated")
	require.NoError(t, again.admin.Send(t.Context(), list, nil))
}
