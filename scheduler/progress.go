package scheduler

import (
	"errors"
	"time"
)

// The bounds of what a host may say about a call that runs.
const (
	// MaxExtension is how much time a host may ask for at once: one that dies
	// without a lease keeps its call no longer than that.
	MaxExtension = time.Hour
	// MaxRunTime is how long a call may run in all, however often it is extended.
	MaxRunTime = 24 * time.Hour
	// ProgressEvery is the least time between two texts of a call, and the least
	// by which an extension moves its deadline: each is an event for every reader.
	ProgressEvery = time.Second
	// MaxProgressTexts is how many texts of a call are told: a tenth of the
	// events that a session's log retains at least.
	MaxProgressTexts = 1000
)

// ErrNotClaimed says that nobody runs the call yet.
var ErrNotClaimed = errors.New("call was not claimed")

// ErrCallEnded says that the call has its result.
var ErrCallEnded = errors.New("call has ended")

// Progress is what a host says about a call that it runs.
type Progress struct {
	Position int
	Text     string        // for people; may be empty
	Extend   time.Duration // from now; 0: the deadline stays
}

// ReportProgress takes a host's word about a call that it holds. A text that
// follows another too soon, or is one too many, is dropped; an extension never
// shortens the time and always counts.
func ReportProgress(env Env, s State, from Sender, p Progress) (State, Effects, error) {
	t, out := begin(env, s)
	if err := t.holds(from, p.Position); err != nil {
		return s, Effects{}, err
	}
	c := &t.b.Calls[p.Position]
	until, extended := c.extension(env.Now, p.Extend)
	told := p.Text != "" && c.mayTell(env.Now)
	if !extended && !told {
		return *out, t.fx, nil
	}
	c = t.touch(p.Position)
	c.Deadline = until
	t.fx.Progress = &Told{Position: p.Position}
	if told {
		c.Told, c.Texts = env.Now, c.Texts+1
		t.fx.Progress.Text = p.Text
	}
	return *out, t.fx, nil
}

// holds says whether a host runs a call now.
func (t *transition) holds(from Sender, position int) error {
	if err := t.s.Admits(from); err != nil {
		return err
	}
	switch c := &t.b.Calls[position]; c.State {
	case StateClaimed:
		if c.Host != from.Host {
			return ErrCallHeld
		}
		return nil
	case StateDispatched:
		return ErrNotClaimed
	case StateDone:
		return ErrCallEnded
	default:
		return ErrNotDispatched
	}
}

// extension is the call's deadline if it is given more time, and whether that
// is another than it has. A call without a deadline needs none.
func (c *Call) extension(now time.Time, by time.Duration) (time.Time, bool) {
	until := now.Add(min(by, MaxExtension))
	if last := c.Started.Add(MaxRunTime); until.After(last) {
		until = last
	}
	if by <= 0 || c.Deadline.IsZero() || until.Sub(c.Deadline) < ProgressEvery {
		return c.Deadline, false
	}
	return until, true
}

func (c *Call) mayTell(now time.Time) bool {
	return c.Texts < MaxProgressTexts && (c.Told.IsZero() || now.Sub(c.Told) >= ProgressEvery)
}
