package validate

import (
	"fmt"
	"slices"
	"time"

	"github.com/session-gateway/gateway/client"
)

// gatewayTools are executed by the gateway itself; no host claims them.
var gatewayTools = []string{"enter_plan_mode", "exit_plan_mode", "structured_output", "read_output"}

const entryTool = "enter_plan_mode"

// limits are what the rules leave a host.
type limits struct {
	claimWithin time.Duration // an idle host takes an offer
}

// topic is a group of rules that are reported as one check.
type topic struct {
	name, shows string
	// about says whether a batch has something for the rules to judge.
	about func(*batch) bool
	rules []batchRule
	lack  string // what was not seen if no batch is about it
}

// batchRule finds breaches in what was seen of a batch.
type batchRule func(*history, *batch, limits) []Violation

// topics are all rules about what streams tell.
var topics = []topic{
	{
		name: "one result per call", shows: "every call has exactly one result, before its batch's one end",
		about: ended, rules: []batchRule{eachOnce, oneEnd}, lack: "no batch ended",
	},
	{
		name: "one terminal update per call", shows: "a client of the Agent Client Protocol is told of each call and its one end",
		about: ended, rules: []batchRule{shownOnce}, lack: "no batch ended",
	},
	{
		name: "siblings of an entry", shows: "what stands beside an entry into plan mode never reached the host",
		about: hasSkipped, rules: []batchRule{skippedStay}, lack: "no entry stood beside other calls",
	},
	{
		name: "claims", shows: "the host ran what it had claimed or sent itself, and reported it in time",
		about: wasRun, rules: []batchRule{claimedFirst, ownClaims, timely, reported}, lack: "the host was offered no call",
	},
	{
		name: "next model requests", shows: "what the host says that it sends to its model is what happened",
		about: wasReported, rules: []batchRule{requests, unreported}, lack: "the host reported no next model request",
	},
}

// judge applies all rules to a batch.
func (h *history) judge(b *batch, l limits) []Violation {
	var found []Violation
	for _, t := range topics {
		for _, r := range t.rules {
			found = append(found, r(h, b, l)...)
		}
	}
	return found
}

// breach is a violation of a batch, or of a call of it.
func (h *history) breach(code Code, b *batch, c *call, format string, args ...any) Violation {
	v := Violation{Code: code, Party: partyOf(code), Session: h.sid, BatchID: b.id, Detail: fmt.Sprintf(format, args...)}
	if c != nil {
		v.Position, v.CallID = &c.position, c.id
	}
	return v
}

func ended(b *batch) bool { return b.ends > 0 }

func hasSkipped(b *batch) bool { return slices.ContainsFunc(b.calls, (*call).skipped) }

func wasRun(b *batch) bool {
	return slices.ContainsFunc(b.calls, func(c *call) bool { return len(c.offers) > 0 || c.ran() || c.late > 0 })
}

func wasReported(b *batch) bool { return len(b.requests) > 0 }

// reason is why a call ended; empty for a plain success, and while it is open.
func (c *call) reason() client.Reason {
	if len(c.results) == 0 || c.results[0].Reason == nil {
		return ""
	}
	return *c.results[0].Reason
}

// skipped says whether a call stood beside an entry into plan mode.
func (c *call) skipped() bool { return c.reason() == client.ReasonPlanBoundary }

// ran says whether a host started a call.
func (c *call) ran() bool {
	return len(c.results) > 0 && c.results[0].StartedAt != nil && !slices.Contains(gatewayTools, c.tool)
}

// eachOnce wants one result for every call, before the batch's end.
func eachOnce(h *history, b *batch, _ limits) (found []Violation) {
	for _, c := range b.calls {
		if len(c.results) > 1 {
			found = append(found, h.breach(CodeResultRepeated, b, c, "%d results", len(c.results)))
		}
		if b.ends > 0 && (len(c.results) == 0 || b.afterEnd == c.position+1) {
			found = append(found, h.breach(CodeResultMissing, b, c, "no result before the batch's end"))
		}
	}
	return found
}

