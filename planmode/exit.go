package planmode

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/session-gateway/gateway/permissions"
)

// Exit is what a call of exit_plan_mode comes to before anybody is asked.
type Exit string

// The outcomes of a request to leave; ExitAsk is the only way on.
const (
	ExitNotActive Exit = "not_active" // the session's own mode is not plan
	ExitNoPlan    Exit = "no_plan"    // nothing to present
	ExitAsk       Exit = "ask"        // a person has to decide
)

// RequestExit judges a request to leave and gives the plan to be presented:
// the one in the call, else the accumulated text.
func RequestExit(s State, plan string) (Exit, string) {
	if !s.Active {
		return ExitNotActive, ""
	}
	if strings.TrimSpace(plan) == "" {
		plan = s.Text
	}
	if strings.TrimSpace(plan) == "" {
		return ExitNoPlan, ""
	}
	return ExitAsk, plan
}

// Snapshot is what a person is asked to approve; the answer holds for it alone.
type Snapshot struct {
	Text         string
	SHA256       string
	Revision     int64 // of the accumulated text
	ModeRevision int64
	PreviousMode permissions.Mode
}

// TakeSnapshot fixes the plan that is presented.
func TakeSnapshot(s State, text string, modeRevision int64, previous permissions.Mode) Snapshot {
	sum := sha256.Sum256([]byte(text))
	return Snapshot{
		Text: text, SHA256: hex.EncodeToString(sum[:]), Revision: s.Revision,
		ModeRevision: modeRevision, PreviousMode: RestorableMode(previous),
	}
}

// Holds says whether the snapshot still is what a person was shown: neither
// the mode nor the plan's text has changed since.
func (p Snapshot) Holds(s State, modeRevision int64) bool {
	return s.Active && p.ModeRevision == modeRevision && p.Revision == s.Revision
}

// RestorableMode is the mode to go back to; a session that was created in plan
// mode goes to default.
func RestorableMode(previous permissions.Mode) permissions.Mode {
	if previous == "" || previous == permissions.ModePlan {
		return permissions.ModeDefault
	}
	return previous
}

// ExitOption is an answer to a plan.
type ExitOption struct {
	ID    string
	Kind  string // the Agent Client Protocol's permission option kind
	Label string
}

// The answers to a plan.
const (
	OptionRestore  = "restore_previous"
	OptionAutoEdit = "auto_edit"
	OptionDefault  = "default"
	OptionReject   = "reject"
)

// ExitOptions are the answers in the order in which they are offered.
func ExitOptions() []ExitOption {
	return []ExitOption{
		{OptionRestore, "allow_once", "Approve and return to the previous mode"},
		{OptionAutoEdit, "allow_always", "Approve and accept edits automatically"},
		{OptionDefault, "allow_once", "Approve and ask before each change"},
		{OptionReject, "reject_once", "Keep planning"},
	}
}

// Target is the mode that an approving option leads to; false for one that
// does not approve.
func (p Snapshot) Target(option string) (permissions.Mode, bool) {
	switch option {
	case OptionRestore:
		return p.PreviousMode, true
	case OptionAutoEdit:
		return permissions.ModeAutoEdit, true
	case OptionDefault:
		return permissions.ModeDefault, true
	default:
		return "", false
	}
}

// The texts of exits that raise no approval, of the approved one, and of the
// notice that a model is given once after a person left plan mode by hand.
const (
	TextNotActive  = "Plan mode is not on in this session, so there is nothing to leave. No approval was requested."
	TextInherited  = "Plan mode is on because of the session above this one. It can only be left there. No approval was requested."
	TextNoPlan     = "There is no plan to present. Write the plan first, or pass it as \"plan\"."
	TextManualExit = "A person has turned plan mode off by hand. Its restrictions no longer hold. The plan was not approved by this; " +
		"carry on as the current approval mode allows."
)

// ApprovedText is the result of an exit that a person approved.
func ApprovedText(by string, mode permissions.Mode) string {
	return "The plan was approved by " + by + ". Plan mode is off and the approval mode is now " + string(mode) + ". You may start the work."
}
