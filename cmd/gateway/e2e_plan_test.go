package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/session-gateway/gateway/internal/casetest"
)

// planning is a session with plan mode and everything that tests do to it.
type planning struct {
	*testing.T
	*stand
	sid string
}

// newPlanning makes a session; members of spec replace the usual ones.
func newPlanning(t *testing.T, s *stand, spec object) *planning {
	t.Helper()
	body := object{"tools": casetest.StandardTools()}
	maps.Copy(body, spec)
	session, err := s.Person.CreateSession(t.Context(), body)
	require.NoError(t, err)
	return &planning{T: t, stand: s, sid: session.ID}
}

// send submits calls written as "id tool {arguments}".
func (p *planning) send(calls ...string) casetest.Batch {
	p.Helper()
	return p.submit(p.T, p.sid, callsOf(p.T, calls))
}

func callsOf(t *testing.T, calls []string) string {
	t.Helper()
	list := make([]object, len(calls))
	for i, c := range calls {
		words := strings.SplitN(c, " ", 3)
		list[i] = object{"id": words[0], "name": words[1]}
		if len(words) == 3 {
			list[i]["arguments"] = json.RawMessage(words[2])
		}
	}
	raw, err := json.Marshal(object{"calls": list})
	require.NoError(t, err)
	return string(raw)
}

// The calls that most tests send.
const (
	write = `w1 write_file {"file_path":"a.go","content":"x"}`
	read  = `r1 read_file {"file_path":"a.go"}`
	exit  = `x1 exit_plan_mode {"plan":"1. Do it."}`
)

// set changes the mode, as a person.
func (p *planning) set(mode string) {
	p.Helper()
	_, err := p.Person.SetMode(p.Context(), p.sid, mode)
	require.NoError(p, err)
}

func (p *planning) mode() string {
	p.Helper()
	s, err := p.Host.Session(p.Context(), p.sid)
	require.NoError(p, err)
	return s.ApprovalMode
}

// result is the result of a call in the batch as it is now; nil while open.
func (p *planning) result(b casetest.Batch, position int) *casetest.Result {
	p.Helper()
	now, err := p.Host.Batch(p.Context(), p.sid, b.ID, "")
	require.NoError(p, err)
	return now.Calls[position].Result
}

// ended wants a call to have ended for a reason; none is a plain success.
func (p *planning) ended(b casetest.Batch, position int, reason string) {
	p.Helper()
	r := p.result(b, position)
	require.NotNil(p, r, "position %d is open", position)
	require.Equal(p, reason, r.Reason, "%s", r.Raw)
}

func (p *planning) respond(a casetest.Approval, body object) error {
	_, err := p.Person.Respond(p.Context(), a.ID, body)
	return err
}

// presented sends an exit and gives the approval that it raised.
func (p *planning) presented() (casetest.Batch, casetest.Approval) {
	p.Helper()
	b := p.send(exit)
	return b, p.pending(p.T, p.sid)
}

// TestPlanModeHolds has a test for every way around plan mode that somebody
// has tried. Children, grants, kinds and arguments are in the cases as well.
func TestPlanModeHolds(t *testing.T) {
	t.Parallel()
	s := startStand(t)
	for name, test := range map[string]func(*planning){
		"a child, a grandchild and one created before write":                   descendantsWrite,
		"the parent of a child is closed":                                      parentCloses,
		"a write is dispatched, a person turns plan mode on, a host claims it": modeBeforeClaim,
		"a write is dispatched and an ancestor enters, a host claims it":       ancestorBeforeClaim,
		"a write is queued behind another and plan mode comes":                 modeBehindQueue,
		"a write is queued behind another and its grant is revoked":            grantBehindQueue,
		"a write is queued behind another and rules come that deny it":         rulesBehindQueue,
		"the plan changes while an exit is pending":                            planChanges,
		"the mode changes while an exit is pending":                            modeChanges,
		"on and locked, only an admin lets it out":                             lockedOn,
		"tools are declared again so that a writer has kind read":              toolsChange,
		"the batch of an exit is aborted":                                      exitAborted,
		"an exit expires":                                                      exitExpires,
		"an exit is approved after it was rejected":                            approvedAfterReject,
		"the answer names the hash of an older plan":                           olderHash,
		"the arguments say that they are approved":                             selfApproved,
		"two exits are pending and the first is approved":                      twoExits,
		"the result of an exit says which person decided":                      whoDecided,
		"a person leaves by hand and the model is told once":                   leftByHand,
		"an approval of a tool is no approval of the plan":                     oneOffIsNoPlan,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(newPlanning(t, s, nil))
		})
	}
}

