package main

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/apitest"
	"github.com/session-gateway/gateway/internal/casetest"
	"github.com/session-gateway/gateway/internal/redistest"
)

// mortal is a gateway process on a Redis that outlives it.
type mortal struct {
	*stand
	t     *testing.T
	flags []string
	run   *process
}

func startMortal(t *testing.T) *mortal {
	t.Helper()
	m := &mortal{t: t, flags: []string{"--redis=" + redistest.Start(t).URL(), "--bootstrap=" + bootstrapFile(t)}}
	m.restart()
	return m
}

// kill ends the process as kill -9 does.
func (m *mortal) kill() { m.run.kill() }

// restart runs another process on the same Redis, at another address.
func (m *mortal) restart() {
	m.t.Helper()
	m.run = startProcess(m.t, m.flags...)
	m.stand = standAt(m.t, m.run.base)
}

// follow reads a session's stream from behind a place until the test ends.
func (s *stand) follow(t *testing.T, sid string, behind casetest.Chain) *casetest.Feed {
	t.Helper()
	feed, err := s.Host.Follow(t.Context(), sid, behind)
	require.NoError(t, err)
	t.Cleanup(feed.Close)
	return feed
}

// until reads events up to the first of a type.
func until(t *testing.T, feed *casetest.Feed, eventType string) []casetest.Event {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), e2eTimeout)
	defer cancel()
	events, err := feed.Until(ctx, func(e casetest.Event) bool { return e.Type == eventType })
	require.NoError(t, err, "waiting for %s", eventType)
	return events
}

// pending is the one open approval of a session.
func (s *stand) pending(t *testing.T, sid string) casetest.Approval {
	t.Helper()
	open, err := s.Person.Approvals(t.Context(), sid, "pending")
	require.NoError(t, err)
	require.Len(t, open, 1)
	return open[0]
}

// A read and a write in a session that asks for writes.
const (
	askingSession = `{"tools": "@standard"}`
	readAndWrite  = `{"calls": [
		{"id": "r1", "name": "read_file", "arguments": {"file_path": "a.go"}},
		{"id": "w1", "name": "write_file", "arguments": {"file_path": "a.go", "content": "x"}}]}`
)

func TestABatchThatWaitsForAnApprovalOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	session := m.session(t, askingSession)
	batch := m.submit(t, session.ID, readAndWrite)
	before := m.follow(t, session.ID, casetest.Chain{})
	until(t, before, "approval.requested")
	known, err := m.Host.Session(t.Context(), session.ID)
	require.NoError(t, err)

	m.kill()
	m.restart()

	again, err := m.Host.Session(t.Context(), session.ID)
	require.NoError(t, err)
	require.Equal(t, known, again, "the session is as it was")
	asked := m.pending(t, session.ID)
	require.Equal(t, []string{asked.ID}, again.OpenApprovals, "pending approvals are listed")
	before.Close()
	after := m.follow(t, session.ID, before.Place())
	_, err = m.Person.Respond(t.Context(), asked.ID, object{"option_id": "allow_once"})
	require.NoError(t, err)

	crew := casetest.Crew{Players: m.Players, Feed: after}
	batch, events, err := crew.Finish(t.Context(), batch)
	require.NoError(t, err, "the answer resumes dispatch")
	require.NoError(t, casetest.CheckResults(batch, events))
	require.Equal(t, "approval.resolved", events[0].Type)
	for _, call := range batch.Calls {
		require.Equal(t, "success", call.Result.Status)
	}
	m.sameAsLog(t, session.ID, append(before.Events(), after.Events()...))
}

// sameAsLog holds what readers saw against the whole log, and the log against
// the contract.
func (s *stand) sameAsLog(t *testing.T, sid string, seen []casetest.Event) {
	t.Helper()
	session, err := s.Host.Session(t.Context(), sid)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), e2eTimeout)
	defer cancel()
	log, err := s.follow(t, sid, casetest.Chain{}).Until(ctx, func(e casetest.Event) bool { return e.ID == session.LastEventID })
	require.NoError(t, err)
	require.NoError(t, casetest.SameEvents(log, seen), "no gap and no event twice")
	for _, e := range log {
		require.NoError(t, apitest.LoadContract(t).CheckEvent(e.JSON))
	}
}

