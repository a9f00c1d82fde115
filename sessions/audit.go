package sessions

import (
	"maps"
	"slices"
	"strings"

	"github.com/session-gateway/gateway/audit"
	"github.com/session-gateway/gateway/scheduler"
	"github.com/session-gateway/gateway/stream"
	"github.com/session-gateway/gateway/tenants"
)

// actorOf is a caller as the audit log knows it.
func actorOf(c tenants.Caller) audit.Actor {
	return audit.Actor{Subject: c.Subject, Key: c.KeyID}
}

// audited is the commit's entry in the tenant's audit log: what was decided,
// answered and changed, by whom, and the head of the session's log behind it.
// Empty: nothing of note was done.
func (c *change) audited(head stream.ID) string {
	acts := slices.Concat(c.sessionActs(), c.callActs(), c.approvalActs())
	if len(acts) == 0 {
		return ""
	}
	return encode(audit.Entry{
		Time: timeText(c.now), Session: c.doc.topic.Session, Head: wholeID(head), Actor: c.actor, Acts: acts,
	})
}

// sessionActs are what was done to the session itself.
func (c *change) sessionActs() (acts []audit.Act) {
	d := c.doc
	before := c.before
	if before == nil {
		return []audit.Act{{Type: audit.SessionCreated, To: string(d.state.Session.Mode)}}
	}
	if m := c.fx.ModeChange; m != nil {
		acts = append(acts, audit.Act{
			Type: audit.ModeChanged, From: string(m.From), To: string(m.To), Revision: d.state.Session.ModeRevision,
		})
	}
	if d.rulesRevision != before.rulesRevision {
		acts = append(acts, audit.Act{Type: audit.RulesChanged, Revision: d.rulesRevision})
	}
	if d.toolsRevision != before.toolsRevision {
		acts = append(acts, audit.Act{Type: audit.ToolsChanged, Revision: d.toolsRevision})
	}
	acts = append(acts, grantActs(audit.GrantGiven, d.grants, before.grants)...)
	acts = append(acts, grantActs(audit.GrantRevoked, before.grants, d.grants)...)
	if d.status != before.status {
		acts = append(acts, audit.Act{Type: audit.SessionClosed})
	}
	return acts
}

// grantActs tell of the grants that are in one set and not in the other.
func grantActs(kind audit.Type, in, notIn map[string]grant) (acts []audit.Act) {
	for id, g := range in {
		if _, both := notIn[id]; !both {
			acts = append(acts, audit.Act{Type: kind, Target: id, Tool: g.Tool})
		}
	}
	slices.SortFunc(acts, func(a, b audit.Act) int { return strings.Compare(a.Target, b.Target) })
	return acts
}

// callActs tell of the calls that the commit decided, and of those that ended
// without being started. Only calls that changed are looked at, so that an entry
// costs what its commit does and not what the batch has calls.
func (c *change) callActs() (acts []audit.Act) {
	for _, i := range slices.Sorted(maps.Keys(c.fx.Touched)) {
		call := &c.batch.Calls[i]
		act := audit.Act{BatchID: c.batch.ID, CallID: call.ID, Position: &i, Tool: call.Tool}
		switch r := call.Result; {
		case r != nil && r.Reason != nil && r.ExecutionStatus == scheduler.ExecutionNotStarted && slices.Contains(c.fx.Ended, i):
			act.Type, act.Reason = audit.CallRefused, string(*r.Reason)
		case call.Decision != nil && !c.decidedBefore(i):
			act.Type = audit.CallDecided
		default:
			continue
		}
		if call.Decision != nil {
			act.Decision = []byte(encode(call.Decision))
		}
		acts = append(acts, act)
	}
	return acts
}

// decidedBefore says whether a call's decision is the one that it had.
func (c *change) decidedBefore(i int) bool {
	if c.before == nil || c.before.state.Batch == nil || c.before.state.Batch.Number != c.batch.Number {
		return false
	}
	was, is := c.before.state.Batch.Calls[i].Decision, c.batch.Calls[i].Decision
	return was == is || was != nil && encode(was) == encode(is)
}

// approvalActs tell of answers, and of questions that ended without one.
func (c *change) approvalActs() (acts []audit.Act) {
	for _, k := range c.fx.Voted {
		acts = append(acts, c.approvalAct(audit.ApprovalVoted, k))
	}
	for _, k := range c.fx.Resolved {
		acts = append(acts, c.approvalAct(audit.ApprovalResolved, k))
	}
	return acts
}

func (c *change) approvalAct(kind audit.Type, k int) audit.Act {
	a := &c.batch.Approvals[k]
	act := audit.Act{
		Type: kind, ApprovalID: newApprovalID(c.doc.topic.Session, c.batch.Number, k+1), Tool: a.Tool,
		Status: string(a.Status), OptionID: a.Option,
	}
	if kind == audit.ApprovalVoted {
		act.OptionID = a.Votes[len(a.Votes)-1].Option
	}
	return act
}
