package planmode

import (
	"errors"
	"strings"
	"time"

	"github.com/session-gateway/gateway/permissions"
)

// MaxTextBytes is how long an accumulated plan may grow: a person has to read
// it, and it is carried by every approval of it.
const MaxTextBytes = 256 << 10

// ErrTextTooLong says that a plan would grow over MaxTextBytes.
var ErrTextTooLong = errors.New("the plan would grow over 256 KiB")

// State is a session's plan mode.
type State struct {
	Active    bool      // the session's own mode is plan
	Inherited bool      // an ancestor's mode is plan, or can't be read
	Text      string    // the accumulated plan, paragraphs joined by a blank line
	Revision  int64     // bumped by every change of Text
	EnteredBy string    // who turned it on; empty while off
	EnteredAt time.Time // when; zero while off
}

// On says whether the session is under plan mode, its own or an ancestor's.
func (s State) On() bool { return s.Active || s.Inherited }

// Append gives the state with a paragraph added to its text. A blank note
// changes nothing.
func (s State) Append(note string) (State, error) {
	note = strings.TrimSpace(note)
	switch {
	case note == "":
		return s, nil
	case s.Text == "":
		return s.Replace(note)
	default:
		return s.Replace(s.Text + "\n\n" + note)
	}
}

// Replace gives the state with another text.
func (s State) Replace(text string) (State, error) {
	if len(text) > MaxTextBytes {
		return s, ErrTextTooLong
	}
	if text == s.Text {
		return s, nil
	}
	s.Text = text
	s.Revision++
	return s, nil
}

// denied are the pseudo-tools that plan mode takes away: whatever writes, runs
// commands, or is not known to be read-only. Reading, searching, fetching,
// thinking and the gateway's own tools stay; denying the exit would make plan
// mode a one-way door.
var denied = []string{"write(*)", "execute(*)", "other(*)"}

// DenyRules are the patterns that hold in the deny tier while plan mode is on,
// and none at all while it is off.
func DenyRules(s State) []string {
	if !s.On() {
		return nil
	}
	return append([]string(nil), denied...)
}

// Policy is DenyRules(s) compiled, to be joined behind a session's own rules.
// With ShellReadOnly the same rules spare what provably only reads.
func Policy(s State, sh Shell) *permissions.Policy {
	if !s.On() {
		return nil
	}
	return policies[sh]
}
