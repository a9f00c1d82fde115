package chaos

import (
	"github.com/anishathalye/porcupine"

	"github.com/session-gateway/gateway/internal/casetest"
)

// The mode of a session changes only by these operations, all of which clients
// invoke: nothing hidden has to be assumed. That plan mode ends only by a
// person's change of the mode or by an approval of that very plan is what the
// model's two ways out say.
type (
	setMode   struct{ to string } // a person's change
	readMode  struct{}            // of the session document
	enterPlan struct{ at int }    // a batch with enter_plan_mode at a position
	exitPlan  struct{}            // a batch with exit_plan_mode
	answer    struct {            // to a plan's approval
		option   string
		revision int // of the mode, when it was asked
	}
)

// What came of them.
type (
	modeSeen struct {
		mode     string
		revision int
	}
	entered      struct{ reason string }
	exitAsked    struct{ inPlan bool }
	exitAnswered struct{}
	answerStale  struct{}
)

const (
	planMode = "plan"
	// firstRevision is the mode revision of a new session.
	firstRevision = 1
)

func (e enterPlan) outcome(b casetest.Batch) any {
	if e.at >= len(b.Calls) || b.Calls[e.at].Result == nil {
		return unknown{}
	}
	return entered{b.Calls[e.at].Result.Reason}
}

func (exitPlan) outcome(b casetest.Batch) any {
	if len(b.Calls) == 0 {
		return unknown{}
	}
	return exitAsked{b.Calls[0].Result == nil}
}

// modeState is the register's state.
type modeState struct {
	mode, previous string
	revision       int
}

func (s modeState) to(mode string) modeState {
	switch mode {
	case s.mode:
		return s
	case planMode:
		return modeState{mode, s.mode, s.revision + 1}
	default:
		return modeState{mode, "", s.revision + 1}
	}
}

var modeModel = porcupine.Model{
	Init: func() any { return modeState{mode: "default", revision: firstRevision} },
	Step: func(state, input, output any) (bool, any) {
		s := state.(modeState)
		switch in := input.(type) {
		case setMode:
			next := s.to(in.to)
			return isUnknown(output) || output == modeSeen{next.mode, next.revision}, next
		case readMode:
			return output == modeSeen{s.mode, s.revision}, s
		case enterPlan:
			return stepEnter(s, output)
		case exitPlan:
			return isUnknown(output) || output.(exitAsked).inPlan == (s.mode == planMode), s
		case answer:
			return stepAnswer(s, in, output)
		}
		return false, s
	},
}

func isUnknown(output any) bool { return output == unknown{} }

// stepEnter knows the modes that the parties set: none of them is locked.
func stepEnter(s modeState, output any) (bool, any) {
	switch {
	case output == entered{"plan_not_entered_yolo"}:
		return s.mode == "yolo", s
	case output == entered{""} || isUnknown(output):
		if s.mode == "yolo" {
			return isUnknown(output), s
		}
		return true, s.to(planMode)
	}
	return false, s
}

// stepAnswer lets an answer act only while the plan is the one that was shown.
func stepAnswer(s modeState, in answer, output any) (bool, any) {
	holds := s.mode == planMode && s.revision == in.revision
	next := s
	switch {
	case !holds || in.option == optionReject:
	case in.option == "restore_previous":
		next = s.to(s.previous)
	default:
		next = s.to(in.option)
	}
	switch output.(type) {
	case exitAnswered:
		return holds, next
	case answerStale:
		return !holds, s
	}
	return isUnknown(output), next
}

// mode is the room's register.
func (r *room) mode() object { return object{r, modeRegister, r.sid} }