func oneEnd(h *history, b *batch, _ limits) []Violation {
	if b.ends > 1 {
		return []Violation{h.breach(CodeEndRepeated, b, nil, "it ended %d times", b.ends)}
	}
	return nil
}

// skippedStay wants nothing to have happened to a skipped call but its result.
func skippedStay(h *history, b *batch, _ limits) (found []Violation) {
	for _, c := range b.calls {
		if !c.skipped() {
			continue
		}
		if len(c.offers) > 0 {
			found = append(found, h.breach(CodeSiblingDispatched, b, c, "it was offered to a host"))
		}
		if len(c.claims) > 0 || c.late > 0 {
			found = append(found, h.breach(CodeSiblingRun, b, c, "a host claimed or reported it"))
		}
	}
	return found
}

// claimedFirst wants a claim before a host runs a call that it did not send. A
// result without a claim is one, and so is one that came too late for it.
func claimedFirst(h *history, b *batch, _ limits) (found []Violation) {
	for _, c := range b.calls {
		if b.sender == "" && len(c.claims) == 0 && !c.skipped() && (c.ran() || c.late > 0) {
			found = append(found, h.breach(CodeRunUnclaimed, b, c, "it was reported without a claim"))
		}
	}
	return found
}

// ownClaims wants claims by the attached host, or the batch's sender.
func ownClaims(h *history, b *batch, _ limits) (found []Violation) {
	for _, c := range b.calls {
		for _, made := range c.claims {
			if made.attached != "" && made.by != made.attached && made.by != b.sender {
				found = append(found, h.breach(CodeClaimForeign, b, c, "%s claimed it while %s was attached", made.by, made.attached))
			}
		}
	}
	return found
}

// timely wants an idle host to take what it is offered.
func timely(h *history, b *batch, l limits) (found []Violation) {
	for _, c := range b.calls {
		for _, made := range c.claims {
			if made.waited > l.claimWithin {
				found = append(found, h.breach(CodeClaimLate, b, c, "claimed %v after the offer, %v are allowed",
					made.waited.Round(time.Millisecond), l.claimWithin))
			}
		}
		if c.reason() == client.ReasonHostUnavailable && h.host != "" {
			found = append(found, h.breach(CodeCallIgnored, b, c, "%s is attached and did not take it", h.host))
		}
	}
	return found
}

// reported wants a result of what was claimed, and none behind the call's end.
// A report that crosses an abort is nobody's fault.
func reported(h *history, b *batch, _ limits) (found []Violation) {
	for _, c := range b.calls {
		why := c.reason()
		if why == client.ReasonHostTimeout || why == client.ReasonHostLost {
			found = append(found, h.breach(CodeResultDropped, b, c, "it was claimed and ended as %s", why))
		}
		aborted := why == client.ReasonAborted || why == client.ReasonSessionClosed
		if c.late > 0 && len(c.claims) > 0 && !aborted {
			found = append(found, h.breach(CodeResultLate, b, c, "reported %d times after its end as %q", c.late, why))
		}
	}
	return found
}

// requests takes over what the gateway found in the host's model requests.
func requests(h *history, b *batch, _ limits) (found []Violation) {
	for _, r := range b.requests {
		for _, v := range r.Violations {
			made := h.breach(Code(RequestPrefix+string(v.Code)), b, nil, "%s", v.Detail)
			made.Position = v.Position
			if v.CallID != nil {
				made.CallID = *v.CallID
			}
			found = append(found, made)
		}
	}
	return found
}

// unreported wants every next model request of a host that reports any.
func unreported(h *history, b *batch, _ limits) []Violation {
	hostsOwn := h.turns[b.turn] != nil // else somebody but the host sent it
	if !hostsOwn || !b.followed || b.stop != "" || wasReported(b) || !slices.ContainsFunc(h.order, wasReported) {
		return nil
	}
	return []Violation{h.breach(CodeRequestUnreported, b, nil, "the model went on")}
}
