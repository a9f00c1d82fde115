package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// TestApprovalsHold is what people must be able to rely on.
func TestApprovalsHold(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	for name, test := range map[string]func(*planning){
		"page reloaded, second tab: pending ones are listed, all of them":  pendingAreListed,
		"answer to an unknown id and to a foreign tenant's: 404, the same": unknownIsForeign,
		"two people at once: one wins, the other is told who and what":     oneWins,
		"double click with one key: the same answer":                       doubleClick,
		"answer and expiry at once: one wins":                              answerAndExpiry,
		"three pending, one rejected: the others stay":                     oneOfThree,
		"approved in any order: dispatched in the order of the calls":      anyOrder,
		"approve one in a turn: calls that already ran don't run again":    ranOnce,
		"rejected in an acp group: members that were dispatched go on":     groupGoesOn,
		"rejected first in an acp group: nothing behind it is dispatched":  groupStops,
		"expired: the batch goes on with the denial; a late answer is 410": expiredGoesOn,
		"the deadline in the text is the real one, and promises nothing":   deadlineInText,
		"an option that was not offered is refused and changes nothing":    optionNotOffered,
		"a session is closed: its approvals are cancelled":                 closedCancels,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newPlanning(t, s, nil))
		})
	}
}

// writes are calls that ask, with the ids w1, w2 …
func writes(n int) []string {
	all := []string{write, second, `w3 write_file {"file_path":"c.go","content":"x"}`}
	return all[:n]
}

// open are the pending approvals, in the order of the calls.
func (p *planning) open(n int) []casetest.Approval {
	p.Helper()
	open, err := p.Person.Approvals(p.Context(), p.sid, "pending")
	require.NoError(p, err)
	require.Len(p, open, n)
	for i := 1; i < n; i++ {
		require.Less(p, open[i-1].Position, open[i].Position)
	}
	return open
}

// finish plays the host until the batch has ended, and gives the call ids that
// were dispatched.
func (p *planning) finish(b casetest.Batch) (casetest.Batch, []string) {
	p.Helper()
	var ids []string
	crew := casetest.Crew{Players: p.Players, Feed: p.follow(p.T, p.sid, casetest.Chain{}), Execute: func(d casetest.Dispatched) map[string]any {
		ids = append(ids, d.CallID)
		return object{"status": "success", "output": "ok"}
	}}
	b, events, err := crew.Finish(p.Context(), b)
	require.NoError(p, err)
	require.NoError(p, casetest.CheckResults(b, events))
	return b, ids
}

func pendingAreListed(p *planning) {
	other := newPlanning(p.T, p.stand, nil)
	p.send(writes(3)...)
	other.send(write)
	for _, reader := range []*casetest.Client{p.Person, p.bob, p.viewer, p.admin} {
		mine, err := reader.Approvals(p.Context(), p.sid, "pending")
		require.NoError(p, err)
		require.Len(p, mine, 3)
		theirs, err := reader.Approvals(p.Context(), other.sid, "pending")
		require.NoError(p, err)
		require.Len(p, theirs, 1)
	}
	session, err := p.viewer.Session(p.Context(), p.sid)
	require.NoError(p, err)
	require.Len(p, session.OpenApprovals, 3)
	foreign, err := p.foreign.Approvals(p.Context(), p.sid, "pending")
	if err != nil {
		refused(p.T, err, http.StatusNotFound, "not_found")
	}
	require.Empty(p, foreign)
}

func unknownIsForeign(p *planning) {
	b := p.send(write)
	asked := p.open(1)[0]
	_, foreign := p.foreign.Respond(p.Context(), asked.ID, object{"option_id": "allow_once"})
	_, unknown := p.Person.Respond(p.Context(), asked.ID[:len(asked.ID)-4]+"ZZZZ", object{"option_id": "allow_once"})
	require.Equal(p, sayings(p.T, foreign), sayings(p.T, unknown))
	require.Nil(p, p.result(b, 0))
	p.open(1)
}

// sayings is a refusal without the id of its request.
func sayings(t *testing.T, err error) object {
	t.Helper()
	var said object
	require.NoError(t, json.Unmarshal(refused(t, err, http.StatusNotFound, "not_found"), &said))
	delete(said, "request_id")
	return said
}

