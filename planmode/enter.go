package planmode

import "github.com/session-gateway/gateway/permissions"

// Entry is what a call of enter_plan_mode comes to.
type Entry string

// The outcomes of an entry.
const (
	EntryNotOwned         Entry = "plan_not_owned"         // an error: the main session's business
	EntryAlready          Entry = "already"                // the reminder; nothing changes
	EntryYolo             Entry = "plan_not_entered_yolo"  // unsolicited in yolo
	EntryUnavailable      Entry = "plan_unavailable"       // nobody could let it out again
	EntryTransitionFailed Entry = "plan_transition_failed" // the mode is locked
	EntryEntered          Entry = "entered"                // the reminder; the mode changes
)

// Situation is what an entry is judged by.
type Situation struct {
	MainAgent     bool // not a subagent, not a teammate
	On            bool // own or an ancestor's plan mode
	Mode          permissions.Mode
	UserRequested bool
	Headless      bool
	Approver      bool // somebody can be asked
	Locked        bool // only an admin changes the mode
}

// Enter is the first case that holds, in the order of the design's table.
func Enter(s Situation) Entry {
	switch {
	case !s.MainAgent:
		return EntryNotOwned
	case s.On:
		return EntryAlready
	case s.Mode == permissions.ModeYolo && !s.UserRequested:
		return EntryYolo
	case s.Headless && !s.Approver:
		return EntryUnavailable
	case s.Locked:
		return EntryTransitionFailed
	default:
		return EntryEntered
	}
}

// entryTexts are what the model reads when an entry did not give the reminder.
var entryTexts = map[Entry]string{
	EntryNotOwned: "Plan mode belongs to the main session and cannot be entered from here. " +
		"Nothing was changed. Return your findings to the caller instead.",
	EntryYolo: "Plan mode was not entered: this session runs without asking, and the user did not request plan mode. " +
		"Keep planning in the current mode. If the user did ask for plan mode, call enter_plan_mode again with userRequested set to true.",
	EntryUnavailable: "Plan mode was not entered: leaving it needs a person's approval, and nobody can be asked in this session. " +
		"Keep planning in the current mode.",
	EntryTransitionFailed: "Plan mode was not entered: the approval mode of this session is locked and only an administrator can change it. " +
		"The mode is unchanged. Keep planning in the current mode.",
}

// Text is what the model reads for an entry that ended without the reminder.
func (e Entry) Text() string { return entryTexts[e] }
