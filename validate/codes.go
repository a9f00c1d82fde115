package validate

import "slices"

// Code names a kind of breach. Codes are stable: programs may match them.
type Code string

// Party is who broke a rule.
type Party string

// The parties of a deployment.
const (
	Host    Party = "host"
	Gateway Party = "gateway"
)

// What a host can do wrong. What it reports to be sending to its model is
// judged by the gateway, whose codes stand behind RequestPrefix.
const (
	CodeSiblingRun        Code = "sibling_run"
	CodeRunUnclaimed      Code = "run_unclaimed"
	CodeClaimForeign      Code = "claim_foreign"
	CodeClaimLate         Code = "claim_late"
	CodeCallIgnored       Code = "call_ignored"
	CodeResultDropped     Code = "result_dropped"
	CodeResultLate        Code = "result_late"
	CodeResultsSwapped    Code = "results_swapped"
	CodeTurnNotEnded      Code = "turn_not_ended"
	CodeRequestUnreported Code = "request_unreported"
)

// RequestPrefix stands before the code of a violation that the gateway found in
// a model request.
const RequestPrefix = "request_"

// What a gateway can do wrong. What is wrong with how it renders a next request
// stands behind RenderingPrefix.
const (
	CodeSiblingDispatched  Code = "sibling_dispatched"
	CodeResultMissing      Code = "result_missing"
	CodeResultRepeated     Code = "result_repeated"
	CodeResultDiffers      Code = "result_differs"
	CodeACPCallMissing     Code = "acp_call_missing"
	CodeACPResultMissing   Code = "acp_result_missing"
	CodeACPResultRepeated  Code = "acp_result_repeated"
	CodeACPResultDiffers   Code = "acp_result_differs"
	CodeEndRepeated        Code = "end_repeated"
	CodeEndMissing         Code = "end_missing"
	CodeStreamGap          Code = "stream_gap"
	CodeStreamDiffers      Code = "stream_differs"
	CodeReplicaDiffers     Code = "replica_differs"
	CodeBoundaryBroken     Code = "boundary_broken"
	CodeEntryFailed        Code = "entry_failed"
	CodeEntryNotIdempotent Code = "entry_not_idempotent"
	CodeReminderIncomplete Code = "reminder_incomplete"
	CodeYoloEntered        Code = "yolo_entered"
	CodeDuplicateRun       Code = "duplicate_run"
	CodeExitUnapproved     Code = "exit_unapproved"
	CodeExitFailed         Code = "exit_failed"
)

// RenderingPrefix stands before the code of what is wrong with a rendering of
// the gateway's.
const RenderingPrefix = "rendering_"

// About is what a code means.
type About struct {
	Code  Code   `json:"code"`
	Party Party  `json:"party"`
	Means string `json:"means"`
}

// Codes is every code with its meaning, in the order of docs/validation.md.
func Codes() []About {
	all := append([]About{}, hostCodes...)
	for _, r := range requestRules {
		all = append(all, About{Code(RequestPrefix + r.code), Host, "the host's next model request: " + r.means})
	}
	all = append(all, gatewayCodes...)
	for _, r := range renderingRules {
		all = append(all, About{Code(RenderingPrefix + r.code), Gateway, "the gateway's next request: " + r.means})
	}
	return all
}

var hostCodes = []About{
	{CodeSiblingRun, Host, "a call that was skipped beside an entry into plan mode was run"},
	{CodeRunUnclaimed, Host, "a call was run that the host had not claimed and that was not its own by host_id"},
	{CodeClaimForeign, Host, "a call was claimed by a host that is neither attached nor the batch's sender"},
	{CodeClaimLate, Host, "an offered call was claimed late although the host was idle"},
	{CodeCallIgnored, Host, "an offered call was never claimed although a host is attached"},
	{CodeResultDropped, Host, "a claimed call was never reported"},
	{CodeResultLate, Host, "a result was reported for a call that had ended without it"},
	{CodeResultsSwapped, Host, "two calls of a batch have each other's output"},
	{CodeTurnNotEnded, Host, "a turn was not brought to its end"},
	{CodeRequestUnreported, Host, "some next model requests are reported, and this one was not"},
}

var gatewayCodes = []About{
	{CodeSiblingDispatched, Gateway, "a call that was skipped beside an entry was offered to a host"},
	{CodeResultMissing, Gateway, "a batch ended without a result for a call"},
	{CodeResultRepeated, Gateway, "a call has a second result"},
	{CodeResultDiffers, Gateway, "the stream tells another result than the batch"},
	{CodeACPCallMissing, Gateway, "a client of the Agent Client Protocol is not shown a call, or twice"},
	{CodeACPResultMissing, Gateway, "such a client is not told that a call ended"},
	{CodeACPResultRepeated, Gateway, "such a client is told of a call after its end"},
	{CodeACPResultDiffers, Gateway, "such a client is told another outcome than the ledger's"},
	{CodeEndRepeated, Gateway, "a batch ended twice"},
	{CodeEndMissing, Gateway, "every call has its result and the batch did not end"},
	{CodeStreamGap, Gateway, "the stream left events out, or told one twice"},
	{CodeStreamDiffers, Gateway, "a stream resumed elsewhere tells other events"},
	{CodeReplicaDiffers, Gateway, "two addresses tell different results of one batch"},
	{CodeBoundaryBroken, Gateway, "a call beside an entry was not skipped"},
	{CodeEntryFailed, Gateway, "an entry did not lead into plan mode"},
	{CodeEntryNotIdempotent, Gateway, "an entry in plan mode changed the mode, its revision or the mode to return to"},
	{CodeReminderIncomplete, Gateway, "an entry's result is not the complete reminder"},
	{CodeYoloEntered, Gateway, "an entry that nobody asked for led out of yolo"},
	{CodeDuplicateRun, Gateway, "a duplicate was not answered as one"},
	{CodeExitUnapproved, Gateway, "plan mode was left without a person's approval"},
	{CodeExitFailed, Gateway, "an approved exit did not lead out of plan mode, or a rejected one did not say so"},
}

// rule is a code behind a prefix.
type rule struct{ code, means string }

var shapeRules = []rule{
	{"missing_result", "a call has no answer"},
	{"unknown_id", "an answer to no call"},
	{"duplicate_result", "a call is answered twice"},
	{"wrong_order", "answers are not in the order of the calls"},
	{"misplaced", "an answer or a text stands where it may not"},
	{"wrong_kind", "an answer is of another kind than its call"},
	{"malformed", "it is not of a shape that the provider reads"},
}

var requestRules = append(slices.Clip(shapeRules),
	rule{"result_altered", "a result has another text than the ledger's"},
	rule{"reminder_incomplete", "the plan reminder is missing or not whole"},
	rule{"denial_missing", "a call that was not run looks otherwise, or is left out"},
	rule{"notice_missing", "what the model is to be told once is not there"},
)

var renderingRules = append(slices.Clip(shapeRules),
	rule{"reminder_incomplete", "the plan reminder is missing or not whole"},
	rule{"denial_missing", "the answer to a call that was not run is missing or not whole"},
)

// partyOf is who breaks a rule with a code.
func partyOf(c Code) Party {
	for _, a := range Codes() {
		if a.Code == c {
			return a.Party
		}
	}
	return Gateway
}