func TestAnAnswerThatWasStoredIsNotAskedForAgain(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	session := m.session(t, askingSession)
	batch := m.submit(t, session.ID, readAndWrite)
	_, err := m.Person.Respond(t.Context(), m.pending(t, session.ID).ID, object{"option_id": "allow_once"})
	require.NoError(t, err)

	m.kill()
	m.restart()

	open, err := m.Person.Approvals(t.Context(), session.ID, "pending")
	require.NoError(t, err)
	require.Empty(t, open)
	batch, events, err := (&casetest.Crew{Players: m.Players, Feed: m.follow(t, session.ID, casetest.Chain{})}).Finish(t.Context(), batch)
	require.NoError(t, err)
	require.NoError(t, casetest.CheckResults(batch, events))
}

func TestWhatAHostHoldsItHoldsAfterARestart(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	session := m.session(t, `{"tools": "@standard", "approval_mode": "yolo"}`)
	batch := m.submit(t, session.ID, `{"calls": [{"id": "s1", "name": "run_shell_command", "arguments": {"command": "make"}}]}`)
	_, err := m.Host.Claim(t.Context(), session.ID, batch.ID, "host-1", 0)
	require.NoError(t, err)

	m.kill()
	m.restart()

	result := object{"position": 0, "status": "success", "output": "made"}
	_, err = m.Host.Report(t.Context(), session.ID, batch.ID, "host-2", result)
	refused(t, err, http.StatusConflict, "call_held")
	batch, err = m.Host.Report(t.Context(), session.ID, batch.ID, "host-1", result)
	require.NoError(t, err)
	require.Equal(t, "completed", batch.Status)

	m.kill()
	m.restart()

	again, err := m.Host.Report(t.Context(), session.ID, batch.ID, "host-1", result)
	require.NoError(t, err, "the same again is accepted")
	require.Equal(t, batch, again)
}

func TestARequestThatIsRepeatedAfterARestartIsAnsweredAsBefore(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	session := m.session(t, askingSession)
	call := casetest.Call{
		Method: http.MethodPost, Path: "/v1/sessions/" + session.ID + "/batches",
		Body: json.RawMessage(readAndWrite), Header: map[string]string{"Idempotency-Key": "turn-1"},
	}
	first, err := m.Host.Do(t.Context(), call)
	require.NoError(t, err)

	m.kill()
	m.restart()

	second, err := m.Host.Do(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, http.StatusAccepted, second.Status)
	require.Equal(t, string(first.Body), string(second.Body))
	require.Equal(t, "true", second.Header.Get("Idempotency-Replayed"))
}

func TestADeadlineThatPassesWhileTheGatewayIsDownHoldsAfterARestart(t *testing.T) {
	t.Parallel()
	m := startMortal(t)
	session := m.session(t, `{"tools": "@standard", "approval_timeout_s": 1}`)
	batch := m.submit(t, session.ID, readAndWrite)
	asked := m.pending(t, session.ID)
	place := m.follow(t, session.ID, casetest.Chain{})
	until(t, place, "approval.requested")
	m.kill()
	deadline, err := time.Parse(time.RFC3339, *asked.ExpiresAt)
	require.NoError(t, err)
	<-time.After(time.Until(deadline)) // nobody is there to see it pass

	m.restart()

	after := m.follow(t, session.ID, place.Place())
	batch, events, err := (&casetest.Crew{Players: m.Players, Feed: after}).Finish(t.Context(), batch)
	require.NoError(t, err, "the batch goes on by itself")
	require.NoError(t, casetest.CheckResults(batch, events))
	require.Equal(t, "success", batch.Calls[0].Result.Status)
	require.Equal(t, "approval_expired", batch.Calls[1].Result.Reason)
	require.NotContains(t, batch.Calls[1].Result.Output, "once approved")
	_, err = m.Person.Respond(t.Context(), asked.ID, object{"option_id": "allow_once"})
	refused(t, err, http.StatusGone, "approval_expired")
	expired, err := m.Person.Approval(t.Context(), asked.ID)
	require.NoError(t, err)
	require.Equal(t, "expired", expired.Status)
}
