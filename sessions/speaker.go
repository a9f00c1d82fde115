package sessions

import "github.com/session-gateway/gateway/scheduler"

// Speaker is the host that a message of a turn comes from, if it says so.
type Speaker struct {
	HostID *string
	Fence  *int64 // of HostID's lease
}

// Message is a text that a host says in a turn.
type Message struct {
	Speaker
	Text string
}

// TurnCompletion is the end of a turn, as its host says.
type TurnCompletion struct {
	Speaker
	Reason scheduler.TurnReason
}

func (s Speaker) check(wrong *fields) {
	checkID(wrong, "/host_id", s.HostID)
	checkFence(wrong, s.Fence)
	if s.Fence != nil && s.HostID == nil {
		wrong.add("/fence", "goes with host_id")
	}
}

// admits refuses a host that is not the attached one. A host that does not say
// who it is has no attachment to lose.
func (d *document) admits(s Speaker) *Problem {
	if s.HostID == nil {
		return nil
	}
	if d.state.Session.Admits(scheduler.Sender{Host: *s.HostID, Fence: or(s.Fence, 0)}) != nil {
		return d.fenced()
	}
	return nil
}