func oneWins(p *planning) {
	b := p.send(write)
	asked := p.open(1)[0]
	answers := []struct {
		who    *casetest.Client
		name   string
		option string
		err    error
	}{{who: p.Person, name: "alice", option: "allow_once"}, {who: p.bob, name: "bob", option: "reject"}}
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() {
			_, answers[i].err = answers[i].who.Respond(p.Context(), asked.ID, object{"option_id": answers[i].option})
		})
	}
	both.Wait()
	winner, loser := answers[0], answers[1]
	if winner.err != nil {
		winner, loser = loser, winner
	}
	require.NoError(p, winner.err)
	var told struct {
		ResolvedBy string `json:"resolved_by"`
		OptionID   string `json:"option_id"`
	}
	require.NoError(p, json.Unmarshal(refused(p.T, loser.err, http.StatusConflict, "approval_already_resolved"), &told))
	require.Equal(p, winner.name, told.ResolvedBy)
	require.Equal(p, winner.option, told.OptionID)
	b, ids := p.finish(b)
	require.Equal(p, winner.option == "allow_once", len(ids) == 1)
	require.Equal(p, winner.option == "allow_once", b.Calls[0].Result.Status == "success")
}

func doubleClick(p *planning) {
	p.send(write)
	call := casetest.Call{
		Method: http.MethodPost, Path: "/v1/approvals/" + p.open(1)[0].ID + "/respond",
		Body: object{"option_id": "allow_once"}, Header: map[string]string{"Idempotency-Key": "click"},
	}
	answers := make([]casetest.Answer, 2)
	var both sync.WaitGroup
	for i := range answers {
		both.Go(func() {
			answer, err := p.Person.Do(p.Context(), call)
			if err == nil {
				answers[i] = answer
			}
		})
	}
	both.Wait()
	for _, a := range answers {
		require.Equal(p, http.StatusOK, a.Status, "%s", a.Body)
	}
	require.Equal(p, string(answers[0].Body), string(answers[1].Body))
}

// patient makes a session whose approvals expire after a second.
func (p *planning) patient() *planning {
	p.Helper()
	return newPlanning(p.T, p.stand, object{"approval_timeout_s": 1})
}

func answerAndExpiry(p *planning) {
	q := p.patient()
	b := q.send(write)
	asked := q.open(1)[0]
	deadline, err := time.Parse(time.RFC3339, *asked.ExpiresAt)
	require.NoError(q, err)
	<-time.After(time.Until(deadline)) // both come at this moment
	err = q.respond(asked, object{"option_id": "allow_once"})
	b, _ = q.finish(b)
	if r, ok := errors.AsType[*casetest.Refusal](err); ok {
		require.Equal(q, http.StatusGone, r.Status)
		require.Equal(q, "approval_expired", b.Calls[0].Result.Reason)
		return
	}
	require.NoError(q, err)
	require.Equal(q, "success", b.Calls[0].Result.Status)
}

func oneOfThree(p *planning) {
	b := p.send(writes(3)...)
	open := p.open(3)
	require.NoError(p, p.respond(open[1], object{"option_id": "reject"}))
	p.ended(b, 1, "approval_rejected")
	left := p.open(2)
	require.Equal(p, []string{"w1", "w3"}, []string{left[0].CallID, left[1].CallID})
	require.Nil(p, p.result(b, 0))
	require.Nil(p, p.result(b, 2))
}

func anyOrder(p *planning) {
	b := p.send(append([]string{read}, writes(3)...)...)
	open := p.open(3)
	for _, i := range []int{2, 0, 1} {
		now, err := p.Host.Batch(p.Context(), p.sid, b.ID, "")
		require.NoError(p, err)
		require.Equal(p, "queued", now.Calls[0].State, "nothing runs while a question is open")
		require.NoError(p, p.respond(open[i], object{"option_id": "allow_once"}))
	}
	_, ids := p.finish(b)
	require.Equal(p, []string{"r1", "w1", "w2", "w3"}, ids)
}