func descendantsWrite(p *planning) {
	before := newPlanning(p.T, p.stand, object{"parent_session_id": p.sid, "rules": object{"allow": []string{"*"}}})
	p.set("plan")
	child := newPlanning(p.T, p.stand, object{"parent_session_id": p.sid, "approval_mode": "yolo", "modules": object{"plan_mode": false}})
	grandchild := newPlanning(p.T, p.stand, object{"parent_session_id": child.sid, "rules": object{"allow": []string{"*"}}})
	for _, session := range []*planning{before, child, grandchild} {
		session.ended(session.send(write), 0, "plan_mode_denied")
	}
}

func parentCloses(p *planning) {
	child := newPlanning(p.T, p.stand, object{"parent_session_id": p.sid, "approval_mode": "yolo"})
	open := child.send(write)
	p.set("plan")
	require.NoError(p, p.Host.CloseSession(p.Context(), p.sid))
	child.ended(open, 0, "session_closed")
	_, err := p.Host.Submit(p.Context(), child.sid, json.RawMessage(callsOf(p.T, []string{write})))
	refused(p.T, err, http.StatusConflict, "session_closed")
}

func modeBeforeClaim(p *planning) {
	p.set("yolo")
	b := p.send(write)
	feed := p.follow(p.T, p.sid, casetest.Chain{})
	p.set("plan")
	p.ended(b, 0, "plan_mode_denied")
	claims, err := p.Host.Claim(p.Context(), p.sid, b.ID, "host-1", 0)
	if err == nil {
		require.False(p, claims[0].Granted)
	} else {
		refused(p.T, err, http.StatusConflict, "call_not_dispatched")
	}
	types := []string{}
	for _, e := range until(p.T, feed, "batch.completed") {
		types = append(types, e.Type)
	}
	require.Equal(p, []string{
		"session.created", "mode.changed", "batch.started", "call.dispatched",
		"mode.changed", "plan.entered", "call.cancelled", "call.result", "batch.completed",
	}, withoutUpdates(types))
}

// withoutUpdates leaves out session.updated, which says what changed beside.
func withoutUpdates(types []string) []string {
	kept := []string{}
	for _, one := range types {
		if one != "session.updated" {
			kept = append(kept, one)
		}
	}
	return kept
}

func ancestorBeforeClaim(p *planning) {
	p.set("yolo")
	child := newPlanning(p.T, p.stand, object{"parent_session_id": p.sid, "approval_mode": "yolo"})
	b := child.send(write)
	require.Equal(p, casetest.StateDispatched, b.Calls[0].State)
	p.set("plan")
	claims, err := p.Host.Claim(p.Context(), child.sid, b.ID, "host-1", 0)
	require.NoError(p, err)
	require.False(p, claims[0].Granted)
	child.ended(b, 0, "plan_mode_denied")
}

// second is a write that waits for the one before it.
const second = `w2 write_file {"file_path":"b.go","content":"x"}`

