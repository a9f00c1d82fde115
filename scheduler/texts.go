package scheduler

import (
	"fmt"
	"strings"

	"github.com/session-gateway/gateway/permissions"
)

// What the model reads of calls that the gateway ended. Each says plainly what
// happened to the call and what to do next.
const (
	textBoundary = "Not executed: this response also asked to enter plan mode, and only that entry was run. " +
		"Nothing of this call was carried out. It may be sent again in the next turn, once you have seen which approval mode is in force."
	textLoop = "Not executed: the same call was made too many times in a row, or the turn holds too many calls, so the whole response was rejected. " +
		"Change your approach instead of repeating it."
	textReplay = "Not executed again: a call with this id, tool and arguments was already started for an earlier response, " +
		"and its result was given there. Use a new id if you mean to run it once more."
	textStructuredPrecedence = "Not executed: this response gave a structured answer, which takes precedence over all its other calls."
	textStructuredAccepted   = "The structured answer was accepted."
	textTurnStopped          = "Not executed: the turn was stopped before it was this call's turn."
	textOutputTruncated      = "Not executed: your output was cut off inside this call, so its arguments are incomplete. Send the call again, with shorter arguments if need be."
	textApprovalUnavailable  = "Not executed: this call needs a person's approval, and nobody can be asked in this session."
	textExitUnavailable      = "Plan mode stays on: leaving it needs a person's approval, and nobody can be asked in this session."
	textApprovalStale        = "Not executed: what a person was asked to approve changed in the meantime, so the question was withdrawn. Nothing was approved."
	textHostUnavailable      = "Not executed: no host took this call in time. It may be sent again."
	textHostTimeout          = "The call was started but gave no result in time. Whether it took effect is not known; check before you repeat it."
	textHostLost             = "The call was started, and its host was lost before it gave a result. Whether it took effect is not known; check before you repeat it."
	textHostErrorSilent      = "The tool failed without a message."
	textAborted              = "Cancelled: the batch was aborted."
	textSessionClosed        = "Cancelled: the session was closed."
	textNoSuchOutput         = "There is no stored output with this reference in this session. The oldest go when there are too many; run the tool again if its output is needed."
	subjectPlan              = "plan"
)

func textDuplicateInBatch(original int) string {
	return fmt.Sprintf("Not executed again: call number %d of this same response has the same id; its result stands for both.", original+1)
}

func textNotRegistered(name string) string {
	return fmt.Sprintf("Not executed: there is no tool named %q in this session.", name)
}

func textInvalidArguments(tool string, err error) string {
	return fmt.Sprintf("Not executed: the arguments of %s are not valid: %s", tool, strings.TrimSpace(err.Error()))
}

func textPermissionDenied(tool string, d permissions.Decision) string {
	if d.Pattern == "" {
		return fmt.Sprintf("Not executed: %s is not permitted here.", tool)
	}
	return fmt.Sprintf("Not executed: %s is denied by the rule %s. Do not try to get around it.", tool, d.Pattern)
}

func textPlanModeDenied(tool string) string {
	return fmt.Sprintf("Not executed: plan mode is on and %s is not known to be read-only. "+
		"Use read-only tools, and carry on with the plan until the user has approved it.", tool)
}

func textRejected(by, feedback string) string {
	if strings.TrimSpace(feedback) == "" {
		return fmt.Sprintf("Not executed: %s rejected this.", by)
	}
	return fmt.Sprintf("Not executed: %s rejected this and said: %s", by, feedback)
}

func textHookDenied(w HookWord) string {
	switch {
	case w.TimedOut:
		return "Not executed: a check that is made before calls like this one did not answer in time. It may be sent again."
	case strings.TrimSpace(w.Reason) == "":
		return "Not executed: a check that is made before calls like this one denied it. Do not try to get around it."
	default:
		return fmt.Sprintf("Not executed: a check that is made before calls like this one denied it: %s", w.Reason)
	}
}

func textApprovalExpired(a Approval) string {
	return fmt.Sprintf("Not executed: nobody answered the request for approval before it expired at %s.", a.Expires.UTC().Format(timestampFormat))
}

func textMaxToolCalls(limit int) string {
	return fmt.Sprintf("Not executed: the session's limit of %d tool calls is used up.", limit)
}

func textPage(ref string, p Page) string {
	end := p.Offset + len([]rune(p.Text))
	note := fmt.Sprintf("[%s, characters %d to %d of %d", ref, p.Offset, end, p.Total)
	if p.Next > 0 {
		note += fmt.Sprintf("; go on with offset %d", p.Next)
	}
	return note + "]\n" + p.Text
}