// turn is a session of the acp runtime in which agents are asked for.
func (p *planning) turn() *planning {
	p.Helper()
	return newPlanning(p.T, p.stand, object{"runtime": "acp", "rules": object{"ask": []string{"agent"}}})
}

func ranOnce(p *planning) {
	q := p.turn()
	b := q.send(read, write, `r2 read_file {"file_path":"b.go"}`)
	feed := q.follow(q.T, q.sid, casetest.Chain{})
	_, err := q.Host.Report(q.Context(), q.sid, b.ID, "", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(q, err)
	require.NoError(q, q.respond(q.open(1)[0], object{"option_id": "allow_once"}))
	for position := 1; position < 3; position++ {
		_, err := q.Host.Report(q.Context(), q.sid, b.ID, "", object{"position": position, "status": "success", "output": "ok"})
		require.NoError(q, err)
	}
	dispatched := 0
	for _, e := range until(q.T, feed, "batch.completed") {
		if e.Type == "call.dispatched" {
			dispatched++
		}
	}
	require.Equal(q, 3, dispatched, "each once")
}

// agents are the members of a group.
var agents = []string{`g1 agent {"prompt":"a"}`, `g2 agent {"prompt":"b"}`, read}

func groupGoesOn(p *planning) {
	q := p.turn()
	b := q.send(agents...)
	open := q.open(2)
	require.NoError(q, q.respond(open[1], object{"option_id": "allow_once"}))
	require.NoError(q, q.respond(open[0], object{"option_id": "reject"}))
	b, ids := q.finish(b)
	require.Equal(q, []string{"g2"}, ids)
	require.Equal(q, "approval_rejected", b.Calls[0].Result.Reason)
	require.Equal(q, "success", b.Calls[1].Result.Status)
	require.Equal(q, "turn_stopped", b.Calls[2].Result.Reason)
	require.Equal(q, "turn_stopped", b.Stop.Reason)
}

func groupStops(p *planning) {
	q := p.turn()
	b := q.send(agents...)
	open := q.open(2)
	require.NoError(q, q.respond(open[0], object{"option_id": "reject"}))
	refused(q.T, q.respond(open[1], object{"option_id": "allow_once"}), http.StatusConflict, "approval_already_resolved")
	b, ids := q.finish(b)
	require.Empty(q, ids)
	require.Equal(q, "turn_stopped", b.Calls[1].Result.Reason)
	require.Equal(q, "turn_stopped", b.Calls[2].Result.Reason)
}

func expiredGoesOn(p *planning) {
	q := p.patient()
	b := q.send(read, write)
	asked := q.open(1)[0]
	b, ids := q.finish(b)
	require.Equal(q, []string{"r1"}, ids)
	require.Equal(q, "approval_expired", b.Calls[1].Result.Reason)
	refused(q.T, q.respond(asked, object{"option_id": "allow_once"}), http.StatusGone, "approval_expired")
}

func deadlineInText(p *planning) {
	q := p.patient()
	b := q.send(write)
	asked := q.open(1)[0]
	b, _ = q.finish(b)
	require.Contains(q, b.Calls[0].Result.Output, *asked.ExpiresAt)
	require.NotContains(q, b.Calls[0].Result.Output, "once approved")
}

func optionNotOffered(p *planning) {
	b := p.send(write)
	asked := p.open(1)[0]
	for _, option := range []string{"restore_previous", "auto_edit", "default", "yes", ""} {
		var r *casetest.Refusal
		require.ErrorAs(p, p.respond(asked, object{"option_id": option}), &r, option)
		require.Equal(p, http.StatusUnprocessableEntity, r.Status, option)
	}
	require.Nil(p, p.result(b, 0))
	p.open(1)
}

func closedCancels(p *planning) {
	b := p.send(write)
	asked := p.open(1)[0]
	require.NoError(p, p.Host.CloseSession(p.Context(), p.sid))
	p.ended(b, 0, "session_closed")
	now, err := p.Person.Approval(p.Context(), asked.ID)
	require.NoError(p, err)
	require.Equal(p, "cancelled", now.Status)
	err = p.respond(asked, object{"option_id": "allow_once"})
	require.Error(p, err)
}