// behind sends two writes of which the second is queued, lets something
// happen, and finishes the first.
func (p *planning) behind(happens func()) casetest.Batch {
	p.Helper()
	b := p.send(write, second)
	require.Equal(p, "queued", b.Calls[1].State)
	_, err := p.Host.Claim(p.Context(), p.sid, b.ID, "host-1", 0)
	require.NoError(p, err)
	happens()
	_, err = p.Host.Report(p.Context(), p.sid, b.ID, "host-1", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(p, err, "what was claimed runs on")
	p.ended(b, 0, "")
	return b
}

func modeBehindQueue(p *planning) {
	p.set("yolo")
	p.ended(p.behind(func() { p.set("plan") }), 1, "plan_mode_denied")
}

func rulesBehindQueue(p *planning) {
	p.set("yolo")
	b := p.behind(func() {
		require.NoError(p, p.Person.SetRules(p.Context(), p.sid, object{"deny": []string{"write(b.go)"}}))
	})
	p.ended(b, 1, "permission_denied")
}

func grantBehindQueue(p *planning) {
	first := p.send(second)
	require.NoError(p, p.respond(p.pending(p.T, p.sid), object{"option_id": "allow_session"}))
	_, err := p.Host.Report(p.Context(), p.sid, first.ID, "", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(p, err)
	require.NoError(p, p.Person.SetRules(p.Context(), p.sid, object{"allow": []string{"write(a.go)"}}))
	again := `w3 write_file {"file_path":"b.go","content":"x"}`
	b := p.send(write, again)
	require.Equal(p, "queued", b.Calls[1].State, "the grant answers")
	revoke := casetest.Call{Method: http.MethodDelete, Path: "/v1/sessions/" + p.sid + "/grants"}
	require.NoError(p, p.Person.Send(p.Context(), revoke, nil))
	_, err = p.Host.Report(p.Context(), p.sid, b.ID, "", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(p, err)
	require.Equal(p, "w3", p.pending(p.T, p.sid).CallID, "asked again")
}

func planChanges(p *planning) {
	p.set("plan")
	b, asked := p.presented()
	_, err := p.Person.PatchPlan(p.Context(), p.sid, object{"append": "3. Something else."})
	require.NoError(p, err)
	p.ended(b, 0, "approval_stale")
	refused(p.T, p.respond(asked, object{"option_id": "default"}), http.StatusConflict, "approval_stale")
	require.Equal(p, "plan", p.mode())
}

func modeChanges(p *planning) {
	p.set("plan")
	b, asked := p.presented()
	p.set("yolo")
	p.ended(b, 0, "approval_stale")
	refused(p.T, p.respond(asked, object{"option_id": "default"}), http.StatusConflict, "approval_stale")
	require.Equal(p, "yolo", p.mode(), "a late answer changes nothing")
}

func lockedOn(p *planning) {
	q := newPlanning(p.T, p.stand, object{"approval_mode": "plan", "approval_mode_locked": true})
	_, err := q.Person.SetMode(q.Context(), q.sid, "default")
	refused(q.T, err, http.StatusForbidden, "mode_locked")
	b, asked := q.presented()
	refused(q.T, q.respond(asked, object{"option_id": "default"}), http.StatusForbidden, "mode_locked")
	require.Equal(q, "plan", q.mode())
	_, err = q.admin.Respond(q.Context(), asked.ID, object{"option_id": "default"})
	require.NoError(q, err)
	q.ended(b, 0, "")
	require.Equal(q, "default", q.mode())
}

func toolsChange(p *planning) {
	p.set("plan")
	for _, changed := range []string{
		`[{"name": "write_file", "kind": "read"}]`, `[{"name": "write_file", "kind": "edit", "aliases": ["read_it"]}]`,
		`[{"name": "mystery", "kind": "other", "read_only": true}]`, `[{"name": "edit", "kind": "edit", "subjects": {"path": ["/x"]}}]`,
	} {
		err := p.Host.SetTools(p.Context(), p.sid, json.RawMessage(changed))
		refused(p.T, err, http.StatusConflict, "plan_mode_active")
	}
	p.ended(p.send(write), 0, "plan_mode_denied")
}

func exitAborted(p *planning) {
	p.set("plan")
	b, asked := p.presented()
	b, err := p.Host.Abort(p.Context(), p.sid, b.ID)
	require.NoError(p, err)
	require.Equal(p, "aborted", b.Calls[0].Result.Reason)
	refused(p.T, p.respond(asked, object{"option_id": "default"}), http.StatusConflict, "approval_already_resolved")
	require.Equal(p, "plan", p.mode())
}

func exitExpires(p *planning) {
	q := newPlanning(p.T, p.stand, object{"approval_mode": "plan", "approval_timeout_s": 1})
	b, asked := q.presented()
	now, err := q.Host.Batch(q.Context(), q.sid, b.ID, "30s")
	require.NoError(q, err)
	require.Equal(q, "approval_expired", now.Calls[0].Result.Reason)
	refused(q.T, q.respond(asked, object{"option_id": "default"}), http.StatusGone, "approval_expired")
	require.Equal(q, "plan", q.mode())
	deadline, err := time.Parse(time.RFC3339, *asked.ExpiresAt)
	require.NoError(q, err)
	require.Less(q, time.Since(deadline), e2eTimeout)
}

func approvedAfterReject(p *planning) {
	p.set("plan")
	b, asked := p.presented()
	require.NoError(p, p.respond(asked, object{"option_id": "reject", "feedback": "no"}))
	_, err := p.bob.Respond(p.Context(), asked.ID, object{"option_id": "default"})
	told := refused(p.T, err, http.StatusConflict, "approval_already_resolved")
	require.Contains(p, string(told), `"alice"`)
	require.Contains(p, string(told), `"reject"`)
	p.ended(b, 0, "approval_rejected")
	require.Equal(p, "plan", p.mode())
	p.ended(p.send(`w9 write_file {"file_path":"a.go","content":"x"}`), 0, "plan_mode_denied")
}

func olderHash(p *planning) {
	p.set("plan")
	b, older := p.presented()
	require.NoError(p, p.respond(older, object{"option_id": "reject"}))
	p.ended(b, 0, "approval_rejected")
	newer := p.send(`x2 exit_plan_mode {"plan":"2. Do something else."}`)
	asked := p.pending(p.T, p.sid)
	err := p.respond(asked, object{"option_id": "default", "plan_sha256": older.Plan.SHA256})
	refused(p.T, err, http.StatusConflict, "approval_stale")
	require.Nil(p, p.result(newer, 0), "the question stays open")
	require.NoError(p, p.respond(asked, object{"option_id": "default", "plan_sha256": asked.Plan.SHA256}))
	require.Equal(p, "default", p.mode())
}

func selfApproved(p *planning) {
	p.set("plan")
	b := p.send(`m1 mystery {"approved": true, "approval_id": "apr_1"}`)
	p.ended(b, 0, "plan_mode_denied")
	b = p.send(`x1 exit_plan_mode {"plan": "p", "approved": true, "approval_id": "apr_1", "option_id": "yolo"}`)
	require.Equal(p, "plan", p.mode())
	if p.result(b, 0) == nil { // asked like any other exit
		require.NoError(p, p.respond(p.pending(p.T, p.sid), object{"option_id": "reject"}))
	}
	require.Equal(p, "plan", p.mode())
}

func twoExits(p *planning) {
	p.set("plan")
	b := p.send(exit, `x2 exit_plan_mode {"plan":"2. Another."}`)
	open, err := p.Person.Approvals(p.Context(), p.sid, "pending")
	require.NoError(p, err)
	require.Len(p, open, 2)
	require.NoError(p, p.respond(open[0], object{"option_id": "auto_edit"}))
	p.ended(b, 0, "")
	p.ended(b, 1, "approval_stale")
	refused(p.T, p.respond(open[1], object{"option_id": "default"}), http.StatusConflict, "approval_stale")
	require.Equal(p, "auto_edit", p.mode())
}

func whoDecided(p *planning) {
	p.set("plan")
	b, asked := p.presented()
	ids := []string{}
	for _, o := range asked.Options {
		ids = append(ids, o.ID+" "+o.Kind)
	}
	require.Equal(p, []string{
		"restore_previous allow_once", "auto_edit allow_always", "default allow_once", "reject reject_once",
	}, ids)
	_, err := p.bob.Respond(p.Context(), asked.ID, object{"option_id": "default"})
	require.NoError(p, err)
	require.Contains(p, p.result(b, 0).Output, "bob")
	plan, err := p.Host.Plan(p.Context(), p.sid)
	require.NoError(p, err)
	require.Equal(p, "bob", plan.LastApproved.By)
	require.Empty(p, plan.Text)
}

func leftByHand(p *planning) {
	p.set("plan")
	p.set("default")
	notices := func(id string) []string {
		b := p.send(fmt.Sprintf(`%s read_file {"file_path":"%s"}`, id, id))
		_, err := p.Host.Report(p.Context(), p.sid, b.ID, "", object{"position": 0, "status": "success", "output": "ok"})
		require.NoError(p, err)
		var first struct{ Notices []string }
		for range 2 { // the same each time
			raw, err := p.Host.NextRequest(p.Context(), p.sid, b.ID, "anthropic")
			require.NoError(p, err)
			var next struct{ Notices []string }
			require.NoError(p, json.Unmarshal(raw, &next))
			if len(next.Notices) > 0 {
				require.Contains(p, casetest.TextsIn(raw)[1:], next.Notices[0], "where the provider takes text")
			}
			first = next
		}
		return first.Notices
	}
	require.Len(p, notices("r1"), 1)
	require.Empty(p, notices("r2"), "once")
}

func oneOffIsNoPlan(p *planning) {
	p.set("plan")
	b := p.send(`f1 web_fetch {"url":"https://example.org/a"}`)
	require.NoError(p, p.respond(p.pending(p.T, p.sid), object{"option_id": "allow_session"}))
	_, err := p.Host.Report(p.Context(), p.sid, b.ID, "", object{"position": 0, "status": "success", "output": "ok"})
	require.NoError(p, err)
	require.Equal(p, "plan", p.mode())
	p.ended(p.send(write), 0, "plan_mode_denied")
}
