package chaos

import (
	"context"
	"net/http"
	"time"

	"github.com/session-gateway/gateway/internal/casetest"
)

const (
	optionReject = "reject"
	// modeChanges is how many times one person changes a session's mode at
	// most: checking a history costs more the longer it is.
	modeChanges = 25
	// mindTime is how long a mode stays at most before it is changed again.
	mindTime = 4 * time.Second
	// doubtTime is how long a person waits who doesn't know whether a change
	// was made: every such change may happen at any time, in the checker's eyes.
	doubtTime = time.Second
)

// person answers approvals, in a race with another person.
type person struct {
	caller
	*room
	done map[string]bool
}

// asked is an approval as a person reads it.
type asked struct {
	casetest.Approval
	ModeRevision int `json:"mode_revision"`
}

// do answers a question, if it is new or somebody still waits for it.
func (p *person) do(ctx context.Context, j job) {
	if j.again || !p.done[j.approval] {
		p.done[j.approval] = true
		p.decide(ctx, j.approval)
	}
}

// decide reads the question and answers it.
func (p *person) decide(ctx context.Context, aid string) {
	o := object{p.room, approvalRegister, aid}
	a, s, err := p.get(ctx, "/v1/approvals/"+aid)
	if err != nil {
		return // reading changes nothing
	}
	if a.Status != http.StatusOK {
		p.refused(ctx, "read", aid, a)
		return
	}
	q := decode[asked](&p.caller, a)
	p.world.histories.add(o, s, readApproval{}, q.seen())
	if len(q.Options) > 0 && q.Status == pending {
		p.respond(ctx, q, q.Options[p.chance.IntN(len(q.Options))].ID)
	}
}

func (p *person) respond(ctx context.Context, q asked, option string) {
	if option == optionReject && p.chance.IntN(3) > 0 {
		option = q.Options[0].ID // people mostly agree
	}
	if option == "allow_session" {
		option = "allow_once"
	}
	a, s, err := p.post(ctx, "/v1/approvals/"+q.ID+"/respond", map[string]any{"option_id": option})
	exit := answer{option, q.ModeRevision}
	o := object{p.room, approvalRegister, q.ID}
	in := answerApproval{p.name, option}
	if err != nil {
		p.world.histories.open(o, s, in)
		if q.Kind == kindPlanExit {
			p.world.histories.open(p.mode(), s, exit)
		}
		return
	}
	out := p.outcome(ctx, a, q)
	if out == nil {
		return
	}
	p.world.histories.add(o, s, in, out)
	if q.Kind == kindPlanExit {
		p.exitTold(s, exit, out)
	}
}

// outcome is what an answer was told; nil if that makes no sense.
func (p *person) outcome(ctx context.Context, a casetest.Answer, q asked) any {
	if a.Status == http.StatusOK {
		now := decode[asked](&p.caller, a)
		p.world.tally.count("approvals answered")
		p.note(func() { p.answers[q.ID] = now.Approval })
		return now.seen()
	}
	told := decode[problem](&p.caller, a)
	switch {
	case a.Status == http.StatusConflict && told.Code == "approval_already_resolved":
		p.world.tally.count("answers that came second")
		return refusedAnswer{approvalSeen{told.ApprovalStatus, deref(told.ResolvedBy), deref(told.OptionID)}}
	case a.Status == http.StatusConflict && told.Code == "approval_stale":
		p.world.tally.count("answers to stale questions")
		return refusedAnswer{approvalSeen{status: stale}}
	}
	p.refused(ctx, "answer", q.ID, a)
	return nil
}

// exitTold notes what an answer to a plan means for the mode.
func (p *person) exitTold(s span, in answer, out any) {
	switch out := out.(type) {
	case approvalSeen:
		p.world.histories.add(p.mode(), s, in, exitAnswered{})
	case refusedAnswer:
		if out.status == stale {
			p.world.histories.add(p.mode(), s, in, answerStale{})
		}
	}
}

func (p *person) refused(ctx context.Context, what, aid string, a casetest.Answer) {
	if a.Status == http.StatusNotFound {
		p.stale(ctx, a.Status)
		return
	}
	p.world.wrong("session %s: %s %s: %d %s", p.sid, what, aid, a.Status, a.Body)
}

// changeModes changes the session's mode now and then.
func (p *person) changeModes(ctx context.Context) error {
	modes := []string{"default", "auto_edit", planMode, "default", "yolo"}
	for range modeChanges {
		p.world.linger(ctx, time.Duration(p.chance.Int64N(int64(mindTime))))
		if ctx.Err() != nil || p.world.resting() || p.lost() {
			return nil //nolint:nilerr // the end of the run is no error
		}
		p.setMode(ctx, modes[p.chance.IntN(len(modes))])
		p.readMode(ctx)
	}
	return nil
}

// setMode makes one attempt, and another, until one is answered. There is no
// idempotency key, so each is an operation of its own.
func (p *person) setMode(ctx context.Context, mode string) {
	call := casetest.Call{
		Method: http.MethodPut, Path: "/v1/sessions/" + p.sid + "/approval-mode", Body: map[string]any{"mode": mode},
	}
	for ctx.Err() == nil && !p.world.resting() {
		s := span{call: clock()}
		a, err := p.attempt(ctx, call)
		s.ret = clock()
		switch {
		case err != nil || a.Status >= http.StatusInternalServerError:
			p.world.histories.open(p.mode(), s, setMode{mode})
			p.world.linger(ctx, doubtTime)
			continue
		case a.Status == http.StatusOK:
			now := decode[casetest.Session](&p.caller, a)
			p.world.histories.add(p.mode(), s, setMode{mode}, modeSeen{now.ApprovalMode, now.ModeRevision})
			p.note(func() { p.modes[now.ModeRevision] = now.ApprovalMode })
			p.world.tally.count("mode changes")
		default:
			p.refused(ctx, "set mode "+mode, p.sid, a)
		}
		return
	}
}

func (p *person) readMode(ctx context.Context) {
	a, s, err := p.get(ctx, "/v1/sessions/"+p.sid)
	switch {
	case err != nil:
	case a.Status == http.StatusOK:
		now := decode[casetest.Session](&p.caller, a)
		p.world.histories.add(p.mode(), s, readMode{}, modeSeen{now.ApprovalMode, now.ModeRevision})
	default:
		p.refused(ctx, "read", p.sid, a)
	}
}
